//! Instructions that compute, compared with what Rust computes.

mod common;

use common::{Gpu, isolated};

/// Numbers at the edges of all types.
const EDGES: [u64; 12] = [
    0,
    1,
    2,
    7,
    0x7f,
    0x80,
    0x7fff_ffff,
    0x8000_0000,
    0x1234_5678_9abc_def0,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX,
];

/// All pairs of numbers, and a third one.
fn pairs(numbers: &[u64]) -> Vec<[u64; 3]> {
    let pair = |a: u64| numbers.iter().map(move |&b| [a, b, a ^ (b << 3)]);
    numbers.iter().flat_map(|&a| pair(a)).collect()
}

fn check(
    gpu: &Gpu,
    result: char,
    body: &str,
    inputs: &[[u64; 3]],
    expected: impl Fn([u64; 3]) -> u64,
) {
    let found = gpu.evaluate(result, body, inputs);
    for (input, found) in inputs.iter().zip(found) {
        let expected = expected(*input);
        assert_eq!(
            found, expected,
            "{body} of {input:x?}: {found:#x}, expected {expected:#x}"
        );
    }
}

#[test]
fn whole_numbers() {
    isolated("whole_numbers", &[], || {
        let gpu = Gpu::new();
        let inputs = pairs(&EDGES);
        macro_rules! both {
            ($result:literal, $unsigned:ty, $signed:ty, $u:literal, $s:literal, $r:literal) => {
                let run = |name: &str, ty: &str, f: &dyn Fn([u64; 3]) -> u64| {
                    let body = format!("{name}.{ty} %{0}0, %{0}1, %{0}2;", $r);
                    check(&gpu, $result, &body, &inputs, |input| {
                        f(input) as $unsigned as u64
                    });
                };
                let u = |f: fn($unsigned, $unsigned) -> $unsigned| {
                    move |[a, b, _]: [u64; 3]| f(a as $unsigned, b as $unsigned) as u64
                };
                let s = |f: fn($signed, $signed) -> $signed| {
                    move |[a, b, _]: [u64; 3]| f(a as $signed, b as $signed) as u64
                };
                run("add", $s, &s(<$signed>::wrapping_add));
                run("sub", $u, &u(<$unsigned>::wrapping_sub));
                run("mul.lo", $s, &s(<$signed>::wrapping_mul));
                run(
                    "mul.hi",
                    $u,
                    &u(|a, b| (a as u128 * b as u128 >> <$unsigned>::BITS) as $unsigned),
                );
                run(
                    "mul.hi",
                    $s,
                    &s(|a, b| (a as i128 * b as i128 >> <$signed>::BITS) as $signed),
                );
                run("min", $s, &s(Ord::min));
                run("max", $u, &u(Ord::max));
                run(
                    "div",
                    $u,
                    &u(|a, b| a.checked_div(b).unwrap_or(<$unsigned>::MAX)),
                );
                run(
                    "div",
                    $s,
                    &s(|a, b| if b == 0 { -1 } else { a.wrapping_div(b) }),
                );
                run("rem", $u, &u(|a, b| a.checked_rem(b).unwrap_or(a)));
                run(
                    "rem",
                    $s,
                    &s(|a, b| if b == 0 { a } else { a.wrapping_rem(b) }),
                );
            };
        }
        both!('h', u16, i16, "u16", "s16", "h");
        both!('r', u32, i32, "u32", "s32", "r");
        both!('d', u64, i64, "u64", "s64", "d");
    });
}

