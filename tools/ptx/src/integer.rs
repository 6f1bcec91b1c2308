//! Arithmetic of whole numbers, as functions of the bits of registers.

use crate::types::Type;

/// An operation of one operand.
pub(crate) type Unary = fn(u64) -> u64;
/// An operation of two operands.
pub(crate) type Binary = fn(u64, u64) -> u64;
/// An operation of three operands.
pub(crate) type Ternary = fn(u64, u64, u64) -> u64;
/// An operation of four operands.
pub(crate) type Quaternary = fn(u64, u64, u64, u64) -> u64;

/// Whole numbers of a width and signedness.
pub(crate) trait Integer: Copy + Ord {
    /// The number of bits.
    const BITS: u32;
    /// Whether there are negative numbers.
    const SIGNED: bool;
    /// The number in the low bits of a register.
    fn of(bits: u64) -> Self;
    /// As a register holds it: extended to 64 bits.
    fn bits(self) -> u64;
    /// The exact number.
    fn wide(self) -> i128;
    /// The low bits of an exact number.
    fn low(wide: i128) -> Self;
}

macro_rules! integers {
    ($($ty:ty, $signed:literal;)*) => {$(
        impl Integer for $ty {
            const BITS: u32 = <$ty>::BITS;
            const SIGNED: bool = $signed;
            #[inline(always)]
            fn of(bits: u64) -> Self {
                bits as $ty
            }
            #[inline(always)]
            fn bits(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn wide(self) -> i128 {
                self as i128
            }
            #[inline(always)]
            fn low(wide: i128) -> Self {
                wide as $ty
            }
        }
    )*};
}

integers! {
    u8, false; u16, false; u32, false; u64, false;
    i8, true; i16, true; i32, true; i64, true;
}

/// The function `$f` for the type `$ty`.
macro_rules! by_type {
    ($ty:expr, $f:ident) => {
        match $ty {
            Type::U8 | Type::B8 => Some($f::<u8> as _),
            Type::U16 | Type::B16 => Some($f::<u16> as _),
            Type::U32 | Type::B32 => Some($f::<u32> as _),
            Type::U64 | Type::B64 => Some($f::<u64> as _),
            Type::S8 => Some($f::<i8> as _),
            Type::S16 => Some($f::<i16> as _),
            Type::S32 => Some($f::<i32> as _),
            Type::S64 => Some($f::<i64> as _),
            _ => None,
        }
    };
}

/// The operation of one operand that has this name.
pub(crate) fn unary(name: &str, ty: Type) -> Option<Unary> {
    if ty == Type::Pred {
        return (name == "not").then_some(not_predicate as Unary);
    }
    match name {
        "neg" => by_type!(ty, neg),
        "abs" => by_type!(ty, abs),
        "not" => by_type!(ty, not),
        "cnot" => by_type!(ty, cnot),
        "popc" => by_type!(ty, popc),
        "clz" => by_type!(ty, clz),
        "brev" => by_type!(ty, brev),
        "bfind" => by_type!(ty, bfind),
        "bfind.shiftamt" => by_type!(ty, bfind_shift),
        "mov" => by_type!(ty, copy),
        _ => None,
    }
}

/// The operation of two operands that has this name.
pub(crate) fn binary(name: &str, ty: Type) -> Option<Binary> {
    if ty == Type::Pred {
        return match name {
            "and" => Some(and::<u8>),
            "or" => Some(or::<u8>),
            "xor" => Some(xor::<u8>),
            _ => None,
        };
    }
    match name {
        "add" => by_type!(ty, add),
        "add.sat" => by_type!(ty, add_saturating),
        "sub" => by_type!(ty, sub),
        "sub.sat" => by_type!(ty, sub_saturating),
        "mul.lo" => by_type!(ty, mul_low),
        "mul.hi" => by_type!(ty, mul_high),
        "mul.wide" => by_type!(ty, mul_wide),
        "mul24.lo" => by_type!(ty, mul24_low),
        "div" => by_type!(ty, div),
        "rem" => by_type!(ty, rem),
        "min" => by_type!(ty, min),
        "max" => by_type!(ty, max),
        "and" => by_type!(ty, and),
        "or" => by_type!(ty, or),
        "xor" => by_type!(ty, xor),
        "shl" => by_type!(ty, shl),
        "shr" => by_type!(ty, shr),
        "carry" => by_type!(ty, carry),
        "borrow" => by_type!(ty, borrow),
        _ => None,
    }
}

/// The operation of three operands that has this name.
pub(crate) fn ternary(name: &str, ty: Type) -> Option<Ternary> {
    match name {
        "mad.lo" => by_type!(ty, mad_low),
        "mad.hi" => by_type!(ty, mad_high),
        "mad.wide" => by_type!(ty, mad_wide),
        "mad24.lo" => by_type!(ty, mad24_low),
        "sad" => by_type!(ty, sad),
        "bfe" => by_type!(ty, bfe),
        "shf.l.clamp" => Some(funnel_left_clamp),
        "shf.l.wrap" => Some(funnel_left_wrap),
        "shf.r.clamp" => Some(funnel_right_clamp),
        "shf.r.wrap" => Some(funnel_right_wrap),
        "addc" => by_type!(ty, add_carry),
        "addc.carry" => by_type!(ty, carry_with_carry),
        "subc" => by_type!(ty, sub_borrow),
        "subc.borrow" => by_type!(ty, borrow_with_borrow),
        "slct" => Some(select_by_sign),
        "slct.f32" => Some(select_by_sign_f32),
        _ => None,
    }
}

/// The operation of four operands that has this name.
pub(crate) fn quaternary(name: &str, ty: Type) -> Option<Quaternary> {
    match name {
        "bfi" => by_type!(ty, bfi),
        "lop3" => Some(lop3),
        "dp4a" => match ty {
            Type::U32 => Some(dot_bytes::<u8>),
            Type::S32 => Some(dot_bytes::<i8>),
            _ => None,
        },
        _ => None,
    }
}

/// The comparison that has this name.
pub(crate) fn comparison(name: &str, ty: Type) -> Option<Binary> {
    match name {
        "eq" => by_type!(ty, eq),
        "ne" => by_type!(ty, ne),
        "lt" | "lo" => by_type!(ty, lt),
        "le" | "ls" => by_type!(ty, le),
        "gt" | "hi" => by_type!(ty, gt),
        "ge" | "hs" => by_type!(ty, ge),
        _ => None,
    }
}

/// The conversion from one type of whole numbers to another that keeps the low bits.
pub(crate) fn truncation(from: Type, to: Type) -> Option<Unary> {
    fn convert<S: Integer, D: Integer>(a: u64) -> u64 {
        D::of(S::of(a).bits()).bits()
    }
    macro_rules! to {
        ($from:ty) => {
            match to {
                Type::U8 | Type::B8 => Some(convert::<$from, u8> as Unary),
                Type::U16 | Type::B16 => Some(convert::<$from, u16> as Unary),
                Type::U32 | Type::B32 => Some(convert::<$from, u32> as Unary),
                Type::U64 | Type::B64 => Some(convert::<$from, u64> as Unary),
                Type::S8 => Some(convert::<$from, i8> as Unary),
                Type::S16 => Some(convert::<$from, i16> as Unary),
                Type::S32 => Some(convert::<$from, i32> as Unary),
                Type::S64 => Some(convert::<$from, i64> as Unary),
                _ => None,
            }
        };
    }
    match from {
        Type::U8 | Type::B8 => to!(u8),
        Type::U16 | Type::B16 => to!(u16),
        Type::U32 | Type::B32 => to!(u32),
        Type::U64 | Type::B64 => to!(u64),
        Type::S8 => to!(i8),
        Type::S16 => to!(i16),
        Type::S32 => to!(i32),
        Type::S64 => to!(i64),
        _ => None,
    }
}

/// The functions of `prmt` for its mode.
pub(crate) fn permute(mode: &str) -> Option<Ternary> {
    Some(match mode {
        "" => permute_default,
        "f4e" => |a, b, c| permute_by(a, b, [0, 1, 2, 3].map(|i| (c & 3) + i)),
        "b4e" => |a, b, c| permute_by(a, b, [0, 1, 2, 3].map(|i| (8 + (c & 3) - i) % 8)),
        "rc8" => |a, b, c| permute_by(a, b, [c & 3; 4]),
        "ecl" => |a, b, c| permute_by(a, b, [0, 1, 2, 3].map(|i: u64| i.max(c & 3))),
        "ecr" => |a, b, c| permute_by(a, b, [0, 1, 2, 3].map(|i: u64| i.min(c & 3))),
        "rc16" => |a, b, c| permute_by(a, b, [0, 1, 0, 1].map(|i| i + 2 * (c & 1))),
        _ => return None,
    })
}

/// 1 for a true condition, 0 for a false one.
fn truth(condition: bool) -> u64 {
    u64::from(condition)
}

fn not_predicate(a: u64) -> u64 {
    a ^ 1
}

fn copy<T: Integer>(a: u64) -> u64 {
    T::of(a).bits()
}

fn neg<T: Integer>(a: u64) -> u64 {
    T::of(a.wrapping_neg()).bits()
}

fn abs<T: Integer>(a: u64) -> u64 {
    let a = T::of(a);
    if a < T::of(0) {
        neg::<T>(a.bits())
    } else {
        a.bits()
    }
}

fn not<T: Integer>(a: u64) -> u64 {
    T::of(!a).bits()
}

fn cnot<T: Integer>(a: u64) -> u64 {
    truth(T::of(a) == T::of(0))
}

/// The bits of a number, and zeros above them.
fn unsigned<T: Integer>(a: u64) -> u64 {
    a << (64 - T::BITS) >> (64 - T::BITS)
}

fn popc<T: Integer>(a: u64) -> u64 {
    u64::from(unsigned::<T>(a).count_ones())
}

fn clz<T: Integer>(a: u64) -> u64 {
    u64::from(unsigned::<T>(a).leading_zeros() - (64 - T::BITS))
}

fn brev<T: Integer>(a: u64) -> u64 {
    a.reverse_bits() >> (64 - T::BITS)
}

/// The position of the highest bit that differs from the sign.
fn bfind<T: Integer>(a: u64) -> u64 {
    let a = T::of(a);
    let digits = if a < T::of(0) { !a.bits() } else { a.bits() };
    match unsigned::<T>(digits) {
        0 => 0xffff_ffff,
        digits => u64::from(63 - digits.leading_zeros()),
    }
}

fn bfind_shift<T: Integer>(a: u64) -> u64 {
    match bfind::<T>(a) {
        0xffff_ffff => 0xffff_ffff,
        position => u64::from(T::BITS - 1) - position,
    }
}

fn add<T: Integer>(a: u64, b: u64) -> u64 {
    T::of(a.wrapping_add(b)).bits()
}

fn sub<T: Integer>(a: u64, b: u64) -> u64 {
    T::of(a.wrapping_sub(b)).bits()
}

/// The nearest number of the type.
fn clamp<T: Integer>(wide: i128) -> u64 {
    let (least, most) = range::<T>();
    T::low(wide.clamp(least, most)).bits()
}

/// The least and the greatest number of the type.
pub(crate) fn range<T: Integer>() -> (i128, i128) {
    if T::SIGNED {
        (-(1 << (T::BITS - 1)), (1 << (T::BITS - 1)) - 1)
    } else {
        (0, (1 << T::BITS) - 1)
    }
}

fn add_saturating<T: Integer>(a: u64, b: u64) -> u64 {
    clamp::<T>(T::of(a).wide() + T::of(b).wide())
}

fn sub_saturating<T: Integer>(a: u64, b: u64) -> u64 {
    clamp::<T>(T::of(a).wide() - T::of(b).wide())
}

fn mul_low<T: Integer>(a: u64, b: u64) -> u64 {
    T::of(a.wrapping_mul(b)).bits()
}

/// The exact product; of unsigned numbers it may fill all 128 bits.
fn product<T: Integer>(a: u64, b: u64) -> i128 {
    T::of(a).wide().wrapping_mul(T::of(b).wide())
}

fn mul_high<T: Integer>(a: u64, b: u64) -> u64 {
    T::low(product::<T>(a, b) >> T::BITS).bits()
}

/// The product, of twice the width.
fn mul_wide<T: Integer>(a: u64, b: u64) -> u64 {
    let wide = product::<T>(a, b) as u64;
    if T::BITS < 32 {
        wide & 0xffff_ffff
    } else {
        wide
    }
}

fn mul24_low<T: Integer>(a: u64, b: u64) -> u64 {
    let shift = 40;
    let (a, b) = if T::SIGNED {
        (
            (((a << shift) as i64) >> shift) as u64,
            (((b << shift) as i64) >> shift) as u64,
        )
    } else {
        (a << shift >> shift, b << shift >> shift)
    };
    mul_low::<T>(a, b)
}

/// Division rounds to zero; by zero it has all bits set, as on the hardware.
fn div<T: Integer>(a: u64, b: u64) -> u64 {
    match T::of(b).wide() {
        0 => T::of(u64::MAX).bits(),
        b => T::low(T::of(a).wide() / b).bits(),
    }
}

/// The remainder has the sign of the dividend; by zero it is the dividend.
fn rem<T: Integer>(a: u64, b: u64) -> u64 {
    match T::of(b).wide() {
        0 => T::of(a).bits(),
        b => T::low(T::of(a).wide() % b).bits(),
    }
}

fn min<T: Integer>(a: u64, b: u64) -> u64 {
    T::of(a).min(T::of(b)).bits()
}

fn max<T: Integer>(a: u64, b: u64) -> u64 {
    T::of(a).max(T::of(b)).bits()
}

fn and<T: Integer>(a: u64, b: u64) -> u64 {
    T::of(a & b).bits()
}

fn or<T: Integer>(a: u64, b: u64) -> u64 {
    T::of(a | b).bits()
}

fn xor<T: Integer>(a: u64, b: u64) -> u64 {
    T::of(a ^ b).bits()
}

/// Amounts above the width count as the width.
fn shl<T: Integer>(a: u64, b: u64) -> u64 {
    let amount = (b as u32).min(T::BITS);
    T::of(a.checked_shl(amount).unwrap_or(0)).bits()
}

/// Amounts above the width count as the width; signed numbers are filled with their sign.
fn shr<T: Integer>(a: u64, b: u64) -> u64 {
    let amount = (b as u32).min(T::BITS);
    T::low(T::of(a).wide() >> amount).bits()
}

/// Whether a sum does not fit, of unsigned numbers.
fn carry<T: Integer>(a: u64, b: u64) -> u64 {
    carry_with_carry::<T>(a, b, 0)
}

fn borrow<T: Integer>(a: u64, b: u64) -> u64 {
    borrow_with_borrow::<T>(a, b, 0)
}

fn carry_with_carry<T: Integer>(a: u64, b: u64, carry: u64) -> u64 {
    let sum = u128::from(unsigned::<T>(a)) + u128::from(unsigned::<T>(b)) + u128::from(carry);
    truth(sum >> T::BITS != 0)
}

fn borrow_with_borrow<T: Integer>(a: u64, b: u64, borrow: u64) -> u64 {
    truth(u128::from(unsigned::<T>(a)) < u128::from(unsigned::<T>(b)) + u128::from(borrow))
}

fn add_carry<T: Integer>(a: u64, b: u64, carry: u64) -> u64 {
    T::of(a.wrapping_add(b).wrapping_add(carry)).bits()
}

fn sub_borrow<T: Integer>(a: u64, b: u64, borrow: u64) -> u64 {
    T::of(a.wrapping_sub(b).wrapping_sub(borrow)).bits()
}

fn mad_low<T: Integer>(a: u64, b: u64, c: u64) -> u64 {
    T::of(a.wrapping_mul(b).wrapping_add(c)).bits()
}

fn mad_high<T: Integer>(a: u64, b: u64, c: u64) -> u64 {
    T::of(mul_high::<T>(a, b).wrapping_add(c)).bits()
}

fn mad_wide<T: Integer>(a: u64, b: u64, c: u64) -> u64 {
    let sum = mul_wide::<T>(a, b).wrapping_add(c);
    if T::BITS < 32 { sum & 0xffff_ffff } else { sum }
}

fn mad24_low<T: Integer>(a: u64, b: u64, c: u64) -> u64 {
    T::of(mul24_low::<T>(a, b).wrapping_add(c)).bits()
}

/// The sum of `c` and the distance of `a` and `b`.
fn sad<T: Integer>(a: u64, b: u64, c: u64) -> u64 {
    let distance = (T::of(a).wide() - T::of(b).wide()).abs();
    T::low(distance + T::of(c).wide()).bits()
}

/// `c` bits of `a` from position `b`; signed fields are filled with their highest bit.
fn bfe<T: Integer>(a: u64, b: u64, c: u64) -> u64 {
    let (position, length) = ((b & 0xff) as u32, (c & 0xff) as u32);
    let top = T::BITS - 1;
    let fill = T::SIGNED && length > 0 && bit::<T>(a, (position + length - 1).min(top)) != 0;
    let mut field = if fill { u64::MAX } else { 0 };
    for i in 0..length.min(T::BITS) {
        if position + i <= top {
            let mask = 1 << i;
            field = field & !mask | bit::<T>(a, position + i) << i;
        }
    }
    T::of(field).bits()
}

fn bit<T: Integer>(a: u64, position: u32) -> u64 {
    unsigned::<T>(a) >> position & 1
}

/// The low `d` bits of `a` in the place of those of `b` from position `c`.
fn bfi<T: Integer>(a: u64, b: u64, c: u64, d: u64) -> u64 {
    let (position, length) = ((c & 0xff) as u32, (d & 0xff) as u32);
    let mut result = b;
    for i in 0..length {
        if position + i >= T::BITS {
            break;
        }
        let mask = 1 << (position + i);
        result = result & !mask | bit::<T>(a, i) << (position + i);
    }
    T::of(result).bits()
}

/// Both words as one number, the second one high.
fn funnel(a: u64, b: u64) -> u64 {
    a & 0xffff_ffff | b << 32
}

fn funnel_left_clamp(a: u64, b: u64, c: u64) -> u64 {
    let amount = (c as u32).min(32);
    funnel(a, b) << amount >> 32
}

fn funnel_left_wrap(a: u64, b: u64, c: u64) -> u64 {
    funnel_left_clamp(a, b, c & 31)
}

fn funnel_right_clamp(a: u64, b: u64, c: u64) -> u64 {
    let amount = (c as u32).min(32);
    funnel(a, b) >> amount & 0xffff_ffff
}

fn funnel_right_wrap(a: u64, b: u64, c: u64) -> u64 {
    funnel_right_clamp(a, b, c & 31)
}

fn select_by_sign(a: u64, b: u64, c: u64) -> u64 {
    if c as i32 >= 0 { a } else { b }
}

fn select_by_sign_f32(a: u64, b: u64, c: u64) -> u64 {
    if f32::from_bits(c as u32) >= 0.0 {
        a
    } else {
        b
    }
}

/// Any function of three bits, for each bit; `table` holds its values.
fn lop3(a: u64, b: u64, c: u64, table: u64) -> u64 {
    (0..8)
        .filter(|case| table >> case & 1 != 0)
        .map(|case| {
            let pick = |value: u64, one: bool| if one { value } else { !value };
            pick(a, case & 4 != 0) & pick(b, case & 2 != 0) & pick(c, case & 1 != 0)
        })
        .fold(0, |all, minterm| all | minterm)
        & 0xffff_ffff
}

/// Adds the products of the bytes of `a`, of the type `T`, and of `b`, unsigned where `d` is 0.
fn dot_bytes<T: Integer>(a: u64, b: u64, c: u64, d: u64) -> u64 {
    let mut sum = i128::from(c);
    for shift in [0, 8, 16, 24] {
        let right = if d == 0 {
            (b >> shift) as u8 as i128
        } else {
            (b >> shift) as i8 as i128
        };
        sum += T::of(a >> shift).wide() * right;
    }
    sum as u32 as u64
}

/// Each digit of the selector picks a byte, or repeats its sign.
fn permute_default(a: u64, b: u64, c: u64) -> u64 {
    let both = funnel(a, b);
    let mut result = 0;
    for i in 0..4 {
        let digit = c >> (4 * i) & 0xf;
        let byte = (both >> (8 * (digit & 7))) as u8;
        let byte = if digit & 8 != 0 {
            ((byte as i8) >> 7) as u8
        } else {
            byte
        };
        result |= u64::from(byte) << (8 * i);
    }
    result
}

fn permute_by(a: u64, b: u64, bytes: [u64; 4]) -> u64 {
    let both = funnel(a, b);
    (0..4)
        .map(|i| (both >> (8 * bytes[i]) & 0xff) << (8 * i))
        .sum()
}

fn eq<T: Integer>(a: u64, b: u64) -> u64 {
    truth(T::of(a) == T::of(b))
}

fn ne<T: Integer>(a: u64, b: u64) -> u64 {
    truth(T::of(a) != T::of(b))
}

fn lt<T: Integer>(a: u64, b: u64) -> u64 {
    truth(T::of(a) < T::of(b))
}

fn le<T: Integer>(a: u64, b: u64) -> u64 {
    truth(T::of(a) <= T::of(b))
}

fn gt<T: Integer>(a: u64, b: u64) -> u64 {
    truth(T::of(a) > T::of(b))
}

fn ge<T: Integer>(a: u64, b: u64) -> u64 {
    truth(T::of(a) >= T::of(b))
}

/// What `atom.inc` stores: counts up to `b`, then starts again.
pub(crate) fn increment(a: u64, b: u64) -> u64 {
    let (a, b) = (a as u32, b as u32);
    u64::from(if a >= b { 0 } else { a + 1 })
}

/// What `atom.dec` stores: counts down from `b`.
pub(crate) fn decrement(a: u64, b: u64) -> u64 {
    let (a, b) = (a as u32, b as u32);
    u64::from(if a == 0 || a > b { b } else { a - 1 })
}
