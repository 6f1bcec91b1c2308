//! `convert-soac-checks-to-llvm`: run-time checks become calls of the runtime
//! library.
//!
//! `soac.check` becomes a branch to `comb_fail_with_N(message, values…)`, N being
//! the number of values. These functions, which the pass adds to the module, put
//! the values into an array and call `comb_runtime_fail` of the runtime library,
//! which does not return. So no stack is allocated where the check is, and the
//! compiler knows the branch to be cold.
//!
//! Messages are constants of the module, one for each distinct text. In a
//! message, `{}` stands for the next value and `{{` for a brace: a file name
//! with braces in it stays as it is.

use std::collections::{BTreeSet, HashMap, HashSet};

use melior::{
    Error,
    ir::{
        BlockLike, OperationRef, Region, RegionLike, Value,
        attribute::{IntegerAttribute, TypeAttribute},
        operation::OperationLike,
    },
};

use comb_kit::{globals::define_bytes, pass_error::PassError, walk::operations};
use soac_dialect::{
    builder::Builder,
    location::place,
    text::{attribute_bytes, shown},
    view::op_name,
};

/// The function of the runtime library: a message, values, and their count.
const RUNTIME_FAIL: &str = "comb_runtime_fail";

/// Runs the pass on a module and the modules inside it.
///
/// # Errors
///
/// If the module has something else by the name of the runtime's function.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let mut checks: Vec<(OperationRef, Vec<OperationRef>)> = vec![(module, vec![])];
    for op in operations(module) {
        match op_name(op) {
            "builtin.module" => checks.push((op, vec![])),
            "soac.check" => {
                let module = module_of(op).unwrap_or(module);
                if let Some((_, checks)) = checks.iter_mut().find(|(owner, _)| *owner == module) {
                    checks.push(op);
                }
            }
            _ => {}
        }
    }
    for (module, checks) in checks {
        convert_module(module, &checks)?;
    }
    Ok(())
}

/// The innermost module around an op.
fn module_of<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let mut parent = op.parent_operation();
    while let Some(op) = parent {
        if op_name(op) == "builtin.module" {
            return Some(op);
        }
        parent = op.parent_operation();
    }
    None
}

fn convert_module<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    checks: &[OperationRef<'c, 'a>],
) -> Result<(), PassError<'c>> {
    let Some(first) = module
        .first_region()
        .and_then(|region| region.first_block())
        .and_then(|block| block.first_operation())
        .filter(|_| !checks.is_empty())
    else {
        return Ok(());
    };
    let mut symbols = Symbols::of(module);
    let start = Builder::before(first)
        .ok_or(Error::OperationBuild)?
        .located(module.location());
    let mut arities = BTreeSet::new();
    for &check in checks {
        let message = symbols.message(&start, &template(check))?;
        arities.insert(check.operand_count() - 1);
        convert_check(check, &message)?;
    }
    if !symbols.functions.contains(RUNTIME_FAIL) {
        if symbols.taken.contains(RUNTIME_FAIL) {
            return Err(PassError::Unsupported {
                location: module.location(),
                message: format!("'{RUNTIME_FAIL}' is a name of the runtime library"),
            });
        }
        declare_runtime(&start)?;
    }
    for values in arities {
        if !symbols.functions.contains(&failing_function(values)) {
            define_failing_function(&start, values)?;
        }
    }
    Ok(())
}

/// The names in a module, and the messages that have one.
struct Symbols {
    taken: HashSet<String>,
    functions: HashSet<String>,
    messages: HashMap<String, String>,
    next_message: usize,
}

impl Symbols {
    fn of(module: OperationRef) -> Self {
        let mut symbols = Self {
            taken: HashSet::new(),
            functions: HashSet::new(),
            messages: HashMap::new(),
            next_message: 0,
        };
        let mut op = module
            .first_region()
            .and_then(|region| region.first_block())
            .and_then(|block| block.first_operation());
        while let Some(current) = op {
            if let Some(name) = text_attribute(current, "sym_name") {
                if op_name(current) == "llvm.func" {
                    symbols.functions.insert(name.clone());
                }
                symbols.taken.insert(name);
            }
            op = current.next_in_block();
        }
        symbols
    }

    /// The name of the constant with a message.
    fn message(&mut self, start: &Builder, text: &str) -> Result<String, Error> {
        if let Some(name) = self.messages.get(text) {
            return Ok(name.clone());
        }
        let name = loop {
            let name = format!("comb_message_{}", self.next_message);
            self.next_message += 1;
            if self.taken.insert(name.clone()) {
                break name;
            }
        };
        define_bytes(start, &name, format!("{text}\0").as_bytes())?;
        self.messages.insert(text.to_owned(), name.clone());
        Ok(name)
    }
}

