//! Conversions between types of numbers: `cvt`.

use half::{bf16, f16};

use crate::float::{self, Float, to_odd};
use crate::integer::{self, Integer};
use crate::types::Type;

/// How a result is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    Nearest,
    /// To the nearest one, away from zero on a tie.
    NearestAway,
    Zero,
    Down,
    Up,
}

/// A conversion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    pub(crate) from: Type,
    pub(crate) to: Type,
    pub(crate) rounding: Rounding,
    /// Whether the result is a whole number, also of a type of floating-point numbers.
    pub(crate) to_whole: bool,
    /// Whether subnormal numbers of type `f32` become zeros.
    pub(crate) flush: bool,
    /// Whether the result is the nearest one in range: of 0 to 1 for floating-point numbers.
    pub(crate) saturate: bool,
    /// Whether negative results become 0.
    pub(crate) relu: bool,
}

impl Conversion {
    /// A conversion to a wider type.
    pub(crate) fn exact(from: Type, to: Type) -> Conversion {
        Conversion {
            from,
            to,
            rounding: Rounding::Nearest,
            to_whole: false,
            flush: false,
            saturate: false,
            relu: false,
        }
    }

    /// Converts the bits of a register.
    pub(crate) fn apply(&self, bits: u64) -> u64 {
        if self.from.is_float() {
            self.of_float(bits)
        } else {
            self.of_whole(whole(bits, self.from))
        }
    }

    fn of_whole(&self, value: i128) -> u64 {
        if !self.to.is_float() {
            return self.clamped(value, self.saturate);
        }
        let near = value as f64;
        let rest = (value - near as i128) as f64;
        let bits = self.rounded(near, rest);
        self.finished(bits)
    }

    fn of_float(&self, bits: u64) -> u64 {
        let bits = if self.flush && self.from == Type::F32 {
            float::flush::<f32>(bits)
        } else {
            bits
        };
        let mut value = wide(bits, self.from);
        if self.to.is_float() {
            if self.to_whole {
                value = to_whole(value, self.rounding);
            }
            let bits = self.rounded(value, 0.0);
            return self.finished(bits);
        }
        if value.is_nan() {
            return self.not_a_number();
        }
        let whole = to_whole(value, self.rounding) as i128;
        self.clamped(whole, true)
    }

    /// A NaN is 0, or for conversions of 64 bits the highest bit.
    fn not_a_number(&self) -> u64 {
        if self.from == Type::F64 || self.to.bytes() == 8 {
            1 << (self.to.bytes() * 8 - 1)
        } else {
            0
        }
    }

    fn clamped(&self, value: i128, saturate: bool) -> u64 {
        fn fit<T: Integer>(value: i128, saturate: bool) -> u64 {
            let (least, most) = integer::range::<T>();
            let value = if saturate {
                value.clamp(least, most)
            } else {
                value
            };
            T::low(value).bits()
        }
        match self.to {
            Type::S8 => fit::<i8>(value, saturate),
            Type::S16 => fit::<i16>(value, saturate),
            Type::S32 => fit::<i32>(value, saturate),
            Type::S64 => fit::<i64>(value, saturate),
            Type::U8 | Type::B8 => fit::<u8>(value, saturate),
            Type::U16 | Type::B16 => fit::<u16>(value, saturate),
            Type::U32 | Type::B32 => fit::<u32>(value, saturate),
            _ => fit::<u64>(value, saturate),
        }
    }

    /// The number `value + rest` in the format of the result.
    fn rounded(&self, value: f64, rest: f64) -> u64 {
        match self.to {
            Type::F16 => round_to::<f16>(value, rest, self.rounding),
            Type::Bf16 => round_to::<bf16>(value, rest, self.rounding),
            Type::F32 => round_to::<f32>(value, rest, self.rounding),
            _ => round_to::<f64>(value, rest, self.rounding),
        }
    }

    fn finished(&self, bits: u64) -> u64 {
        let mut bits = bits;
        if self.flush && self.to == Type::F32 {
            bits = float::flush::<f32>(bits);
        }
        if self.saturate {
            bits = match self.to {
                Type::F16 => float::saturate::<f16>(bits),
                Type::Bf16 => float::saturate::<bf16>(bits),
                Type::F32 => float::saturate::<f32>(bits),
                _ => float::saturate::<f64>(bits),
            };
        }
        if self.relu && wide(bits, self.to) < 0.0 {
            bits = 0;
        }
        bits
    }
}

/// The whole number in a register.
fn whole(bits: u64, ty: Type) -> i128 {
    match ty {
        Type::S8 => i8::of(bits).wide(),
        Type::S16 => i16::of(bits).wide(),
        Type::S32 => i32::of(bits).wide(),
        Type::S64 => i64::of(bits).wide(),
        Type::U8 | Type::B8 => u8::of(bits).wide(),
        Type::U16 | Type::B16 => u16::of(bits).wide(),
        Type::U32 | Type::B32 => u32::of(bits).wide(),
        _ => bits.wide(),
    }
}

/// The floating-point number in a register.
fn wide(bits: u64, ty: Type) -> f64 {
    match ty {
        Type::F16 => <f16 as Float>::of(bits).wide(),
        Type::Bf16 => <bf16 as Float>::of(bits).wide(),
        Type::F32 => <f32 as Float>::of(bits).wide(),
        _ => f64::of(bits),
    }
}

fn to_whole(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => value.round_ties_even(),
        Rounding::NearestAway => value.round(),
        Rounding::Zero => value.trunc(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
    }
}

/// The number `value + rest` in the format `T`, where `rest` is less than half a digit of `value`.
fn round_to<T: Float>(value: f64, rest: f64, rounding: Rounding) -> u64 {
    if value.is_nan() {
        return T::NAN.unwrap_or_else(|| value.to_bits());
    }
    let exact = to_odd(value, rest);
    if T::SIGN == 1 << 63 {
        return directed(value.to_bits(), value, rest, T::SIGN, rounding);
    }
    let near = T::nearest(exact);
    let difference = exact - near.wide();
    directed(near.bits(), near.wide(), difference, T::SIGN, rounding)
}

/// The neighbour of the nearest number on the side that is asked for; `difference` is from it to
/// the exact number.
fn directed(bits: u64, near: f64, difference: f64, sign: u64, rounding: Rounding) -> u64 {
    let (up, down) = (difference > 0.0, difference < 0.0);
    let toward_zero = if near > 0.0 || near == 0.0 && difference > 0.0 {
        down
    } else {
        up
    };
    match rounding {
        Rounding::Up if up => above(bits, sign),
        Rounding::Down if down => below(bits, sign),
        Rounding::Zero if toward_zero => nearer_zero(bits),
        _ => bits,
    }
}

fn nearer_zero(bits: u64) -> u64 {
    bits - 1
}

/// The next greater number.
fn above(bits: u64, sign: u64) -> u64 {
    match bits {
        bits if bits == sign => 1,
        bits if bits & sign != 0 => bits - 1,
        bits => bits + 1,
    }
}

/// The next lesser number.
fn below(bits: u64, sign: u64) -> u64 {
    match bits {
        0 => sign | 1,
        bits if bits & sign != 0 => bits + 1,
        bits => bits - 1,
    }
}
