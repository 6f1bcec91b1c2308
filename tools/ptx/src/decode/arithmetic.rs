//! Decodes instructions that only compute: from registers to registers.

use super::Result;
use super::function::FunctionDecoder;
use super::modifiers::Modifiers;
use crate::convert::{Conversion, Rounding};
use crate::float;
use crate::integer::{self, Binary, Ternary, Unary};
use crate::program::{CARRY, Op, Reg};
use crate::syntax::Operand;
use crate::types::Type;

const COMPARISONS: [&str; 18] = [
    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu",
    "geu", "num", "nan",
];

/// A predicate that another one is combined with, and how.
type Combination = Option<(Binary, Reg)>;

/// What comes after the arithmetic of floating-point numbers.
#[derive(Clone, Copy, Default)]
struct Finish {
    flush: bool,
    saturate: bool,
    relu: bool,
}

impl FunctionDecoder<'_> {
    /// An instruction without its guard.
    pub(super) fn instruction(
        &mut self,
        name: &str,
        mut modifiers: Modifiers,
        operands: &[Operand],
    ) -> Result<()> {
        let m = &mut modifiers;
        let known = self.arithmetic(name, m, operands)?
            || self.memory(name, m, operands)?
            || self.control(name, m, operands)?
            || self.exchange(name, m, operands)?;
        if !known || !modifiers.is_done() {
            return self.unsupported();
        }
        Ok(())
    }

    fn arithmetic(&mut self, name: &str, m: &mut Modifiers, operands: &[Operand]) -> Result<bool> {
        let sets_carry = matches!(name, "add" | "sub" | "addc" | "subc") && m.take("cc");
        match name {
            "add" | "sub" if sets_carry => self.with_carry(name, true, m, operands)?,
            "addc" | "subc" => self.with_carry(name, sets_carry, m, operands)?,
            "add" | "sub" | "mul" | "div" | "min" | "max" | "neg" | "abs" | "sqrt" | "rcp"
            | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" | "fma" | "mad" | "rem"
            | "mul24" | "mad24" | "sad" | "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr"
            | "popc" | "clz" | "brev" | "bfind" | "bfe" | "bfi" | "copysign" | "testp" => {
                self.typed(name, m, operands)?;
            }
            "shf" => self.funnel_shift(m, operands)?,
            "prmt" => self.permute(m, operands)?,
            "lop3" => self.any_logic(m, operands)?,
            "dp4a" => self.dot_bytes(m, operands)?,
            "setp" => self.set_predicate(m, operands)?,
            "set" => self.set(m, operands)?,
            "selp" => self.select(m, operands)?,
            "slct" => self.select_by_sign(m, operands)?,
            "cvt" => self.convert(m, operands)?,
            "mov" => self.mov(m, operands)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn type_of(&self, m: &mut Modifiers) -> Result<Type> {
        match m.ty() {
            Some(ty) => Ok(ty),
            None => self.unsupported(),
        }
    }

    /// Exactly this many operands.
    pub(super) fn exactly<'o, const N: usize>(
        &self,
        operands: &'o [Operand],
    ) -> Result<&'o [Operand; N]> {
        match operands.try_into() {
            Ok(operands) => Ok(operands),
            Err(_) => self.error(format!(
                "{N} operands are expected, but there are {}",
                operands.len()
            )),
        }
    }

    fn values(&mut self, operands: &[Operand], ty: Type) -> Result<Vec<Reg>> {
        operands
            .iter()
            .map(|operand| self.value(operand, ty))
            .collect()
    }

    /// An instruction whose name and type tell what is computed.
    fn typed(&mut self, name: &str, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let ty = self.type_of(m)?;
        let Some((first, rest)) = operands.split_first() else {
            return self.unsupported();
        };
        let (d, of) = (self.destination(first)?, self.values(rest, ty)?);
        if let Some(lane) = ty.lane() {
            return self.packed(name, m, ty, lane, d, &of);
        }
        if ty.is_float() {
            let (full, finish) = self.float_name(name, m)?;
            let of = self.widened(m, ty, &of);
            return self.float_op(&full, ty, finish, d, &of);
        }
        let full = integer_name(name, m);
        self.integer_op(&full, ty, d, &of)
    }

    /// The operands of a sum or product whose factors have a narrower type, which is named second:
    /// all but the last one are converted.
    fn widened(&mut self, m: &mut Modifiers, to: Type, of: &[Reg]) -> Vec<Reg> {
        let mut of = of.to_vec();
        let Some(from) = m.ty() else {
            return of;
        };
        let narrow = of.len().saturating_sub(1);
        for a in &mut of[..narrow] {
            let d = self.temporary();
            let how = Box::new(Conversion::exact(from, to));
            self.emit(Op::Convert { d, a: *a, how });
            *a = d;
        }
        of
    }

    /// The name of an operation in [`float`], from its modifiers.
    fn float_name(&self, name: &str, m: &mut Modifiers) -> Result<(String, Finish)> {
        if name == "testp" {
            let kinds = [
                "finite",
                "infinite",
                "number",
                "notanumber",
                "normal",
                "subnormal",
            ];
            return Ok((format!("testp.{}", m.one_of(&kinds)), Finish::default()));
        }
        // Rounding in other directions than to the nearest is not supported.
        m.drop_all(&["rn", "approx", "full"]);
        let finish = Finish {
            flush: m.take("ftz"),
            saturate: m.take("sat"),
            relu: m.take("relu"),
        };
        let full = match name {
            "min" | "max" if m.take("NaN") => format!("{name}.NaN"),
            "mad" => "fma".to_owned(),
            _ => name.to_owned(),
        };
        Ok((full, finish))
    }

    fn float_op(&mut self, name: &str, ty: Type, finish: Finish, d: Reg, of: &[Reg]) -> Result<()> {
        let mut of = of.to_vec();
        if finish.flush {
            for operand in &mut of {
                *operand = self.finished("flush", ty, *operand)?;
            }
        }
        match of[..] {
            [a] => {
                let Some(f) = float::unary(name, ty) else {
                    return self.unsupported();
                };
                self.emit(Op::Unary { f, d, a });
            }
            [a, b] => {
                let Some(f) = float::binary(name, ty) else {
                    return self.unsupported();
                };
                self.emit(Op::Binary { f, d, a, b });
            }
            // The least or greatest of three.
            [a, b, c] if name.starts_with('m') => {
                let Some(f) = float::binary(name, ty) else {
                    return self.unsupported();
                };
                let t = self.temporary();
                self.emit(Op::Binary { f, d: t, a, b });
                self.emit(Op::Binary { f, d, a: t, b: c });
            }
            [a, b, c] => {
                let Some(f) = float::ternary(name, ty) else {
                    return self.unsupported();
                };
                self.emit(Op::Ternary { f, d, a, b, c });
            }
            _ => return self.unsupported(),
        }
        let steps = [
            ("relu", finish.relu),
            ("flush", finish.flush),
            ("saturate", finish.saturate),
        ];
        for (step, is_wanted) in steps {
            if is_wanted && let Some(f) = float::unary(step, ty) {
                self.emit(Op::Unary { f, d, a: d });
            }
        }
        Ok(())
    }

    fn finished(&mut self, step: &str, ty: Type, a: Reg) -> Result<Reg> {
        let Some(f) = float::unary(step, ty) else {
            return self.unsupported();
        };
        let d = self.temporary();
        self.emit(Op::Unary { f, d, a });
        Ok(d)
    }

    /// The same for both halves of packed numbers.
    fn packed(
        &mut self,
        name: &str,
        m: &mut Modifiers,
        ty: Type,
        lane: Type,
        d: Reg,
        of: &[Reg],
    ) -> Result<()> {
        let (full, finish) = if lane.is_float() {
            self.float_name(name, m)?
        } else {
            (integer_name(name, m), Finish::default())
        };
        let mut results = Vec::new();
        for half in [0, 1] {
            let halves: Vec<Reg> = of.iter().map(|&a| self.half(ty, half, a)).collect();
            let result = self.temporary();
            if lane.is_float() {
                self.float_op(&full, lane, finish, result, &halves)?;
            } else {
                self.integer_op(&full, lane, result, &halves)?;
            }
            results.push(result);
        }
        self.pack(lane.bytes(), d, &results);
        Ok(())
    }

    fn half(&mut self, ty: Type, half: usize, a: Reg) -> Reg {
        let d = self.temporary();
        let f: Unary = match (ty.bytes(), half) {
            (_, 0) => |a| a,
            (4, _) => |a| a >> 16 & 0xffff,
            (_, _) => |a| a >> 32,
        };
        self.emit(Op::Unary { f, d, a });
        d
    }

    fn integer_op(&mut self, name: &str, ty: Type, d: Reg, of: &[Reg]) -> Result<()> {
        match of[..] {
            [a] => {
                let Some(f) = integer::unary(name, ty) else {
                    return self.unsupported();
                };
                self.emit(Op::Unary { f, d, a });
            }
            [a, b] => {
                let Some(f) = integer::binary(name, ty) else {
                    return self.unsupported();
                };
                self.emit(Op::Binary { f, d, a, b });
            }
            [a, b, c] => {
                let Some(f) = integer::ternary(name, ty) else {
                    return self.unsupported();
                };
                self.emit(Op::Ternary { f, d, a, b, c });
            }
            [a, b, c, e] => {
                let Some(f) = integer::quaternary(name, ty) else {
                    return self.unsupported();
                };
                let of = Box::new([a, b, c, e]);
                self.emit(Op::Quaternary { f, d, of });
            }
            _ => return self.unsupported(),
        }
        Ok(())
    }

    /// Sums of many words: `add.cc`, `addc`, `addc.cc`, and the same of `sub`.
    fn with_carry(
        &mut self,
        name: &str,
        sets_carry: bool,
        m: &mut Modifiers,
        operands: &[Operand],
    ) -> Result<()> {
        let ty = self.type_of(m)?;
        let [d, a, b] = self.exactly(operands)?;
        let (d, a, b) = (self.destination(d)?, self.value(a, ty)?, self.value(b, ty)?);
        let carries = match name {
            "add" => "carry",
            "sub" => "borrow",
            "addc" => "addc.carry",
            _ => "subc.borrow",
        };
        let with: &[Reg] = if name.ends_with('c') {
            &[a, b, CARRY]
        } else {
            &[a, b]
        };
        let carry = self.temporary();
        self.integer_op(carries, ty, carry, with)?;
        self.integer_op(name, ty, d, with)?;
        if sets_carry {
            self.emit(Op::Copy { d: CARRY, a: carry });
        }
        Ok(())
    }

    fn funnel_shift(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let name = format!(
            "shf.{}.{}",
            m.one_of(&["l", "r"]),
            m.one_of(&["clamp", "wrap"])
        );
        let ty = self.type_of(m)?;
        let [d, rest @ ..] = operands else {
            return self.unsupported();
        };
        let (d, of) = (self.destination(d)?, self.values(rest, ty)?);
        self.integer_op(&name, ty, d, &of)
    }

    fn permute(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let ty = self.type_of(m)?;
        let mode = m.one_of(&["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]);
        let [d, a, b, c] = self.exactly(operands)?;
        let d = self.destination(d)?;
        let (a, b, c) = (self.value(a, ty)?, self.value(b, ty)?, self.value(c, ty)?);
        match integer::permute(mode) {
            Some(f) => self.emit(Op::Ternary { f, d, a, b, c }),
            None => return self.unsupported(),
        }
        Ok(())
    }

    fn any_logic(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let ty = self.type_of(m)?;
        let [d, rest @ ..] = operands else {
            return self.unsupported();
        };
        let (d, of) = (self.destination(d)?, self.values(rest, ty)?);
        self.integer_op("lop3", ty, d, &of)
    }

    fn dot_bytes(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let (left, right) = (self.type_of(m)?, self.type_of(m)?);
        let [d, rest @ ..] = operands else {
            return self.unsupported();
        };
        let (d, mut of) = (self.destination(d)?, self.values(rest, left)?);
        of.push(self.constant(u64::from(right.is_signed())));
        self.integer_op("dp4a", left, d, &of)
    }

    /// The comparison that the modifiers name, and the type compared.
    fn comparison(&mut self, m: &mut Modifiers) -> Result<(Binary, Type)> {
        let name = m.one_of(&COMPARISONS);
        let ty = self.type_of(m)?;
        let of = ty.lane().unwrap_or(ty);
        let found = if of.is_float() {
            float::comparison(name, of)
        } else {
            integer::comparison(name, of)
        };
        match found {
            Some(f) => Ok((f, ty)),
            None => self.unsupported(),
        }
    }

    /// The operands of a comparison.
    fn compared(
        &mut self,
        m: &mut Modifiers,
        operands: [&Operand; 2],
        ty: Type,
    ) -> Result<[Reg; 2]> {
        let mut of = [self.value(operands[0], ty)?, self.value(operands[1], ty)?];
        if m.take("ftz") {
            for operand in &mut of {
                *operand = self.finished("flush", ty, *operand)?;
            }
        }
        Ok(of)
    }

    /// Emits a comparison; returns what its predicate `d` is to be combined with.
    fn compare(&mut self, m: &mut Modifiers, of: &[Operand], d: Reg) -> Result<Combination> {
        let name = m.one_of(&["and", "or", "xor"]);
        let (f, ty) = self.comparison(m)?;
        let (left, right, other) = match of {
            [a, b] => (a, b, None),
            [a, b, c] => (a, b, Some(c)),
            _ => return self.unsupported(),
        };
        let [a, b] = self.compared(m, [left, right], ty)?;
        self.emit(Op::Binary { f, d, a, b });
        match (other, integer::binary(name, Type::Pred)) {
            (None, None) => Ok(None),
            (Some(c), Some(f)) => Ok(Some((f, self.value(c, Type::Pred)?))),
            _ => self.unsupported(),
        }
    }

    fn combine(&mut self, d: Reg, a: Reg, with: Combination) {
        match with {
            Some((f, b)) => self.emit(Op::Binary { f, d, a, b }),
            None if d == a => {}
            None => self.emit(Op::Copy { d, a }),
        }
    }

    fn set_predicate(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let Some((first, of)) = operands.split_first() else {
            return self.unsupported();
        };
        let (p, q) = self.destinations(first)?;
        if m.has_any(&["f16x2", "bf16x2"]) {
            return self.set_predicates(m, of, [p, q.unwrap_or(p)]);
        }
        if q.is_none() && of.len() == 2 {
            self.compare(m, of, p)?;
            return Ok(());
        }
        // The results may be operands too, so they are written last.
        let (yes, no) = (self.temporary(), self.temporary());
        let with = self.compare(m, of, yes)?;
        self.integer_op("not", Type::Pred, no, &[yes])?;
        self.combine(yes, yes, with);
        self.combine(no, no, with);
        self.emit(Op::Copy { d: p, a: yes });
        if let Some(q) = q {
            self.emit(Op::Copy { d: q, a: no });
        }
        Ok(())
    }

    /// A comparison of packed numbers: a predicate of each half.
    fn set_predicates(&mut self, m: &mut Modifiers, of: &[Operand], to: [Reg; 2]) -> Result<()> {
        let (f, ty) = self.comparison(m)?;
        let (Some(lane), [left, right]) = (ty.lane(), of) else {
            return self.unsupported();
        };
        let packed = [self.value(left, ty)?, self.value(right, ty)?];
        let is_flushed = m.take("ftz");
        for (half, d) in to.into_iter().enumerate() {
            let mut numbers = packed.map(|a| self.half(ty, half, a));
            for number in numbers.iter_mut().filter(|_| is_flushed) {
                *number = self.finished("flush", lane, *number)?;
            }
            let [a, b] = numbers;
            self.emit(Op::Binary { f, d, a, b });
        }
        Ok(())
    }

    /// A comparison whose result is a number: all bits set, or 1.0.
    fn set(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let to = self.type_of(m)?;
        let Some((first, of)) = operands.split_first() else {
            return self.unsupported();
        };
        let d = self.destination(first)?;
        let c = self.temporary();
        let with = self.compare(m, of, c)?;
        self.combine(c, c, with);
        let yes = match to {
            Type::F32 => u64::from(1f32.to_bits()),
            _ => 0xffff_ffff,
        };
        let (a, b) = (self.constant(yes), self.constant(0));
        self.emit(Op::Select { d, a, b, c });
        Ok(())
    }

    fn select(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let ty = self.type_of(m)?;
        let [d, a, b, c] = self.exactly(operands)?;
        let d = self.destination(d)?;
        let (a, b, c) = (
            self.value(a, ty)?,
            self.value(b, ty)?,
            self.value(c, Type::Pred)?,
        );
        self.emit(Op::Select { d, a, b, c });
        Ok(())
    }

    fn select_by_sign(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let (ty, sign) = (self.type_of(m)?, self.type_of(m)?);
        m.take("ftz");
        let name = if sign == Type::F32 {
            "slct.f32"
        } else {
            "slct"
        };
        let [d, a, b, c] = self.exactly(operands)?;
        let d = self.destination(d)?;
        let of = [self.value(a, ty)?, self.value(b, ty)?, self.value(c, sign)?];
        self.integer_op(name, ty, d, &of)
    }

    fn convert(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let names = ["rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "rna"];
        let rounding = m.one_of(&names);
        let (to, from) = (self.type_of(m)?, self.type_of(m)?);
        let mut how = Conversion {
            from,
            to,
            rounding: rounding_of(rounding),
            to_whole: rounding.ends_with('i'),
            flush: m.take("ftz"),
            saturate: m.take("sat"),
            relu: m.take("relu"),
        };
        if let Some(lane) = to.lane() {
            how.to = lane;
            return self.convert_packed(how, operands);
        }
        let [d, a] = self.exactly(operands)?;
        let (d, a) = (self.destination(d)?, self.value(a, from)?);
        match integer::truncation(from, to) {
            Some(f) if !how.saturate => self.emit(Op::Unary { f, d, a }),
            _ if from.lane().is_some() => return self.unsupported(),
            _ => self.emit(Op::Convert {
                d,
                a,
                how: Box::new(how),
            }),
        }
        Ok(())
    }

    /// Two numbers to one packed word; the first operand becomes the high half.
    fn convert_packed(&mut self, how: Conversion, operands: &[Operand]) -> Result<()> {
        let [d, high, low] = self.exactly(operands)?;
        let d = self.destination(d)?;
        let mut halves = Vec::new();
        for operand in [low, high] {
            let (a, d) = (self.value(operand, how.from)?, self.temporary());
            self.emit(Op::Convert {
                d,
                a,
                how: Box::new(how),
            });
            halves.push(d);
        }
        self.pack(how.to.bytes(), d, &halves);
        Ok(())
    }

    fn mov(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let ty = self.type_of(m)?;
        let [to, from] = self.exactly(operands)?;
        match (to, from) {
            (Operand::Vector(to), from) => {
                let a = self.value(from, ty)?;
                self.unpack(ty, to, a)
            }
            (to, Operand::Vector(from)) => {
                let d = self.destination(to)?;
                let of = self.values(from, ty)?;
                self.pack(ty.bytes() / of.len().max(1), d, &of);
                Ok(())
            }
            (to, Operand::Name(name)) if name.starts_with("%clock") || name == "%globaltimer" => {
                let d = self.destination(to)?;
                self.emit(Op::Clock { d });
                Ok(())
            }
            (to, from) => {
                let (d, a) = (self.destination(to)?, self.value(from, ty)?);
                self.emit(Op::Copy { d, a });
                Ok(())
            }
        }
    }

    /// The parts of a word, the lowest first.
    fn unpack(&mut self, ty: Type, to: &[Operand], a: Reg) -> Result<()> {
        let bits = ty.bytes() * 8 / to.len().max(1);
        let mask = self.constant(u64::MAX >> (64 - bits));
        let source = self.temporary();
        self.emit(Op::Copy { d: source, a });
        for (i, part) in to.iter().enumerate() {
            let (d, b) = (self.destination(part)?, self.constant((i * bits) as u64));
            let f: Ternary = |a, b, c| a >> b & c;
            self.emit(Op::Ternary {
                f,
                d,
                a: source,
                b,
                c: mask,
            });
        }
        Ok(())
    }

    /// One word of parts that have this many bytes, the lowest first.
    fn pack(&mut self, bytes: usize, d: Reg, parts: &[Reg]) {
        let bits = (bytes * 8).min(64);
        let mask = self.constant(u64::MAX >> (64 - bits));
        let mut word = self.constant(0);
        for (i, part) in parts.iter().enumerate() {
            let (next, shift) = (self.temporary(), self.constant((i * bits) as u64));
            let (f, insert): (Ternary, Binary) = (|a, b, c| (a & c) << b, |a, b| a | b);
            self.emit(Op::Ternary {
                f,
                d: next,
                a: *part,
                b: shift,
                c: mask,
            });
            self.emit(Op::Binary {
                f: insert,
                d: next,
                a: word,
                b: next,
            });
            word = next;
        }
        self.emit(Op::Copy { d, a: word });
    }
}

fn rounding_of(name: &str) -> Rounding {
    match name {
        "rz" | "rzi" => Rounding::Zero,
        "rm" | "rmi" => Rounding::Down,
        "rp" | "rpi" => Rounding::Up,
        "rna" => Rounding::NearestAway,
        _ => Rounding::Nearest,
    }
}

/// The name of an operation in [`integer`], from its modifiers.
fn integer_name(name: &str, m: &mut Modifiers) -> String {
    let part = match name {
        "mul" | "mad" | "mul24" | "mad24" => m.one_of(&["lo", "hi", "wide"]),
        "add" | "sub" => m.one_of(&["sat"]),
        "bfind" => m.one_of(&["shiftamt"]),
        _ => "",
    };
    if part.is_empty() {
        name.to_owned()
    } else {
        format!("{name}.{part}")
    }
}
