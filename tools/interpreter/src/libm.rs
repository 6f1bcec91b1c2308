//! The system's mathematical functions, which are those that compiled code
//! calls. (Rust's standard library has some of its own, with other bits.)

macro_rules! functions {
    ($(fn $name:ident($single:ident, $double:ident, $($argument:ident),+);)*) => {
        mod c {
            unsafe extern "C" {
                $(
                    pub(super) fn $single($($argument: f32),+) -> f32;
                    pub(super) fn $double($($argument: f64),+) -> f64;
                )*
            }
        }
        $(
            pub(crate) mod $name {
                pub(crate) fn single($($argument: f32),+) -> f32 {
                    // SAFETY: a function of the C library that reads its
                    // arguments only, declared as math.h declares it.
                    unsafe { super::c::$single($($argument),+) }
                }
                pub(crate) fn double($($argument: f64),+) -> f64 {
                    // SAFETY: as above.
                    unsafe { super::c::$double($($argument),+) }
                }
            }
        )*
    };
}

functions! {
    fn acos(acosf, acos, x);
    fn acosh(acoshf, acosh, x);
    fn asin(asinf, asin, x);
    fn asinh(asinhf, asinh, x);
    fn atan(atanf, atan, x);
    fn atan2(atan2f, atan2, y, x);
    fn atanh(atanhf, atanh, x);
    fn cbrt(cbrtf, cbrt, x);
    fn cos(cosf, cos, x);
    fn cosh(coshf, cosh, x);
    fn erf(erff, erf, x);
    fn erfc(erfcf, erfc, x);
    fn exp(expf, exp, x);
    fn exp2(exp2f, exp2, x);
    fn expm1(expm1f, expm1, x);
    fn fma(fmaf, fma, x, y, z);
    fn fmod(fmodf, fmod, x, y);
    fn log(logf, log, x);
    fn log10(log10f, log10, x);
    fn log1p(log1pf, log1p, x);
    fn log2(log2f, log2, x);
    fn pow(powf, pow, x, y);
    fn sin(sinf, sin, x);
    fn sinh(sinhf, sinh, x);
    fn sqrt(sqrtf, sqrt, x);
    fn tan(tanf, tan, x);
    fn tanh(tanhf, tanh, x);
}