#[test]
fn shifts_are_clamped() {
    isolated("shifts_are_clamped", &[], || {
        let gpu = Gpu::new();
        let mut inputs = Vec::new();
        for a in EDGES {
            inputs.extend([0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 200].map(|b| [a, b, 0]));
        }
        check(&gpu, 'r', "shl.b32 %r0, %r1, %r2;", &inputs, |[a, b, _]| {
            u64::from((a as u32).checked_shl(b as u32).unwrap_or(0))
        });
        check(&gpu, 'r', "shr.u32 %r0, %r1, %r2;", &inputs, |[a, b, _]| {
            u64::from((a as u32).checked_shr(b as u32).unwrap_or(0))
        });
        check(&gpu, 'r', "shr.s32 %r0, %r1, %r2;", &inputs, |[a, b, _]| {
            u64::from(((a as i32) >> b.min(31)) as u32)
        });
        check(&gpu, 'd', "shl.b64 %d0, %d1, %r2;", &inputs, |[a, b, _]| {
            a.checked_shl(b as u32).unwrap_or(0)
        });
        check(&gpu, 'd', "shr.s64 %d0, %d1, %r2;", &inputs, |[a, b, _]| {
            (a as i64 >> b.min(63)) as u64
        });
        check(&gpu, 'h', "shl.b16 %h0, %h1, %r2;", &inputs, |[a, b, _]| {
            u64::from((a as u16).checked_shl(b as u32).unwrap_or(0))
        });
        check(
            &gpu,
            'r',
            "shf.l.wrap.b32 %r0, %r1, %r1, %r2;",
            &inputs,
            |[a, b, _]| u64::from((a as u32).rotate_left(b as u32 & 31)),
        );
    });
}

#[test]
fn bits() {
    isolated("bits", &[], || {
        let gpu = Gpu::new();
        let inputs = pairs(&EDGES);
        check(&gpu, 'r', "popc.b64 %r0, %d1;", &inputs, |[a, ..]| {
            u64::from(a.count_ones())
        });
        check(&gpu, 'r', "clz.b32 %r0, %r1;", &inputs, |[a, ..]| {
            u64::from((a as u32).leading_zeros())
        });
        check(&gpu, 'r', "brev.b32 %r0, %r1;", &inputs, |[a, ..]| {
            u64::from((a as u32).reverse_bits())
        });
        check(&gpu, 'r', "bfind.u32 %r0, %r1;", &inputs, |[a, ..]| {
            u64::from((a as u32).checked_ilog2().unwrap_or(u32::MAX))
        });
        check(
            &gpu,
            'r',
            "lop3.b32 %r0, %r1, %r2, %r3, 0x96;",
            &inputs,
            |[a, b, c]| u64::from((a ^ b ^ c) as u32),
        );
        check(&gpu, 'd', "bfe.u64 %d0, %d1, 5, 3;", &inputs, |[a, ..]| {
            a >> 5 & 7
        });
        check(&gpu, 'r', "bfe.s32 %r0, %r1, 28, 4;", &inputs, |[a, ..]| {
            u64::from((a as i32 >> 28) as u32)
        });
        check(
            &gpu,
            'r',
            "bfi.b32 %r0, %r1, %r2, 8, 16;",
            &inputs,
            |[a, b, _]| u64::from(b as u32 & 0xff00_00ff | (a as u32 & 0xffff) << 8),
        );
        check(
            &gpu,
            'r',
            "prmt.b32 %r0, %r1, %r2, 0x5410U;",
            &inputs,
            |[a, b, _]| a & 0xffff | (b & 0xffff) << 16,
        );
        check(
            &gpu,
            'r',
            "prmt.b32 %r0, %r1, 0, 0x7773U;",
            &inputs,
            |[a, ..]| a >> 24 & 0xff,
        );
        let sum = "add.cc.u32 %r0, %r1, %r2; addc.u32 %r4, 0, 0; mov.b64 %d0, {%r0, %r4};";
        check(&gpu, 'd', sum, &inputs, |[a, b, _]| {
            (a & 0xffff_ffff) + (b & 0xffff_ffff)
        });
        let halves = "mov.b64 {%r4, %r5}, %d1; mov.b64 %d0, {%r5, %r4};";
        check(&gpu, 'd', halves, &inputs, |[a, ..]| a.rotate_left(32));
        check(&gpu, 'r', "mov.b64 {_, %r0}, %d1;", &inputs, |[a, ..]| {
            a >> 32
        });
        check(
            &gpu,
            'd',
            "mul.wide.s32 %d0, %r1, %r2;",
            &inputs,
            |[a, b, _]| (i64::from(a as i32) * i64::from(b as i32)) as u64,
        );
        check(
            &gpu,
            'd',
            "mad.wide.u16 %r4, %h1, %h2, %r3; cvt.u64.u32 %d0, %r4;",
            &inputs,
            |[a, b, c]| u64::from((a as u16 as u32 * b as u16 as u32).wrapping_add(c as u32)),
        );
    });
}

