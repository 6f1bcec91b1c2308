//! Decodes exchanges among the lanes of a warp.

use super::Result;
use super::function::FunctionDecoder;
use super::modifiers::Modifiers;
use crate::integer;
use crate::program::{Exchange, ExchangeKind, Op, Shuffle, Vote};
use crate::syntax::Operand;
use crate::types::Type;

impl FunctionDecoder<'_> {
    pub(super) fn exchange(
        &mut self,
        name: &str,
        m: &mut Modifiers,
        operands: &[Operand],
    ) -> Result<bool> {
        if name == "activemask" {
            let [d] = self.exactly(operands)?;
            let d = self.destination(d)?;
            m.ty();
            self.emit(Op::ActiveMask { d });
            return Ok(true);
        }
        if !matches!(name, "shfl" | "vote" | "match" | "redux" | "elect") || !m.take("sync") {
            return Ok(false);
        }
        let Some((mask, operands)) = operands.split_last() else {
            return self.unsupported();
        };
        let kind = match name {
            "shfl" => self.shuffle(m, operands)?,
            "vote" => self.vote(m, operands)?,
            "match" => self.matching(m, operands)?,
            "redux" => self.reduce(m, operands)?,
            _ => self.elect(operands)?,
        };
        self.emit_exchange(mask, kind)?;
        Ok(true)
    }

    pub(super) fn warp_barrier(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        m.take("sync");
        let [mask] = self.exactly(operands)?;
        self.emit_exchange(mask, ExchangeKind::Barrier)
    }

    fn emit_exchange(&mut self, mask: &Operand, kind: ExchangeKind) -> Result<()> {
        let mask = self.value(mask, Type::B32)?;
        self.emit(Op::Exchange(Box::new(Exchange { mask, kind })));
        Ok(())
    }

    fn shuffle(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<ExchangeKind> {
        let mode = match m.one_of(&["up", "down", "bfly", "idx"]) {
            "up" => Shuffle::Up,
            "down" => Shuffle::Down,
            "bfly" => Shuffle::Butterfly,
            "idx" => Shuffle::Index,
            _ => return self.unsupported(),
        };
        m.ty();
        let [d, a, b, c] = self.exactly(operands)?;
        let (d, predicate) = self.destinations(d)?;
        let a = self.value(a, Type::B32)?;
        let (b, c) = (self.value(b, Type::B32)?, self.value(c, Type::B32)?);
        Ok(ExchangeKind::Shuffle {
            mode,
            d,
            predicate,
            a,
            b,
            c,
        })
    }

    fn vote(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<ExchangeKind> {
        let mode = match m.one_of(&["all", "any", "uni", "ballot"]) {
            "all" => Vote::All,
            "any" => Vote::Any,
            "uni" => Vote::Uniform,
            "ballot" => Vote::Ballot,
            _ => return self.unsupported(),
        };
        m.ty();
        let [d, a] = self.exactly(operands)?;
        let (d, a) = (self.destination(d)?, self.value(a, Type::Pred)?);
        Ok(ExchangeKind::Vote { mode, d, a })
    }

    fn matching(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<ExchangeKind> {
        let all = m.one_of(&["all", "any"]) == "all";
        let ty = m.ty().unwrap_or(Type::B32);
        let [d, a] = self.exactly(operands)?;
        let (d, predicate) = self.destinations(d)?;
        let a = self.value(a, ty)?;
        Ok(ExchangeKind::Match {
            all,
            wide: ty.bytes() == 8,
            d,
            predicate,
            a,
        })
    }

    fn reduce(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<ExchangeKind> {
        let name = m.one_of(&["add", "min", "max", "and", "or", "xor"]);
        let ty = m.ty().unwrap_or(Type::B32);
        let Some(f) = integer::binary(name, ty) else {
            return self.unsupported();
        };
        let [d, a] = self.exactly(operands)?;
        let (d, a) = (self.destination(d)?, self.value(a, ty)?);
        Ok(ExchangeKind::Reduce { f, d, a })
    }

    fn elect(&mut self, operands: &[Operand]) -> Result<ExchangeKind> {
        match operands {
            [Operand::Pair(d, predicate)] => {
                let d = (d != "_").then(|| self.named_register(d)).transpose()?;
                let predicate = self.named_register(predicate)?;
                Ok(ExchangeKind::Elect { d, predicate })
            }
            _ => self.unsupported(),
        }
    }
}
