//! Decodes one function: declarations, labels and guards.

use std::collections::HashMap;
use std::sync::Arc;

use super::modifiers::Modifiers;
use super::names::{Meaning, Scopes};
use super::{Environment, Result};
use crate::error::LoadError;
use crate::memory::POISON_WORD;
use crate::program::{CARRY, Function, Op, Program, Reg, Slot, Source, ZERO};
use crate::syntax::{Instruction, Statement, Variable, VariableSpace};

/// The state of decoding a function.
pub(super) struct FunctionDecoder<'a> {
    pub(super) environment: &'a Environment<'a>,
    pub(super) function: Function,
    pub(super) scopes: Scopes,
    pub(super) constants: HashMap<u64, Reg>,
    pub(super) branch_targets: HashMap<&'a str, &'a [String]>,
    program: &'a mut Program,
    labels: HashMap<&'a str, u32>,
    /// Ops whose target is still the number of a label, and the line of each.
    pending: Vec<(usize, u32)>,
    label_names: Vec<String>,
    source: Source,
}

impl<'a> FunctionDecoder<'a> {
    /// Decodes the function of this number, and appends its ops to the program.
    pub(super) fn decode(
        environment: &'a Environment<'a>,
        number: usize,
        program: &'a mut Program,
    ) -> Result<Function> {
        let syntax = &environment.module.functions[number];
        let mut function = environment.signatures[number].clone();
        function.start = program.ops.len() as u32;
        function.frame_bytes = function.signature_bytes;
        function.shared_bytes = environment.shared_bytes as usize;
        function.registers = vec![0, 0];
        let mut decoder = FunctionDecoder {
            environment,
            function,
            scopes: Scopes::default(),
            constants: HashMap::from([(0, ZERO)]),
            branch_targets: HashMap::new(),
            program,
            labels: HashMap::new(),
            pending: Vec::new(),
            label_names: Vec::new(),
            source: Source {
                line: 0,
                opcode: Arc::from("ret"),
            },
        };
        debug_assert_eq!(decoder.function.registers.len() as Reg, CARRY + 1);
        let Some(body) = &syntax.body else {
            return Ok(decoder.function);
        };
        decoder.scopes.open();
        decoder.declare_signature(number);
        decoder.collect_targets(body);
        for statement in body {
            decoder.statement(statement)?;
        }
        decoder.emit(Op::Return);
        decoder.resolve_labels()?;
        Ok(decoder.function)
    }

    fn declare_signature(&mut self, number: usize) {
        let syntax = &self.environment.module.functions[number];
        let signature = &self.environment.signatures[number];
        let names = syntax.parameters.iter().chain(&syntax.results);
        let slots = signature.parameters.iter().chain(&signature.results);
        for (variable, slot) in names.zip(slots) {
            self.scopes.declare(&variable.name, Meaning::Frame(*slot));
        }
    }