/// Numbers at the edges of `f32`.
fn singles() -> Vec<u64> {
    let numbers = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        f32::MIN_POSITIVE,
        f32::from_bits(1),
        1e-40,
        16_777_217.0,
        f32::MAX,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        0.1,
        -7.3,
    ];
    numbers
        .iter()
        .map(|number| u64::from(number.to_bits()))
        .collect()
}

/// The NaN that arithmetic of `f32` gives.
const NAN: u32 = 0x7fff_ffff;

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn canonical(value: f32) -> u64 {
    u64::from(if value.is_nan() { NAN } else { value.to_bits() })
}

#[test]
fn single_precision() {
    isolated("single_precision", &[], || {
        let gpu = Gpu::new();
        let inputs = pairs(&singles());
        let run = |body: &str, f: &dyn Fn(f32, f32, f32) -> f32| {
            check(&gpu, 'r', body, &inputs, |input| {
                let [a, b, c] = input.map(single);
                canonical(f(a, b, c))
            });
        };
        run("add.rn.f32 %r0, %r1, %r2;", &|a, b, _| a + b);
        run("sub.f32 %r0, %r1, %r2;", &|a, b, _| a - b);
        run("mul.rn.f32 %r0, %r1, %r2;", &|a, b, _| a * b);
        run("div.rn.f32 %r0, %r1, %r2;", &|a, b, _| a / b);
        run("fma.rn.f32 %r0, %r1, %r2, %r3;", &f32::mul_add);
        run("sqrt.rn.f32 %r0, %r1;", &|a, _, _| a.sqrt());
        run("rcp.rn.f32 %r0, %r1;", &|a, _, _| 1.0 / a);
        run("ex2.approx.f32 %r0, %r1;", &|a, _, _| {
            f64::from(a).exp2() as f32
        });
        run("max.NaN.f32 %r0, %r1, %r2;", &|a, b, _| {
            if a == b {
                f32::from_bits(a.to_bits() & b.to_bits())
            } else if a.is_nan() || b.is_nan() {
                f32::NAN
            } else {
                a.max(b)
            }
        });
        run("add.sat.f32 %r0, %r1, %r2;", &|a, b, _| {
            let sum = a + b;
            if sum > 0.0 { sum.min(1.0) } else { 0.0 }
        });
        let flushed = |a: f32| if a.is_subnormal() { a * 0.0 } else { a };
        run("mul.ftz.f32 %r0, %r1, %r2;", &|a, b, _| {
            flushed(flushed(a) * flushed(b))
        });
        check(&gpu, 'r', "neg.f32 %r0, %r1;", &inputs, |[a, ..]| {
            a ^ 0x8000_0000
        });
        check(
            &gpu,
            'r',
            "copysign.f32 %r0, %r1, %r2;",
            &inputs,
            |[a, b, _]| a & 0x8000_0000 | b & 0x7fff_ffff,
        );
    });
}

