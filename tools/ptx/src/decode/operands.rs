//! Decodes operands: registers, constants and addresses.

use super::Result;
use super::function::FunctionDecoder;
use super::names::{Meaning, special};
use crate::program::{Address, Op, Reg, Special, ZERO};
use crate::syntax::Operand;
use crate::types::{Space, Type};

impl FunctionDecoder<'_> {
    /// The register that holds a constant.
    pub(super) fn constant(&mut self, bits: u64) -> Reg {
        if let Some(register) = self.constants.get(&bits) {
            return *register;
        }
        let register = self.temporary();
        self.function.registers[register as usize] = bits;
        self.constants.insert(bits, register);
        register
    }

    fn special(&mut self, special: Special) -> Reg {
        let known = self.function.specials.iter();
        if let Some((register, _)) = known.into_iter().find(|(_, known)| *known == special) {
            return *register;
        }
        let register = self.temporary();
        self.function.specials.push((register, special));
        register
    }

    /// A register that is declared.
    pub(super) fn named_register(&self, name: &str) -> Result<Reg> {
        match self.scopes.find(name) {
            Some(Meaning::Register(register)) => Ok(register),
            _ => self.error(format!("there is no register '{name}'")),
        }
    }

    /// The register of a result; `_` is one that nobody reads.
    pub(super) fn destination(&mut self, operand: &Operand) -> Result<Reg> {
        match operand {
            Operand::Name(name) if name == "_" => Ok(self.temporary()),
            Operand::Name(name) => self.named_register(name),
            other => self.error(format!("{other:?} cannot hold a result")),
        }
    }

    /// The registers of `d` or `d|p`.
    pub(super) fn destinations(&mut self, operand: &Operand) -> Result<(Reg, Option<Reg>)> {
        let Operand::Pair(first, second) = operand else {
            return Ok((self.destination(operand)?, None));
        };
        let first = self.destination(&Operand::Name(first.clone()))?;
        let second = self.destination(&Operand::Name(second.clone()))?;
        Ok((first, Some(second)))
    }

    /// The register of an operand of this type.
    pub(super) fn value(&mut self, operand: &Operand, ty: Type) -> Result<Reg> {
        match operand {
            Operand::Integer(value) => Ok(self.constant(immediate(*value, ty))),
            Operand::Single(bits) => Ok(self.constant(match ty {
                Type::F64 => f64::from(f32::from_bits(*bits)).to_bits(),
                _ => u64::from(*bits),
            })),
            Operand::Double(bits) => Ok(self.constant(match ty {
                Type::F32 => u64::from((f64::from_bits(*bits) as f32).to_bits()),
                _ => *bits,
            })),
            Operand::Not(name) => {
                let a = self.named_register(name)?;
                let d = self.temporary();
                let f: fn(u64) -> u64 = |a| a ^ 1;
                self.emit(Op::Unary { f, d, a });
                Ok(d)
            }
            Operand::Name(name) => self.named_value(name, 0),
            Operand::Sum(name, offset) => self.named_value(name, *offset),
            other => self.error(format!("{other:?} is no value")),
        }
    }

    /// A register, or the address of a variable.
    fn named_value(&mut self, name: &str, offset: i64) -> Result<Reg> {
        if let Some(found) = special(name) {
            return Ok(self.special(found));
        }
        if name == "WARP_SZ" {
            return Ok(self.constant(32));
        }
        match self.meaning(name) {
            Some((Meaning::Register(register), _)) => Ok(register),
            Some((Meaning::Shared(at), _)) => Ok(self.constant(at.wrapping_add(offset as u64))),
            Some((Meaning::DynamicShared, _)) => {
                let a = self.special(Special::DynamicShared);
                if offset == 0 {
                    return Ok(a);
                }
                let (d, b) = (self.temporary(), self.constant(offset as u64));
                let f: fn(u64, u64) -> u64 = |a, b| a.wrapping_add(b);
                self.emit(Op::Binary { f, d, a, b });
                Ok(d)
            }
            Some((Meaning::Frame(slot), _)) => {
                let d = self.temporary();
                let offset = (slot.offset as i64 + offset) as u32;
                self.emit(Op::FrameAddress { d, offset });
                Ok(d)
            }
            None => match self.environment.addresses.get(name).copied() {
                Some(address) => Ok(self.constant(address.wrapping_add(offset as u64))),
                None => self.error(format!("nothing is called '{name}'")),
            },
        }
    }

    /// What a name means, and the space that it implies.
    fn meaning(&self, name: &str) -> Option<(Meaning, Space)> {
        let found = self.scopes.find(name).or_else(|| {
            let shared = self.environment.shared.get(name)?;
            Some(shared.map_or(Meaning::DynamicShared, Meaning::Shared))
        })?;
        let space = match found {
            Meaning::Register(_) => Space::Generic,
            Meaning::Frame(_) => Space::Frame,
            Meaning::Shared(_) | Meaning::DynamicShared => Space::Shared,
        };
        Some((found, space))
    }

    /// An address and its space, where an instruction says `space`.
    pub(super) fn address(&mut self, operand: &Operand, space: Space) -> Result<(Address, Space)> {
        let Operand::Address(base, offset) = operand else {
            return self.error(format!("{operand:?} is no address"));
        };
        match base.as_ref() {
            Operand::Integer(at) => Ok((
                Address {
                    base: ZERO,
                    offset: (*at as i64).wrapping_add(*offset),
                },
                space,
            )),
            Operand::Name(name) => self.named_address(name, *offset, space),
            other => self.error(format!("{other:?} is no address")),
        }
    }

    fn named_address(&mut self, name: &str, offset: i64, space: Space) -> Result<(Address, Space)> {
        let (base, at, found) = match self.meaning(name) {
            Some((Meaning::Register(base), _)) => {
                let space = if space == Space::Frame {
                    Space::Local
                } else {
                    space
                };
                return Ok((Address { base, offset }, space));
            }
            Some((Meaning::Frame(slot), found)) => (ZERO, slot.offset as i64, found),
            Some((Meaning::Shared(at), found)) => (ZERO, at as i64, found),
            Some((Meaning::DynamicShared, found)) => {
                (self.special(Special::DynamicShared), 0, found)
            }
            None => match self.environment.addresses.get(name).copied() {
                Some(address) => (ZERO, address as i64, Space::Global),
                None => return self.error(format!("nothing is called '{name}'")),
            },
        };
        let is_local = space == Space::Local && found == Space::Frame;
        if space != found && space != Space::Generic && !is_local {
            return self.error(format!("'{name}' is in another state space"));
        }
        let offset = at.wrapping_add(offset);
        Ok((Address { base, offset }, found))
    }
}

/// A whole number as an operand of this type.
fn immediate(value: u64, ty: Type) -> u64 {
    match ty {
        Type::F32 => value & 0xffff_ffff,
        Type::Pred => u64::from(value != 0),
        _ => value,
    }
}
