//! Arithmetic of floating-point numbers, as functions of the bits of registers.

use half::{bf16, f16};

use crate::integer::{Binary, Ternary, Unary};
use crate::types::Type;

/// Floating-point numbers of a format.
pub(crate) trait Float: Copy {
    /// The NaN that arithmetic gives, where the hardware has only one.
    const NAN: Option<u64>;
    /// The bit of the sign.
    const SIGN: u64;
    /// The greatest bits of a subnormal number.
    const SUBNORMAL: u64;
    /// The number in the low bits of a register.
    fn of(bits: u64) -> Self;
    /// As a register holds it.
    fn bits(self) -> u64;
    /// The number as `f64`, which is exact.
    fn wide(self) -> f64;
    /// The nearest number of the format, even on a tie.
    fn nearest(wide: f64) -> Self;
    fn add(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn fma(self, by: Self, plus: Self) -> Self;
    fn sqrt(self) -> Self;
}

macro_rules! native {
    ($ty:ty, $bits:ty, $nan:expr, $subnormal:expr) => {
        impl Float for $ty {
            const NAN: Option<u64> = $nan;
            const SIGN: u64 = 1 << (<$bits>::BITS - 1);
            const SUBNORMAL: u64 = $subnormal;
            #[inline(always)]
            fn of(bits: u64) -> Self {
                <$ty>::from_bits(bits as $bits)
            }
            #[inline(always)]
            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }
            #[inline(always)]
            fn wide(self) -> f64 {
                f64::from(self)
            }
            fn nearest(wide: f64) -> Self {
                wide as $ty
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self * other
            }
            fn div(self, other: Self) -> Self {
                self / other
            }
            fn fma(self, by: Self, plus: Self) -> Self {
                self.mul_add(by, plus)
            }
            fn sqrt(self) -> Self {
                <$ty>::sqrt(self)
            }
        }
    };
}

native!(f32, u32, Some(0x7fff_ffff), 0x007f_ffff);
native!(f64, u64, None, 0x000f_ffff_ffff_ffff);

/// The half formats compute in `f64` and round once more. That is exact for sums, products,
/// quotients and roots, as `f64` has more than twice the digits and two.
macro_rules! half {
    ($ty:ty, $subnormal:expr) => {
        impl Float for $ty {
            const NAN: Option<u64> = Some(0x7fff);
            const SIGN: u64 = 1 << 15;
            const SUBNORMAL: u64 = $subnormal;
            fn of(bits: u64) -> Self {
                <$ty>::from_bits(bits as u16)
            }
            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }
            fn wide(self) -> f64 {
                self.to_f64()
            }
            fn nearest(wide: f64) -> Self {
                <$ty>::from_f64(wide)
            }
            fn add(self, other: Self) -> Self {
                Self::nearest(self.wide() + other.wide())
            }
            fn mul(self, other: Self) -> Self {
                Self::nearest(self.wide() * other.wide())
            }
            fn div(self, other: Self) -> Self {
                Self::nearest(self.wide() / other.wide())
            }
            fn fma(self, by: Self, plus: Self) -> Self {
                Self::nearest(to_odd_sum(self.wide() * by.wide(), plus.wide()))
            }
            fn sqrt(self) -> Self {
                Self::nearest(self.wide().sqrt())
            }
        }
    };
}

half!(f16, 0x03ff);
half!(bf16, 0x007f);

/// A sum of two `f64` rounded to an odd last digit if it is not exact, so that rounding it again is
/// right.
fn to_odd_sum(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_finite() {
        return sum;
    }
    let part = sum - a;
    let rest = (a - (sum - part)) + (b - part);
    to_odd(sum, rest)
}

/// `value + rest`, where `rest` is less than half a digit, rounded to an odd last digit.
pub(crate) fn to_odd(value: f64, rest: f64) -> f64 {
    if rest == 0.0 || value.to_bits() & 1 == 1 {
        value
    } else if rest > 0.0 {
        value.next_up()
    } else {
        value.next_down()
    }
}

/// The function `$f` for the type `$ty`.
macro_rules! by_type {
    ($ty:expr, $f:ident) => {
        match $ty {
            Type::F16 => Some($f::<f16> as _),
            Type::Bf16 => Some($f::<bf16> as _),
            Type::F32 => Some($f::<f32> as _),
            Type::F64 => Some($f::<f64> as _),
            _ => None,
        }
    };
}

/// The operation of one operand that has this name.
pub(crate) fn unary(name: &str, ty: Type) -> Option<Unary> {
    match name {
        "neg" => by_type!(ty, neg),
        "abs" => by_type!(ty, abs),
        "sqrt" => by_type!(ty, sqrt),
        "rcp" => by_type!(ty, rcp),
        "rsqrt" => by_type!(ty, rsqrt),
        "ex2" => by_type!(ty, ex2),
        "lg2" => by_type!(ty, lg2),
        "sin" => by_type!(ty, sin),
        "cos" => by_type!(ty, cos),
        "tanh" => by_type!(ty, tanh),
        "flush" => by_type!(ty, flush),
        "saturate" => by_type!(ty, saturate),
        "relu" => by_type!(ty, relu),
        "testp.finite" => by_type!(ty, is_finite),
        "testp.infinite" => by_type!(ty, is_infinite),
        "testp.number" => by_type!(ty, is_number),
        "testp.notanumber" => by_type!(ty, is_nan),
        "testp.normal" => by_type!(ty, is_normal),
        "testp.subnormal" => by_type!(ty, is_subnormal),
        _ => None,
    }
}