#[test]
fn least_and_greatest() {
    isolated("least_and_greatest", &[], || {
        let gpu = Gpu::new();
        let (zero, minus_zero) = (u64::from(0f32.to_bits()), u64::from((-0f32).to_bits()));
        let nan = u64::from(f32::NAN.to_bits());
        let one = u64::from(1f32.to_bits());
        let inputs = [
            [zero, minus_zero, 0],
            [minus_zero, zero, 0],
            [nan, one, 0],
            [one, nan, 0],
            [nan, nan, 0],
        ];
        let least = gpu.evaluate('r', "min.f32 %r0, %r1, %r2;", &inputs);
        assert_eq!(least, [minus_zero, minus_zero, one, one, u64::from(NAN)]);
        let greatest = gpu.evaluate('r', "max.f32 %r0, %r1, %r2;", &inputs);
        assert_eq!(greatest, [zero, zero, one, one, u64::from(NAN)]);
    });
}

#[test]
fn comparisons() {
    isolated("comparisons", &[], || {
        let gpu = Gpu::new();
        let inputs = pairs(&singles());
        let run = |name: &str, f: &dyn Fn(f32, f32) -> bool| {
            let body = format!("setp.{name}.f32 %p0, %r1, %r2;");
            check(&gpu, 'p', &body, &inputs, |[a, b, _]| {
                u64::from(f(single(a), single(b)))
            });
        };
        let unordered = |a: f32, b: f32| a.is_nan() || b.is_nan();
        run("eq", &|a, b| a == b);
        run("ne", &|a, b| a != b && !unordered(a, b));
        run("lt", &|a, b| a < b);
        run("ge", &|a, b| a >= b);
        run("equ", &|a, b| a == b || unordered(a, b));
        run("neu", &|a, b| a != b);
        run("ltu", &|a, b| a < b || unordered(a, b));
        run("leu", &|a, b| a <= b || unordered(a, b));
        run("gtu", &|a, b| a > b || unordered(a, b));
        run("geu", &|a, b| a >= b || unordered(a, b));
        run("num", &|a, b| !unordered(a, b));
        run("nan", &unordered);
        let edges = pairs(&EDGES);
        check(
            &gpu,
            'p',
            "setp.lt.and.s32 %p0|%p4, %r1, %r2, %p3;",
            &edges,
            |[a, b, c]| u64::from((a as i32) < b as i32 && c != 0),
        );
        check(
            &gpu,
            'p',
            "setp.lt.and.s32 %p4|%p0, %r1, %r2, %p3;",
            &edges,
            |[a, b, c]| u64::from((a as i32) >= b as i32 && c != 0),
        );
        check(
            &gpu,
            'p',
            "setp.hi.xor.u64 %p0, %d1, %d2, !%p3;",
            &edges,
            |[a, b, c]| u64::from((a > b) ^ (c == 0)),
        );
    });
}

#[test]
fn double_and_half_precision() {
    isolated("double_and_half_precision", &[], || {
        let gpu = Gpu::new();
        let doubles = [
            0.0,
            -0.0,
            0.1,
            -3.5,
            1e308,
            f64::MIN_POSITIVE,
            f64::INFINITY,
        ];
        let inputs = pairs(&doubles.map(f64::to_bits));
        let run = |body: &str, f: &dyn Fn(f64, f64) -> f64| {
            let found = gpu.evaluate('d', body, &inputs);
            for (input, found) in inputs.iter().zip(found) {
                let [a, b, _] = input.map(f64::from_bits);
                let (found, expected) = (f64::from_bits(found), f(a, b));
                let same = found.to_bits() == expected.to_bits();
                assert!(
                    same || found.is_nan() && expected.is_nan(),
                    "{body} of {a} and {b}"
                );
            }
        };
        run("add.f64 %d0, %d1, %d2;", &|a, b| a + b);
        run("div.rn.f64 %d0, %d1, %d2;", &|a, b| a / b);
        run("fma.rn.f64 %d0, %d1, %d2, %d1;", &|a, b| a.mul_add(b, a));
        run("sqrt.rn.f64 %d0, %d1;", &|a, _| a.sqrt());
        let halves: Vec<[u64; 3]> = [1.0, 0.1, -2.5, 65504.0, 6e-8]
            .iter()
            .map(|&a| half::f16::from_f32(a).to_bits().into())
            .flat_map(|a: u64| [[a, 0x3c00, 0x0001], [a, 0x4248, 0x8400]])
            .collect();
        let half = |bits: u64| half::f16::from_bits(bits as u16).to_f64();
        let bits = |value: f64| u64::from(half::f16::from_f64(value).to_bits());
        check(
            &gpu,
            'h',
            "add.rn.f16 %h0, %h1, %h2;",
            &halves,
            |[a, b, _]| bits(half(a) + half(b)),
        );
        check(
            &gpu,
            'h',
            "fma.rn.f16 %h0, %h1, %h2, %h3;",
            &halves,
            |[a, b, c]| bits(half(a) * half(b) + half(c)),
        );
        let packed = "mov.b32 %r4, {%h1, %h2}; mov.b32 %r5, {%h2, %h1}; add.f16x2 %r0, %r4, %r5;";
        check(&gpu, 'r', packed, &halves, |[a, b, _]| {
            let sum = bits(half(a) + half(b));
            sum | sum << 16
        });
    });
}