    /// The lists of `brx.idx` may come after it.
    fn collect_targets(&mut self, body: &'a [Statement]) {
        for statement in body {
            if let Statement::Targets(name, targets) = statement {
                self.branch_targets.insert(name, targets);
            }
        }
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<()> {
        match statement {
            Statement::Open => self.scopes.open(),
            Statement::Close => self.scopes.close(),
            Statement::Label(name) => {
                self.labels.insert(name, self.position());
            }
            Statement::Registers(names) => self.registers(names),
            Statement::Variable(variable) => self.variable(variable)?,
            Statement::Targets(..) => {}
            Statement::Instruction(instruction) => self.guarded(instruction)?,
        }
        Ok(())
    }

    fn registers(&mut self, names: &[(String, Option<u64>)]) {
        for (name, count) in names {
            let first = self.function.registers.len() as Reg;
            for _ in 0..count.unwrap_or(1) {
                self.temporary();
            }
            match count {
                Some(count) => self.scopes.declare_family(name, first, *count),
                None => self.scopes.declare(name, Meaning::Register(first)),
            }
        }
    }

    fn variable(&mut self, variable: &Variable) -> Result<()> {
        let meaning = match variable.space {
            VariableSpace::Shared if variable.size == 0 => Meaning::DynamicShared,
            VariableSpace::Shared => {
                Meaning::Shared(place(&mut self.function.shared_bytes, variable).offset as u64)
            }
            VariableSpace::Local | VariableSpace::Param => {
                Meaning::Frame(place(&mut self.function.frame_bytes, variable))
            }
            VariableSpace::Global | VariableSpace::Const => {
                let message = "global variables inside of functions are not supported";
                return Err(LoadError::new(variable.line, message));
            }
        };
        self.scopes.declare(&variable.name, meaning);
        Ok(())
    }

    /// An instruction, which is skipped where its guard is false.
    fn guarded(&mut self, instruction: &'a Instruction) -> Result<()> {
        self.source = Source {
            line: instruction.line,
            opcode: Arc::from(instruction.opcode.as_str()),
        };
        let (name, modifiers) = Modifiers::split(&instruction.opcode);
        let Some((guard, negated)) = &instruction.guard else {
            return self.instruction(name, modifiers, &instruction.operands);
        };
        let predicate = self.named_register(guard)?;
        if name == "bra" {
            return self.branch(predicate, !negated, &instruction.operands);
        }
        let skip = self.position() as usize;
        self.emit(Op::Branch {
            predicate,
            expected: *negated,
            target: 0,
        });
        self.instruction(name, modifiers, &instruction.operands)?;
        let after = self.position();
        if let Op::Branch { target, .. } = &mut self.program.ops[skip] {
            *target = after;
        }
        Ok(())
    }

    /// The position of the next op.
    pub(super) fn position(&self) -> u32 {
        self.program.ops.len() as u32
    }

    pub(super) fn emit(&mut self, op: Op) {
        self.program.ops.push(op);
        self.program.sources.push(self.source.clone());
    }

    /// A new register. It holds poison until it is written.
    pub(super) fn temporary(&mut self) -> Reg {
        self.function.registers.push(POISON_WORD);
        self.function.registers.len() as Reg - 1
    }

    /// A number that stands for a label until all are known; [`Self::emit_jump`] takes it.
    pub(super) fn label(&mut self, name: &str) -> u32 {
        self.label_names.push(name.to_owned());
        self.label_names.len() as u32 - 1
    }

    /// Emits an op whose targets are numbers of labels.
    pub(super) fn emit_jump(&mut self, op: Op) {
        self.pending
            .push((self.program.ops.len(), self.source.line));
        self.emit(op);
    }

    fn resolve_labels(&mut self) -> Result<()> {
        for (at, line) in std::mem::take(&mut self.pending) {
            match &mut self.program.ops[at] {
                Op::Jump { target } | Op::Branch { target, .. } => {
                    *target = find_label(&self.labels, &self.label_names, *target, line)?;
                }
                Op::Indexed { targets, .. } => {
                    for target in targets.iter_mut() {
                        *target = find_label(&self.labels, &self.label_names, *target, line)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(LoadError::new(self.source.line, message))
    }

    /// The error of an instruction that is not known.
    pub(super) fn unsupported<T>(&self) -> Result<T> {
        let opcode = &self.source.opcode;
        self.error(format!("the instruction '{opcode}' is not supported"))
    }
}

fn find_label(
    labels: &HashMap<&str, u32>,
    names: &[String],
    number: u32,
    line: u32,
) -> Result<u32> {
    let name = &names[number as usize];
    labels
        .get(name.as_str())
        .copied()
        .ok_or_else(|| LoadError::new(line, format!("there is no label '{name}'")))
}

fn place(bytes: &mut usize, variable: &Variable) -> Slot {
    let offset = bytes.next_multiple_of(variable.align as usize);
    let size = variable.size as usize;
    *bytes = offset + size;
    Slot { offset, size }
}