/// The operation of two operands that has this name.
pub(crate) fn binary(name: &str, ty: Type) -> Option<Binary> {
    match name {
        "add" => by_type!(ty, add),
        "sub" => by_type!(ty, sub),
        "mul" => by_type!(ty, mul),
        "div" => by_type!(ty, div),
        "min" => by_type!(ty, min),
        "max" => by_type!(ty, max),
        "min.NaN" => by_type!(ty, min_nan),
        "max.NaN" => by_type!(ty, max_nan),
        "copysign" => by_type!(ty, copysign),
        _ => None,
    }
}

/// The operation of three operands that has this name.
pub(crate) fn ternary(name: &str, ty: Type) -> Option<Ternary> {
    match name {
        "fma" => by_type!(ty, fma),
        _ => None,
    }
}

/// The comparison that has this name.
pub(crate) fn comparison(name: &str, ty: Type) -> Option<Binary> {
    match name {
        "eq" => by_type!(ty, eq),
        "ne" => by_type!(ty, ne),
        "lt" => by_type!(ty, lt),
        "le" => by_type!(ty, le),
        "gt" => by_type!(ty, gt),
        "ge" => by_type!(ty, ge),
        "equ" => by_type!(ty, equ),
        "neu" => by_type!(ty, neu),
        "ltu" => by_type!(ty, ltu),
        "leu" => by_type!(ty, leu),
        "gtu" => by_type!(ty, gtu),
        "geu" => by_type!(ty, geu),
        "num" => by_type!(ty, num),
        "nan" => by_type!(ty, nan),
        _ => None,
    }
}

/// The bits of a result: NaNs are the one of the hardware.
#[inline(always)]
fn result<T: Float>(value: T) -> u64 {
    match T::NAN {
        Some(nan) if value.wide().is_nan() => nan,
        _ => value.bits(),
    }
}

fn neg<T: Float>(a: u64) -> u64 {
    T::of(a).bits() ^ T::SIGN
}

fn abs<T: Float>(a: u64) -> u64 {
    T::of(a).bits() & !T::SIGN
}

fn sqrt<T: Float>(a: u64) -> u64 {
    result(T::of(a).sqrt())
}

fn rcp<T: Float>(a: u64) -> u64 {
    result(T::nearest(1.0).div(T::of(a)))
}

/// A function that the hardware approximates; here it is computed as `f64`.
fn approximate<T: Float>(a: u64, function: fn(f64) -> f64) -> u64 {
    result(T::nearest(function(T::of(a).wide())))
}

fn rsqrt<T: Float>(a: u64) -> u64 {
    approximate::<T>(a, |a| 1.0 / a.sqrt())
}

fn ex2<T: Float>(a: u64) -> u64 {
    approximate::<T>(a, f64::exp2)
}

fn lg2<T: Float>(a: u64) -> u64 {
    approximate::<T>(a, f64::log2)
}

fn sin<T: Float>(a: u64) -> u64 {
    approximate::<T>(a, f64::sin)
}

fn cos<T: Float>(a: u64) -> u64 {
    approximate::<T>(a, f64::cos)
}

fn tanh<T: Float>(a: u64) -> u64 {
    approximate::<T>(a, f64::tanh)
}

/// Subnormal numbers become zeros of the same sign.
pub(crate) fn flush<T: Float>(a: u64) -> u64 {
    let a = T::of(a).bits();
    if a & !T::SIGN <= T::SUBNORMAL {
        a & T::SIGN
    } else {
        a
    }
}

/// The nearest number of 0 to 1; 0 for NaN.
pub(crate) fn saturate<T: Float>(a: u64) -> u64 {
    let value = T::of(a).wide();
    let inside = if value > 0.0 { value.min(1.0) } else { 0.0 };
    T::nearest(inside).bits()
}

/// Negative numbers become 0.
fn relu<T: Float>(a: u64) -> u64 {
    let value = T::of(a);
    if value.wide() < 0.0 { 0 } else { result(value) }
}

fn is_finite<T: Float>(a: u64) -> u64 {
    u64::from(T::of(a).wide().is_finite())
}

fn is_infinite<T: Float>(a: u64) -> u64 {
    u64::from(T::of(a).wide().is_infinite())
}

fn is_number<T: Float>(a: u64) -> u64 {
    u64::from(!T::of(a).wide().is_nan())
}

fn is_nan<T: Float>(a: u64) -> u64 {
    u64::from(T::of(a).wide().is_nan())
}

