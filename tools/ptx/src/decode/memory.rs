//! Decodes instructions that read and write memory.

use super::Result;
use super::function::FunctionDecoder;
use super::modifiers::Modifiers;
use crate::float;
use crate::integer::{self, Binary};
use crate::program::{Access, Atomic, Op, Update, ZERO};
use crate::syntax::Operand;
use crate::types::{LOCAL_WINDOW, SHARED_WINDOW, Space, Type};

impl FunctionDecoder<'_> {
    pub(super) fn memory(
        &mut self,
        name: &str,
        m: &mut Modifiers,
        operands: &[Operand],
    ) -> Result<bool> {
        match name {
            "ld" | "ldu" => self.load(m, operands)?,
            "st" => self.store(m, operands)?,
            "atom" => self.atomic(m, operands)?,
            "red" => self.reduction(m, operands)?,
            "cvta" => self.convert_address(m, operands)?,
            "isspacep" => self.is_space(m, operands)?,
            "prefetch" | "prefetchu" | "membar" | "fence" => m.drop_prefixed(""),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The space, and modifiers that make no difference here: memory is always consistent.
    fn space(&self, m: &mut Modifiers) -> Space {
        m.drop_prefixed("L1::");
        m.drop_prefixed("L2::");
        m.drop_prefixed("level::");
        let space = match m.one_of(&["global", "const", "shared", "local", "param"]) {
            "global" | "const" => Space::Global,
            "shared" => Space::Shared,
            "local" => Space::Local,
            "param" => Space::Frame,
            _ if m.take("shared::cta") => Space::Shared,
            _ if m.take("param::entry") || m.take("param::func") => Space::Frame,
            _ => Space::Generic,
        };
        m.drop_all(&[
            "weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio", "cta",
            "cluster", "gpu", "sys", "nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "noftz",
            "unified",
        ]);
        space
    }

    fn access(&self, m: &mut Modifiers) -> Result<(Space, Type, usize)> {
        let space = self.space(m);
        let count = match m.one_of(&["v2", "v4", "v8"]) {
            "v2" => 2,
            "v4" => 4,
            "v8" => 8,
            _ => 1,
        };
        match m.ty() {
            Some(ty) => Ok((space, ty, count)),
            None => self.unsupported(),
        }
    }

    fn load(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let (space, ty, count) = self.access(m)?;
        let [to, from] = self.exactly(operands)?;
        let (from, space) = self.address(from, space)?;
        let access = access_of(space, ty);
        let Operand::Vector(to) = to else {
            let d = self.destination(to)?;
            self.emit(Op::Load { access, d, from });
            return Ok(());
        };
        if to.len() != count {
            return self.unsupported();
        }
        let mut d = Vec::new();
        for register in to {
            d.push(self.destination(register)?);
        }
        let (d, from) = (d.into_boxed_slice(), Box::new(from));
        self.emit(Op::LoadVector { access, d, from });
        Ok(())
    }

    fn store(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let (space, ty, count) = self.access(m)?;
        let [to, from] = self.exactly(operands)?;
        let (to, space) = self.address(to, space)?;
        let access = access_of(space, ty);
        let Operand::Vector(from) = from else {
            let a = self.value(from, ty)?;
            self.emit(Op::Store { access, a, to });
            return Ok(());
        };
        if from.len() != count {
            return self.unsupported();
        }
        let mut a = Vec::new();
        for value in from {
            a.push(self.value(value, ty)?);
        }
        let (a, to) = (a.into_boxed_slice(), Box::new(to));
        self.emit(Op::StoreVector { access, a, to });
        Ok(())
    }

    fn atomic(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        match operands {
            [d, at, rest @ ..] => {
                let d = self.destination(d)?;
                self.update(m, Some(d), at, rest)
            }
            _ => self.unsupported(),
        }
    }

    fn reduction(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        match operands {
            [at, rest @ ..] => self.update(m, None, at, rest),
            _ => self.unsupported(),
        }
    }

    fn update(
        &mut self,
        m: &mut Modifiers,
        d: Option<u32>,
        at: &Operand,
        with: &[Operand],
    ) -> Result<()> {
        let space = self.space(m);
        let names = [
            "add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec",
        ];
        let name = m.one_of(&names);
        let Some(ty) = m.ty() else {
            return self.unsupported();
        };
        let update = match name {
            "exch" => Update::Exchange,
            "cas" => Update::CompareExchange,
            _ => match combination(name, ty) {
                Some(f) => Update::With(f),
                None => return self.unsupported(),
            },
        };
        let (at, space) = self.address(at, space)?;
        let (b, c) = match (with, update) {
            ([b], Update::With(_) | Update::Exchange) => (self.value(b, ty)?, ZERO),
            ([b, c], Update::CompareExchange) => (self.value(b, ty)?, self.value(c, ty)?),
            _ => return self.unsupported(),
        };
        let access = access_of(space, ty);
        self.emit(Op::Atomic(Box::new(Atomic {
            access,
            d,
            at,
            b,
            c,
            update,
        })));
        Ok(())
    }

    /// Between the addresses of a space and generic addresses.
    fn convert_address(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let to_space = m.take("to");
        let window = match self.space(m) {
            Space::Shared => SHARED_WINDOW,
            Space::Local | Space::Frame => LOCAL_WINDOW,
            Space::Global => 0,
            Space::Generic => return self.unsupported(),
        };
        let Some(ty @ (Type::U64 | Type::B64 | Type::S64)) = m.ty() else {
            return self.unsupported();
        };
        let [d, a] = self.exactly(operands)?;
        let (d, a) = (self.destination(d)?, self.value(a, ty)?);
        if window == 0 {
            self.emit(Op::Copy { d, a });
            return Ok(());
        }
        let b = self.constant(window);
        let f: Binary = if to_space {
            |a, b| a.wrapping_sub(b)
        } else {
            |a, b| a.wrapping_add(b)
        };
        self.emit(Op::Binary { f, d, a, b });
        Ok(())
    }

    fn is_space(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        let space = self.space(m);
        let [d, a] = self.exactly(operands)?;
        let (d, a) = (self.destination(d)?, self.value(a, Type::U64)?);
        self.emit(Op::IsSpace { d, a, space });
        Ok(())
    }
}

fn access_of(space: Space, ty: Type) -> Access {
    Access {
        space,
        bytes: ty.bytes() as u8,
        signed: ty.is_signed(),
    }
}

fn combination(name: &str, ty: Type) -> Option<Binary> {
    match name {
        "inc" => Some(integer::increment),
        "dec" => Some(integer::decrement),
        _ if ty.is_float() => float::binary(name, ty),
        _ => integer::binary(name, ty),
    }
}