#[test]
fn conversions() {
    isolated("conversions", &[], || {
        let gpu = Gpu::new();
        let singles: Vec<[u64; 3]> = singles()
            .into_iter()
            .chain([2.5f32, 3.5, -2.5, 3e9, -3e9, 1e20, 300.0].map(|a| u64::from(a.to_bits())))
            .map(|a| [a, 0, 0])
            .collect();
        let run = |body: &str, f: &dyn Fn(f32) -> u64| {
            check(&gpu, 'd', body, &singles, |[a, ..]| f(single(a)));
        };
        run("cvt.rzi.s32.f32 %r4, %r1; cvt.u64.u32 %d0, %r4;", &|a| {
            u64::from(a as i32 as u32)
        });
        run("cvt.rni.s32.f32 %r4, %r1; cvt.u64.u32 %d0, %r4;", &|a| {
            u64::from(a.round_ties_even() as i32 as u32)
        });
        run("cvt.rmi.u32.f32 %r4, %r1; cvt.u64.u32 %d0, %r4;", &|a| {
            u64::from(a.floor() as u32)
        });
        run("cvt.rpi.s64.f32 %d0, %r1;", &|a| {
            if a.is_nan() {
                1 << 63
            } else {
                a.ceil() as i64 as u64
            }
        });
        run("cvt.rzi.u8.f32 %r4, %r1; cvt.u64.u32 %d0, %r4;", &|a| {
            u64::from(a as u8)
        });
        run("cvt.f64.f32 %d0, %r1;", &|a| {
            if a.is_nan() {
                f64::from(single(0x7fc0_0000)).to_bits()
            } else {
                f64::from(a).to_bits()
            }
        });
        run("cvt.rni.f32.f32 %r4, %r1; cvt.u64.u32 %d0, %r4;", &|a| {
            canonical(a.round_ties_even())
        });
        run("cvt.sat.f32.f32 %r4, %r1; cvt.u64.u32 %d0, %r4;", &|a| {
            canonical(if a > 0.0 { a.min(1.0) } else { 0.0 })
        });
        let edges = pairs(&EDGES);
        check(&gpu, 'r', "cvt.rn.f32.s64 %r0, %d1;", &edges, |[a, ..]| {
            canonical(a as i64 as f32)
        });
        check(&gpu, 'r', "cvt.rn.f32.u64 %r0, %d1;", &edges, |[a, ..]| {
            canonical(a as f32)
        });
        check(&gpu, 'd', "cvt.s64.s32 %d0, %r1;", &edges, |[a, ..]| {
            a as i32 as u64
        });
        check(&gpu, 'r', "cvt.s32.s8 %r0, %r1;", &edges, |[a, ..]| {
            u64::from(a as i8 as u32)
        });
        check(&gpu, 'r', "cvt.sat.u8.s32 %r0, %r1;", &edges, |[a, ..]| {
            (a as i32).clamp(0, 255) as u64
        });
        check(
            &gpu,
            'd',
            "cvt.rz.f32.u64 %r4, %d1; cvt.rp.f32.u64 %r5, %d1; mov.b64 %d0, {%r4, %r5};",
            &edges,
            |[a, ..]| {
                let near = a as f32;
                let down = if near as u128 > u128::from(a) {
                    near.next_down()
                } else {
                    near
                };
                let up = if (near as u128) < u128::from(a) {
                    near.next_up()
                } else {
                    near
                };
                u64::from(down.to_bits()) | u64::from(up.to_bits()) << 32
            },
        );
        let tenth = [
            [0.1f64.to_bits(), 0, 0],
            [(-0.1f64).to_bits(), 0, 0],
            [1e300f64.to_bits(), 0, 0],
        ];
        let rounded = |body: &str| -> Vec<f32> {
            gpu.evaluate('r', body, &tenth)
                .into_iter()
                .map(single)
                .collect()
        };
        let (near, below) = (0.1f32, 0.1f32.next_down());
        assert_eq!(
            rounded("cvt.rm.f32.f64 %r0, %d1;"),
            [below, -near, f32::MAX]
        );
        assert_eq!(
            rounded("cvt.rp.f32.f64 %r0, %d1;"),
            [near, -below, f32::INFINITY]
        );
        assert_eq!(
            rounded("cvt.rz.f32.f64 %r0, %d1;"),
            [below, -below, f32::MAX]
        );
        assert_eq!(
            rounded("cvt.rn.f32.f64 %r0, %d1;"),
            [near, -near, f32::INFINITY]
        );
    });
}

