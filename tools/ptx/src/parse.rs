//! Reads tokens into the syntax of a module.

use crate::error::LoadError;
use crate::lexer::{Token, tokens};
use crate::syntax::VariableSpace;
use crate::syntax::{Function, Initial, Instruction, Module, Operand, Statement, Variable};
use crate::types::Type;

type Result<T> = std::result::Result<T, LoadError>;

/// Reads a module.
pub(crate) fn parse(text: &str) -> Result<Module> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
    };
    parser.module()
}

struct Parser {
    tokens: Vec<(Token, u32)>,
    at: usize,
}

impl Parser {
    fn line(&self) -> u32 {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens
            .get(self.at.min(last))
            .map_or(0, |token| token.1)
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(LoadError::new(self.line(), message))
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|token| &token.0)
    }

    fn peek_word(&self) -> Option<&str> {
        match self.peek() {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn is_mark(&self, mark: char) -> bool {
        self.peek() == Some(&Token::Mark(mark))
    }

    fn take_mark(&mut self, mark: char) -> bool {
        let found = self.is_mark(mark);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, mark: char) -> Result<()> {
        if self.take_mark(mark) {
            return Ok(());
        }
        let found = format!("{:?}", self.peek());
        self.error(format!("'{mark}' is expected, but {found} was found"))
    }

    fn word(&mut self) -> Result<String> {
        match self.peek() {
            Some(Token::Word(word)) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            other => {
                let found = format!("{other:?}");
                self.error(format!("a name is expected, but {found} was found"))
            }
        }
    }

    /// A whole number, maybe negative.
    fn integer(&mut self) -> Result<u64> {
        let negative = self.take_mark('-');
        match self.peek() {
            Some(&Token::Integer(value)) => {
                self.at += 1;
                Ok(if negative {
                    value.wrapping_neg()
                } else {
                    value
                })
            }
            other => {
                let found = format!("{other:?}");
                self.error(format!("a whole number is expected, but {found} was found"))
            }
        }
    }

    fn skip_past(&mut self, mark: char) {
        while self.peek().is_some() && !self.is_mark(mark) {
            self.at += 1;
        }
        self.at += 1;
    }

    fn module(&mut self) -> Result<Module> {
        let mut module = Module::default();
        while self.peek().is_some() {
            self.module_item(&mut module)?;
        }
        if module.target == 0 {
            return self.error("the module has no .target");
        }
        Ok(module)
    }

    fn module_item(&mut self, module: &mut Module) -> Result<()> {
        while matches!(
            self.peek_word(),
            Some(".visible" | ".extern" | ".weak" | ".common")
        ) {
            self.at += 1;
        }
        match self.peek_word() {
            Some(".version" | ".address_size") => self.at += 2,
            Some(".target") => module.target = self.target()?,
            Some(".file" | ".alias") => self.skip_past(';'),
            Some(".pragma") => self.skip_past(';'),
            Some(".section") => self.skip_past('}'),
            Some(".entry") => module.functions.push(self.function(true)?),
            Some(".func") => module.functions.push(self.function(false)?),
            Some(".global" | ".const" | ".shared") => {
                module.variables.extend(self.variables()?);
            }
            other => {
                let found = format!("{other:?}");
                return self.error(format!("a declaration is expected, but {found} was found"));
            }
        }
        Ok(())
    }

    /// `.target sm_90a, debug`
    fn target(&mut self) -> Result<u32> {
        self.at += 1;
        let name = self.word()?;
        while self.take_mark(',') {
            self.word()?;
        }
        let digits = name.strip_prefix("sm_").unwrap_or("");
        match digits.trim_end_matches(char::is_alphabetic).parse() {
            Ok(target) => Ok(target),
            Err(_) => self.error(format!("'{name}' is no known target")),
        }
    }

    fn function(&mut self, is_entry: bool) -> Result<Function> {
        self.at += 1;
        let results = if self.is_mark('(') {
            self.parameters()?
        } else {
            Vec::new()
        };
        let name = self.word()?;
        let parameters = if self.is_mark('(') {
            self.parameters()?
        } else {
            Vec::new()
        };
        let max_threads = self.function_directives()?;
        let body = if self.take_mark(';') {
            None
        } else {
            self.expect('{')?;
            Some(self.body()?)
        };
        Ok(Function {
            name,
            is_entry,
            results,
            parameters,
            max_threads,
            body,
        })
    }

    fn parameters(&mut self) -> Result<Vec<Variable>> {
        self.expect('(')?;
        let mut parameters = Vec::new();
        while !self.take_mark(')') {
            if self.peek_word() == Some(".reg") {
                return self.error("parameters of functions in registers are not supported");
            }
            let declared = self.declaration()?;
            parameters.push(self.declarator(&declared)?);
            self.take_mark(',');
        }
        Ok(parameters)
    }

    /// `.maxntid 256, 1, 1` and the like, until the body.
    fn function_directives(&mut self) -> Result<Option<u64>> {
        let mut threads = None;
        while let Some(word) = self.peek_word().map(str::to_owned) {
            self.at += 1;
            let mut numbers = Vec::new();
            while matches!(self.peek(), Some(Token::Integer(_))) {
                numbers.push(self.integer()?);
                self.take_mark(',');
            }
            if word == ".maxntid" || word == ".reqntid" {
                threads = Some(numbers.iter().product());
            }
            if word == ".pragma" {
                self.skip_past(';');
            }
        }
        Ok(threads)
    }

    fn variables(&mut self) -> Result<Vec<Variable>> {
        let declared = self.declaration()?;
        let mut variables = Vec::new();
        loop {
            let mut variable = self.declarator(&declared)?;
            if self.take_mark('=') {
                variable.initial = self.initialiser()?;
            }
            variables.push(variable);
            if !self.take_mark(',') {
                break;
            }
        }
        self.expect(';')?;
        Ok(variables)
    }

    /// What comes before the name of a variable: `.shared .align 8 .b8`.
    fn declaration(&mut self) -> Result<Variable> {
        let line = self.line();
        let space = match self.word()?.as_str() {
            ".global" => VariableSpace::Global,
            ".const" => VariableSpace::Const,
            ".shared" => VariableSpace::Shared,
            ".local" => VariableSpace::Local,
            ".param" => VariableSpace::Param,
            other => return self.error(format!("'{other}' is no state space of variables")),
        };
        let mut align = None;
        let mut count = 1;
        let mut ty = None;
        let mut is_pointer = false;
        while let Some(word) = self.peek_word().filter(|word| word.starts_with('.')) {
            let word = word.to_owned();
            self.at += 1;
            match word.as_str() {
                // The alignment after .ptr is that of what the pointer points to.
                ".align" if is_pointer => drop(self.integer()?),
                ".align" => align = Some(self.integer()?),
                ".ptr" => is_pointer = true,
                ".v2" => count = 2,
                ".v4" => count = 4,
                ".global" | ".shared" | ".local" | ".const" if is_pointer => {}
                ".attribute" => self.skip_past(')'),
                _ => match Type::parse(&word[1..]) {
                    Some(found) => ty = Some(found),
                    None => return self.error(format!("'{word}' is no known type")),
                },
            }
        }
        let Some(ty) = ty else {
            return self.error("a variable has no type");
        };
        let size = ty.bytes() as u64 * count;
        Ok(Variable {
            name: String::new(),
            space,
            ty,
            align: align.unwrap_or(size).max(1),
            size,
            initial: Vec::new(),
            line,
        })
    }

    /// The name of a variable, and its sizes.
    fn declarator(&mut self, declared: &Variable) -> Result<Variable> {
        let mut variable = declared.clone();
        variable.name = self.word()?;
        while self.take_mark('[') {
            let count = if self.is_mark(']') {
                0
            } else {
                self.integer()?
            };
            self.expect(']')?;
            variable.size *= count;
        }
        Ok(variable)
    }

    /// A number, an address, or a list of such in braces.
    fn initialiser(&mut self) -> Result<Vec<Initial>> {
        if !self.take_mark('{') {
            return Ok(vec![self.initial()?]);
        }
        let mut all = Vec::new();
        while !self.take_mark('}') {
            all.extend(self.initialiser()?);
            self.take_mark(',');
        }
        Ok(all)
    }

    fn initial(&mut self) -> Result<Initial> {
        if self.take_word("generic") {
            self.expect('(')?;
            let found = self.initial()?;
            self.expect(')')?;
            let more = self.offset()?.unwrap_or(0);
            return match found {
                Initial::Address(name, offset) => Ok(Initial::Address(name, offset + more)),
                Initial::Bits(_) => self.error("a number is no generic address"),
            };
        }
        match self.operand()? {
            Operand::Integer(bits) | Operand::Double(bits) => Ok(Initial::Bits(bits)),
            Operand::Single(bits) => Ok(Initial::Bits(u64::from(bits))),
            Operand::Name(name) => Ok(Initial::Address(name, 0)),
            Operand::Sum(name, offset) => Ok(Initial::Address(name, offset)),
            other => self.error(format!("{other:?} is no initial value")),
        }
    }

    fn body(&mut self) -> Result<Vec<Statement>> {
        let mut statements = Vec::new();
        let mut depth = 0;
        loop {
            if self.take_mark('}') {
                if depth == 0 {
                    return Ok(statements);
                }
                depth -= 1;
                statements.push(Statement::Close);
            } else if self.take_mark('{') {
                depth += 1;
                statements.push(Statement::Open);
            } else if self.peek().is_none() {
                return self.error("a function has no end");
            } else {
                self.statement(&mut statements)?;
            }
        }
    }

    fn statement(&mut self, statements: &mut Vec<Statement>) -> Result<()> {
        match self.peek_word() {
            Some(".pragma" | ".loc" | ".file") => self.skip_statement(),
            Some(".reg") => statements.push(self.registers()?),
            Some(".shared" | ".local" | ".param" | ".global" | ".const") => {
                let variables = self.variables()?;
                statements.extend(variables.into_iter().map(Statement::Variable));
            }
            Some(_) if self.tokens.get(self.at + 1).map(|t| &t.0) == Some(&Token::Mark(':')) => {
                statements.push(self.label()?);
            }
            _ => {
                if !self.take_mark(';') {
                    statements.push(Statement::Instruction(self.instruction()?));
                }
            }
        }
        Ok(())
    }

    /// `.loc` has no semicolon: it ends with its line.
    fn skip_statement(&mut self) {
        if self.peek_word() != Some(".loc") {
            return self.skip_past(';');
        }
        let line = self.line();
        while self.peek().is_some() && self.line() == line {
            self.at += 1;
        }
    }

    fn label(&mut self) -> Result<Statement> {
        let name = self.word()?;
        self.expect(':')?;
        if !self.take_word(".branchtargets") {
            return Ok(Statement::Label(name));
        }
        let mut targets = Vec::new();
        while !self.take_mark(';') {
            targets.push(self.word()?);
            self.take_mark(',');
        }
        Ok(Statement::Targets(name, targets))
    }

    fn registers(&mut self) -> Result<Statement> {
        self.at += 1;
        let ty = self.word()?;
        if Type::parse(ty.trim_start_matches('.')).is_none() {
            return self.error(format!("registers of the type '{ty}' are not supported"));
        }
        let mut names = Vec::new();
        loop {
            let name = self.word()?;
            let count = if self.take_mark('<') {
                let count = self.integer()?;
                self.expect('>')?;
                Some(count)
            } else {
                None
            };
            names.push((name, count));
            if !self.take_mark(',') {
                break;
            }
        }
        self.expect(';')?;
        Ok(Statement::Registers(names))
    }

    fn instruction(&mut self) -> Result<Instruction> {
        let line = self.line();
        let guard = if self.take_mark('@') {
            let negated = self.take_mark('!');
            Some((self.word()?, negated))
        } else {
            None
        };
        let opcode = self.word()?;
        let mut operands = Vec::new();
        while !self.take_mark(';') {
            operands.push(self.operand()?);
            if !self.is_mark(';') {
                self.expect(',')?;
            }
        }
        Ok(Instruction {
            guard,
            opcode,
            operands,
            line,
        })
    }

    fn operand(&mut self) -> Result<Operand> {
        match self.peek().cloned() {
            Some(Token::Mark('{')) => Ok(Operand::Vector(self.operands('{', '}')?)),
            Some(Token::Mark('(')) => Ok(Operand::List(self.operands('(', ')')?)),
            Some(Token::Mark('[')) => self.address(),
            Some(Token::Mark('!')) => {
                self.at += 1;
                Ok(Operand::Not(self.word()?))
            }
            Some(Token::Mark('-')) => {
                self.at += 1;
                let value = self.operand()?;
                self.negated(value)
            }
            Some(Token::Integer(value)) => {
                self.at += 1;
                Ok(Operand::Integer(value))
            }
            Some(Token::Single(bits)) => {
                self.at += 1;
                Ok(Operand::Single(bits))
            }
            Some(Token::Double(bits)) => {
                self.at += 1;
                Ok(Operand::Double(bits))
            }
            _ => self.named_operand(),
        }
    }

    fn negated(&self, value: Operand) -> Result<Operand> {
        match value {
            Operand::Integer(value) => Ok(Operand::Integer(value.wrapping_neg())),
            Operand::Double(bits) => Ok(Operand::Double(bits ^ (1 << 63))),
            Operand::Single(bits) => Ok(Operand::Single(bits ^ (1 << 31))),
            other => self.error(format!("{other:?} cannot be negated")),
        }
    }

    /// `name`, `name|name`, `name+8`.
    fn named_operand(&mut self) -> Result<Operand> {
        let name = self.word()?;
        if self.take_mark('|') {
            return Ok(Operand::Pair(name, self.word()?));
        }
        if let Some(offset) = self.offset()? {
            return Ok(Operand::Sum(name, offset));
        }
        Ok(Operand::Name(name))
    }

    /// `+8`, `-8` or `+-8`.
    fn offset(&mut self) -> Result<Option<i64>> {
        if self.take_mark('+') || self.is_mark('-') {
            return Ok(Some(self.integer()? as i64));
        }
        Ok(None)
    }

    fn operands(&mut self, open: char, close: char) -> Result<Vec<Operand>> {
        self.expect(open)?;
        let mut operands = Vec::new();
        while !self.take_mark(close) {
            operands.push(self.operand()?);
            self.take_mark(',');
        }
        Ok(operands)
    }

    fn address(&mut self) -> Result<Operand> {
        self.expect('[')?;
        let (base, offset) = match self.operand()? {
            Operand::Sum(name, offset) => (Operand::Name(name), offset),
            base => (base, 0),
        };
        self.expect(']')?;
        Ok(Operand::Address(Box::new(base), offset))
    }
}
