//! Decodes instructions that steer a thread: branches, calls, barriers and ends.

use super::Result;
use super::function::FunctionDecoder;
use super::modifiers::Modifiers;
use super::names::Meaning;
use crate::program::{
    Access, Address, Barrier, BarrierKind, BarrierReduction, Call, Op, Reg, Slot, ZERO,
};
use crate::syntax::Operand;
use crate::types::{Space, Type};

impl FunctionDecoder<'_> {
    pub(super) fn control(
        &mut self,
        name: &str,
        m: &mut Modifiers,
        operands: &[Operand],
    ) -> Result<bool> {
        match name {
            "bra" => {
                m.take("uni");
                let [Operand::Name(label)] = operands else {
                    return self.error("a branch needs a label");
                };
                let target = self.label(label);
                self.emit_jump(Op::Jump { target });
            }
            "brx" => self.indexed_branch(m, operands)?,
            "ret" => {
                m.take("uni");
                self.emit(Op::Return);
            }
            "exit" => self.emit(Op::Exit),
            "trap" | "brkpt" => self.emit(Op::Trap),
            "call" => {
                m.take("uni");
                self.call(operands)?;
            }
            "bar" | "barrier" if !m.take("warp") => self.barrier(name == "bar", m, operands)?,
            "bar" | "barrier" => self.warp_barrier(m, operands)?,
            "nanosleep" => drop(m.ty()),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A branch that is taken where the predicate is as expected.
    pub(super) fn branch(
        &mut self,
        predicate: Reg,
        expected: bool,
        operands: &[Operand],
    ) -> Result<()> {
        let [Operand::Name(label)] = operands else {
            return self.error("a branch needs a label");
        };
        let target = self.label(label);
        self.emit_jump(Op::Branch {
            predicate,
            expected,
            target,
        });
        Ok(())
    }

    fn indexed_branch(&mut self, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        m.drop_all(&["idx", "uni"]);
        let [index, Operand::Name(list)] = operands else {
            return self.unsupported();
        };
        let index = self.value(index, Type::U32)?;
        let Some(names) = self.branch_targets.get(list.as_str()).copied() else {
            return self.error(format!("there is no list of targets '{list}'"));
        };
        let targets = names.iter().map(|name| self.label(name)).collect();
        self.emit_jump(Op::Indexed { index, targets });
        Ok(())
    }

    /// `call (results), function, (arguments);`
    fn call(&mut self, operands: &[Operand]) -> Result<()> {
        let (results, name, arguments): (&[Operand], _, &[Operand]) = match operands {
            [Operand::Name(name)] => (&[], name, &[]),
            [Operand::Name(name), Operand::List(arguments)] => (&[], name, arguments),
            [Operand::List(results), Operand::Name(name)] => (results, name, &[]),
            [
                Operand::List(results),
                Operand::Name(name),
                Operand::List(arguments),
            ] => (results, name, arguments),
            _ => return self.error("calls of addresses are not supported"),
        };
        let functions = &self.environment.module.functions;
        let found = functions
            .iter()
            .position(|function| function.name == *name && function.body.is_some());
        let Some(function) = found else {
            return self.error(format!("the function '{name}' is not defined"));
        };
        let callee = &self.environment.signatures[function];
        let (parameters, returns) = (callee.parameters.clone(), callee.results.clone());
        if parameters.len() != arguments.len() || returns.len() != results.len() {
            return self.error(format!("'{name}' has another number of parameters"));
        }
        let given = self.slots(arguments)?;
        let taken = self.slots(results)?;
        self.emit(Op::Call(Box::new(Call {
            function,
            arguments: given.into_iter().zip(parameters).collect(),
            results: returns.into_iter().zip(taken).collect(),
        })));
        Ok(())
    }

    /// The places of `.param` variables; other arguments are stored to new ones.
    fn slots(&mut self, operands: &[Operand]) -> Result<Vec<Slot>> {
        operands.iter().map(|operand| self.slot(operand)).collect()
    }

    fn slot(&mut self, operand: &Operand) -> Result<Slot> {
        if let Operand::Name(name) = operand
            && let Some(Meaning::Frame(slot)) = self.scopes.find(name)
        {
            return Ok(slot);
        }
        let a = self.value(operand, Type::B64)?;
        let offset = self.function.frame_bytes.next_multiple_of(8);
        self.function.frame_bytes = offset + 8;
        let to = Address {
            base: ZERO,
            offset: offset as i64,
        };
        let access = Access {
            space: Space::Frame,
            bytes: 8,
            signed: false,
        };
        self.emit(Op::Store { access, a, to });
        Ok(Slot { offset, size: 8 })
    }

    /// `bar.sync a{, b};` and the like; `bar` means `barrier.aligned`.
    fn barrier(&mut self, aligned: bool, m: &mut Modifiers, operands: &[Operand]) -> Result<()> {
        m.take("cta");
        let aligned = m.take("aligned") || aligned;
        let action = m.one_of(&["sync", "arrive", "red"]);
        if action == "red" {
            return self.barrier_reduction(aligned, m, operands);
        }
        let kind = match action {
            "sync" => BarrierKind::Wait,
            "arrive" => BarrierKind::Arrive,
            _ => return self.unsupported(),
        };
        self.emit_barrier(kind, aligned, operands)
    }

    fn barrier_reduction(
        &mut self,
        aligned: bool,
        m: &mut Modifiers,
        operands: &[Operand],
    ) -> Result<()> {
        let how = match m.one_of(&["popc", "and", "or"]) {
            "popc" => BarrierReduction::Count,
            "and" => BarrierReduction::All,
            "or" => BarrierReduction::Any,
            _ => return self.unsupported(),
        };
        m.ty();
        let [d, numbers @ .., a] = operands else {
            return self.unsupported();
        };
        let (d, a) = (self.destination(d)?, self.value(a, Type::Pred)?);
        self.emit_barrier(BarrierKind::Reduce { how, d, a }, aligned, numbers)
    }

    fn emit_barrier(
        &mut self,
        kind: BarrierKind,
        aligned: bool,
        numbers: &[Operand],
    ) -> Result<()> {
        let (number, count) = match numbers {
            [number] => (self.value(number, Type::U32)?, None),
            [number, count] => {
                let count = self.value(count, Type::U32)?;
                (self.value(number, Type::U32)?, Some(count))
            }
            _ => return self.unsupported(),
        };
        self.emit(Op::Barrier(Box::new(Barrier {
            number,
            count,
            kind,
            aligned,
        })));
        Ok(())
    }
}