#[test]
fn packed_and_mixed_types() {
    isolated("packed_and_mixed_types", &[], || {
        let gpu = Gpu::new();
        let halves = |a: u64| [a as i16, (a >> 16) as i16];
        let packed = |[low, high]: [i16; 2]| u64::from(low as u16) | u64::from(high as u16) << 16;
        let edges = pairs(&EDGES);
        let body = "max.s16x2 %r0, %r1, %r2;";
        check(&gpu, 'r', body, &edges, |[a, b, _]| {
            let ([a, b], [c, d]) = (halves(a), halves(b));
            packed([a.max(c), b.max(d)])
        });
        let singles = pairs(&singles());
        let body = "mov.b32 {%h4, %h5}, %r1; add.rn.f32.bf16 %r0, %h5, %r2;";
        check(&gpu, 'r', body, &singles, |[a, b, _]| {
            canonical(single(a & 0xffff_0000) + single(b))
        });
        let body = "mov.b64 %d4, {%r1, %r2}; mov.b64 %d5, {%r2, %r3}; add.rn.f32x2 %d0, %d4, %d5;";
        check(&gpu, 'd', body, &singles, |input| {
            let [a, b, c] = input.map(single);
            canonical(a + b) | canonical(b + c) << 32
        });
    });
}

#[test]
fn instructions_that_are_not_known_are_named() {
    isolated("instructions_that_are_not_known_are_named", &[], || {
        let gpu = Gpu::new();
        let text = format!(
            "{}.entry f() {{\n.reg .b32 %r<3>;\nwmma.load.a %r1, %r2;\nret; }}",
            common::HEADER
        );
        let (status, log) = gpu.try_load(&text).unwrap_err();
        assert_eq!(status, comb_ptx::Status::INVALID_PTX);
        assert_eq!(
            log,
            "line 6: the instruction 'wmma.load.a' is not supported"
        );
        let rounded = text.replace("wmma.load.a %r1, %r2;", "add.rz.f32 %r1, %r2, %r2;");
        assert!(gpu.try_load(&rounded).unwrap_err().1.contains("add.rz.f32"));
    });
}