fn is_normal<T: Float>(a: u64) -> u64 {
    let magnitude = T::of(a).bits() & !T::SIGN;
    u64::from(T::of(a).wide().is_finite() && magnitude > T::SUBNORMAL)
}

fn is_subnormal<T: Float>(a: u64) -> u64 {
    let magnitude = T::of(a).bits() & !T::SIGN;
    u64::from(magnitude != 0 && magnitude <= T::SUBNORMAL)
}

fn add<T: Float>(a: u64, b: u64) -> u64 {
    result(T::of(a).add(T::of(b)))
}

fn sub<T: Float>(a: u64, b: u64) -> u64 {
    result(T::of(a).add(T::of(neg::<T>(b))))
}

fn mul<T: Float>(a: u64, b: u64) -> u64 {
    result(T::of(a).mul(T::of(b)))
}

fn div<T: Float>(a: u64, b: u64) -> u64 {
    result(T::of(a).div(T::of(b)))
}

fn fma<T: Float>(a: u64, b: u64, c: u64) -> u64 {
    result(T::of(a).fma(T::of(b), T::of(c)))
}

/// The NaN that arithmetic gives.
fn not_a_number<T: Float>() -> u64 {
    T::NAN.unwrap_or_else(|| T::nearest(f64::NAN).bits() & !T::SIGN)
}

/// Whether `a` comes before `b`, where −0 comes before +0.
fn before<T: Float>(a: u64, b: u64) -> bool {
    let (left, right) = (T::of(a).wide(), T::of(b).wide());
    left < right || left == right && left.is_sign_negative()
}

/// The lesser one; a number where the other one is NaN.
fn min<T: Float>(a: u64, b: u64) -> u64 {
    match (is_nan::<T>(a), is_nan::<T>(b)) {
        (1, 1) => not_a_number::<T>(),
        (1, _) => T::of(b).bits(),
        (_, 1) => T::of(a).bits(),
        _ if before::<T>(a, b) => T::of(a).bits(),
        _ => T::of(b).bits(),
    }
}

/// The greater one; a number where the other one is NaN.
fn max<T: Float>(a: u64, b: u64) -> u64 {
    match (is_nan::<T>(a), is_nan::<T>(b)) {
        (1, 1) => not_a_number::<T>(),
        (1, _) => T::of(b).bits(),
        (_, 1) => T::of(a).bits(),
        _ if before::<T>(a, b) => T::of(b).bits(),
        _ => T::of(a).bits(),
    }
}

fn min_nan<T: Float>(a: u64, b: u64) -> u64 {
    if is_nan::<T>(a) | is_nan::<T>(b) != 0 {
        return not_a_number::<T>();
    }
    min::<T>(a, b)
}

fn max_nan<T: Float>(a: u64, b: u64) -> u64 {
    if is_nan::<T>(a) | is_nan::<T>(b) != 0 {
        return not_a_number::<T>();
    }
    max::<T>(a, b)
}

/// The sign of `a` and the magnitude of `b`.
fn copysign<T: Float>(a: u64, b: u64) -> u64 {
    T::of(a).bits() & T::SIGN | T::of(b).bits() & !T::SIGN
}

fn eq<T: Float>(a: u64, b: u64) -> u64 {
    u64::from(T::of(a).wide() == T::of(b).wide())
}

fn ne<T: Float>(a: u64, b: u64) -> u64 {
    num::<T>(a, b) & neu::<T>(a, b)
}

fn lt<T: Float>(a: u64, b: u64) -> u64 {
    u64::from(T::of(a).wide() < T::of(b).wide())
}

fn le<T: Float>(a: u64, b: u64) -> u64 {
    u64::from(T::of(a).wide() <= T::of(b).wide())
}

fn gt<T: Float>(a: u64, b: u64) -> u64 {
    lt::<T>(b, a)
}

fn ge<T: Float>(a: u64, b: u64) -> u64 {
    le::<T>(b, a)
}

fn equ<T: Float>(a: u64, b: u64) -> u64 {
    nan::<T>(a, b) | eq::<T>(a, b)
}

fn neu<T: Float>(a: u64, b: u64) -> u64 {
    eq::<T>(a, b) ^ 1
}

fn ltu<T: Float>(a: u64, b: u64) -> u64 {
    ge::<T>(a, b) ^ 1
}

fn leu<T: Float>(a: u64, b: u64) -> u64 {
    gt::<T>(a, b) ^ 1
}

fn gtu<T: Float>(a: u64, b: u64) -> u64 {
    le::<T>(a, b) ^ 1
}

fn geu<T: Float>(a: u64, b: u64) -> u64 {
    lt::<T>(a, b) ^ 1
}

fn num<T: Float>(a: u64, b: u64) -> u64 {
    nan::<T>(a, b) ^ 1
}

fn nan<T: Float>(a: u64, b: u64) -> u64 {
    is_nan::<T>(a) | is_nan::<T>(b)
}