fn text_attribute(op: OperationRef, name: &str) -> Option<String> {
    Some(shown(attribute_bytes(op, name)?))
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// The message of a check with its location, as the runtime library reads it.
fn template(check: OperationRef) -> String {
    let message = text_attribute(check, "message").unwrap_or_default();
    let place = place(check.location()).unwrap_or_else(|| "unknown location".into());
    let parts: Vec<String> = message.split("{}").map(escape).collect();
    format!("{}: {}", escape(&place), parts.join("{}"))
}

fn escape(text: &str) -> String {
    text.replace('{', "{{")
}

//===----------------------------------------------------------------------===//
// Checks and functions
//===----------------------------------------------------------------------===//

/// `scf.if not condition { comb_fail_with_N(message, values…) }`
fn convert_check<'c: 'a, 'a>(check: OperationRef<'c, 'a>, message: &str) -> Result<(), Error> {
    let builder = Builder::before(check).ok_or(Error::OperationBuild)?;
    let values: Vec<Value> = check.operands().skip(1).collect();
    let condition = check.operand(0)?;
    let yes = builder.integer(-1, builder.integer_type(1))?;
    let fails = builder.arithmetic("arith.xori", &[condition, yes])?;
    let then = builder.region::<Error>(&[], "scf.yield", |then, _| {
        let pointer = then.r#type("!llvm.ptr")?;
        let name = then.attribute(&format!("@{message}"))?;
        let message = then.value(
            "llvm.mlir.addressof",
            &[],
            pointer,
            &[("global_name", name)],
        )?;
        let mut arguments = vec![message];
        for &value in &values {
            let wide = then.integer_type(64);
            arguments.push(then.value("arith.index_cast", &[value], wide, &[])?);
        }
        call(then, &failing_function(values.len()), &arguments)?;
        Ok(vec![])
    })?;
    builder.op("scf.if", &[fails], &[], &[], vec![then, Region::new()])?;
    builder.replace(check, &[]);
    Ok(())
}

fn call<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: &str,
    arguments: &[Value<'c, 'a>],
) -> Result<(), Error> {
    builder.op(
        "llvm.call",
        arguments,
        &[],
        &[
            ("callee", builder.attribute(&format!("@{function}"))?),
            (
                "operandSegmentSizes",
                builder.segments(&[arguments.len() as i32, 0]),
            ),
            ("op_bundle_sizes", builder.segments(&[])),
        ],
        vec![],
    )?;
    Ok(())
}

fn failing_function(values: usize) -> String {
    format!("comb_fail_with_{values}")
}

/// A function of the LLVM dialect that does not return. It stays one, also in MLIR: behind code that
/// does not return, an inlined call leaves blocks that nothing reaches, and what is in them is not
/// converted any more.
fn function<'c: 'a, 'a>(
    start: &Builder<'c, 'a>,
    name: &str,
    parameters: &[&str],
    linkage: &str,
    body: Region<'c>,
) -> Result<(), Error> {
    let r#type = format!("!llvm.func<void ({})>", parameters.join(", "));
    let linkage = format!("#llvm.linkage<{linkage}>");
    start.op(
        "llvm.func",
        &[],
        &[],
        &[
            ("sym_name", start.string(name)),
            (
                "function_type",
                TypeAttribute::new(start.r#type(&r#type)?).into(),
            ),
            ("linkage", start.attribute(&linkage)?),
            ("CConv", start.attribute("#llvm.cconv<ccc>")?),
            ("no_inline", start.unit()),
            ("passthrough", start.attribute(r#"["cold", "noreturn"]"#)?),
        ],
        vec![body],
    )?;
    Ok(())
}

fn declare_runtime(start: &Builder) -> Result<(), Error> {
    function(
        start,
        RUNTIME_FAIL,
        &["ptr", "ptr", "i64"],
        "external",
        Region::new(),
    )
}

/// Puts its values into an array and calls the runtime library.
fn define_failing_function(start: &Builder, values: usize) -> Result<(), Error> {
    let mut parameters = vec!["ptr"];
    parameters.resize(1 + values, "i64");
    let types = parameters
        .iter()
        .map(|&parameter| match parameter {
            "ptr" => start.r#type("!llvm.ptr"),
            _ => Ok(start.integer_type(64)),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let body = start.region::<Error>(&types, "llvm.unreachable", |body, arguments| {
        let word = body.integer_type(64);
        let count = IntegerAttribute::new(word, values as i64).into();
        let count = body.value("llvm.mlir.constant", &[], word, &[("value", count)])?;
        let pointer = body.r#type("!llvm.ptr")?;
        let element = TypeAttribute::new(word).into();
        let array = body.value("llvm.alloca", &[count], pointer, &[("elem_type", element)])?;
        for (position, &value) in arguments[1..].iter().enumerate() {
            let attributes = [
                ("rawConstantIndices", body.segments(&[position as i32])),
                ("elem_type", element),
            ];
            let slot = body.value("llvm.getelementptr", &[array], pointer, &attributes)?;
            body.op("llvm.store", &[value, slot], &[], &[], vec![])?;
        }
        call(body, RUNTIME_FAIL, &[arguments[0], array, count])?;
        Ok(vec![])
    })?;
    function(
        start,
        &failing_function(values),
        &parameters,
        "private",
        body,
    )
}
