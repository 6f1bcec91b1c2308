//! The C header of an object or a shared library: a struct for each kind of
//! array, and a function with C's types for each entry point.
//!
//! The functions are `static inline` and call the entry point, so that no
//! question of passing `_Float16` or `bool` arises. The entry point holds descriptors
//! against the function's type.

use std::fmt::Write;

use comb_runtime::{ElementType, Parameter, ValueType};

use crate::{
    aot::Emit,
    c_names::{Names, comment, identifier},
    compile::{Compiled, CompiledEntry},
};

/// Types and functions that every header brings, once for all of them.
const COMMON: &str = include_str!("header_common.h");

/// How a linker is told of a shared library: by a short name if the file has a usual one.
fn link_option(file: &str) -> String {
    file.strip_prefix("lib")
        .and_then(|name| name.strip_suffix(".so"))
        .filter(|name| !name.is_empty())
        .map_or_else(|| file.to_owned(), |name| format!("-l{name}"))
}

/// The header of a library in a file, whose names begin with `prefix`; an object may need
/// OpenMP.
pub fn header(compiled: &Compiled, prefix: &str, file: &str, emit: Emit, openmp: bool) -> String {
    let guard = guard(prefix);
    let openmp = if openmp { " -lomp" } else { "" };
    let link = match emit {
        Emit::Shared => link_option(file),
        _ => format!("{file} libcomb_runtime.a{openmp} -lm -lpthread -ldl -lgcc_s"),
    };
    let source = compiled.source.name();
    let mut text = format!(
        "/* Functions of {} compiled by comb. Link with {}.\n\
         {HEAD}#ifndef {guard}\n#define {guard}\n\n{COMMON}",
        comment(source),
        comment(&link)
    );
    for (element, rank) in array_kinds(compiled) {
        text.push_str(&array_type(element, rank));
    }
    text.push_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    let mut names = global_names(compiled);
    for entry in &compiled.entries {
        let name = identifier(&entry.signature.name);
        let name = names.unique(&format!("{prefix}_{name}"));
        text.push_str(&function(entry, &name));
    }
    let _ = write!(
        text,
        "\n#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {guard} */\n"
    );
    text
}

/// The macro by which the header is read once. Names that differ in case only have different
/// ones, and none is that of the part which all headers have.
fn guard(prefix: &str) -> String {
    let is_usual = prefix != "common" && !prefix.contains(|letter: char| letter.is_uppercase());
    match is_usual {
        true => format!("COMB_{}_H", prefix.to_uppercase()),
        false => format!("COMB_{prefix}_HEADER"),
    }
}

/// The names outside of functions that the header has besides its functions'.
fn global_names(compiled: &Compiled) -> Names {
    let mut names = Names::default();
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    for name in COMMON.split(|character| !is_part(character)) {
        names.take(name);
    }
    for (element, rank) in array_kinds(compiled) {
        let name = array_name(element, rank);
        names.take(&format!("{name}_of"));
        names.take(&name);
    }
    for entry in &compiled.entries {
        names.take(&entry.symbol);
    }
    names
}

const HEAD: &str = " *
 * Array parameters are only read. They must be dense and row-major: make them
 * with comb_f32_2_of(data, rows, columns) and the like. The memory of an array
 * result is yours: comb_free(result.allocated) when done.
 *
 * A run-time error, such as an index out of range, is printed and ends the
 * process, unless comb_set_error_handler was given a handler. */
";

/// The element types and ranks of all arrays, each once, in order.
fn array_kinds(compiled: &Compiled) -> Vec<(ElementType, usize)> {
    let mut kinds: Vec<(ElementType, usize)> = compiled
        .entries
        .iter()
        .flat_map(|entry| {
            entry
                .signature
                .parameters
                .iter()
                .chain(&entry.signature.results)
        })
        .filter_map(|parameter| match &parameter.ty {
            ValueType::Array { element, shape } => Some((*element, shape.len())),
            ValueType::Scalar(_) => None,
        })
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

fn element_type(element: ElementType) -> &'static str {
    match element {
        ElementType::I1 => "bool",
        ElementType::I8 => "int8_t",
        ElementType::I16 => "int16_t",
        ElementType::I32 => "int32_t",
        ElementType::I64 | ElementType::Index => "int64_t",
        ElementType::F16 => "comb_f16",
        ElementType::BF16 => "comb_bf16",
        ElementType::F32 => "float",
        ElementType::F64 => "double",
    }
}

fn array_name(element: ElementType, rank: usize) -> String {
    format!("comb_{element}_{rank}")
}

fn value_type(ty: &ValueType) -> String {
    match ty {
        ValueType::Scalar(element) => element_type(*element).to_owned(),
        ValueType::Array { element, shape } => array_name(*element, shape.len()),
    }
}

/// The struct of a kind of array, and the function that makes one.
fn array_type(element: ElementType, rank: usize) -> String {
    let name = array_name(element, rank);
    let guard = name.to_uppercase();
    let c = element_type(element);
    let extents = if rank == 0 {
        String::new()
    } else {
        format!("\n  int64_t sizes[{rank}];\n  int64_t strides[{rank}];")
    };
    let parameters: String = (0..rank)
        .map(|axis| format!(", int64_t size{axis}"))
        .collect();
    let mut body = String::new();
    for axis in 0..rank {
        let _ = writeln!(body, "  array.sizes[{axis}] = size{axis};");
    }
    for axis in (0..rank).rev() {
        let stride = match axis + 1 {
            inner if inner == rank => "1".to_owned(),
            inner => format!("array.strides[{inner}] * size{inner}"),
        };
        let _ = writeln!(body, "  array.strides[{axis}] = {stride};");
    }
    format!(
        "\n#ifndef {guard}\n#define {guard}\n\
         typedef struct {{\n  {c} *allocated;\n  {c} *aligned;\n  int64_t offset;{extents}\n\
         }} {name};\n\n\
         static inline {name} {name}_of(const {c} *data{parameters}) {{\n  {name} array;\n  \
         array.allocated = array.aligned = ({c} *)data;\n  array.offset = 0;\n\
         {body}  return array;\n}}\n#endif\n"
    )
}

/// The declaration of an entry point, and the function that calls it.
fn function(entry: &CompiledEntry, name: &str) -> String {
    let CompiledEntry { signature, symbol } = entry;
    let returned = match signature.results.as_slice() {
        [
            Parameter {
                ty: ValueType::Scalar(element),
                ..
            },
        ] => Some(*element),
        _ => None,
    };
    let mut names = Names::default();
    names.take(symbol);
    let mut named = |given: &[Parameter]| -> Vec<String> {
        let named = given
            .iter()
            .map(|parameter| names.variable(&parameter.name));
        named.collect()
    };
    let (parameters, results) = (named(&signature.parameters), named(&signature.results));
    let [returned_name, arguments] = ["returned", "arguments"].map(|name| names.unique(name));
    let mut declared: Vec<String> = vec![];
    let mut copies = String::new();
    let mut addresses: Vec<String> = vec![];
    for (parameter, c) in signature.parameters.iter().zip(&parameters) {
        let ty = value_type(&parameter.ty);
        match &parameter.ty {
            ValueType::Scalar(_) => {
                declared.push(format!("{ty} {c}"));
                addresses.push(format!("&{c}"));
            }
            ValueType::Array { .. } => {
                declared.push(format!("const {ty} *{c}"));
                let copy = names.unique(&format!("{c}_copy"));
                copies.push_str(&without_offset(c, &copy, &ty));
                addresses.push(format!("&{copy}"));
            }
        }
    }
    let mut ending = String::new();
    let mut beginning = String::new();
    match returned {
        Some(element) => {
            let _ = writeln!(beginning, "  {} {returned_name};", element_type(element));
            addresses.push(format!("&{returned_name}"));
            let _ = writeln!(ending, "  return {returned_name};");
        }
        None => {
            for (result, c) in signature.results.iter().zip(&results) {
                declared.push(format!("{} *{c}", value_type(&result.ty)));
                addresses.push(c.clone());
            }
        }
    }
    if addresses.is_empty() {
        addresses.push("0".to_owned());
    }
    let declared = match declared.is_empty() {
        true => "void".to_owned(),
        false => declared.join(", "),
    };
    let result = returned.map_or("void", element_type);
    format!(
        "\n/* {} */\nvoid {symbol}(void *const *arguments);\n\
         static inline {result} {name}({declared}) {{\n{beginning}{copies}  \
         void *{arguments}[] = {{{}}};\n  {symbol}({arguments});\n{ending}}}\n",
        comment(&signature.to_string()),
        addresses
            .iter()
            .map(|address| format!("(void *){address}"))
            .collect::<Vec<_>>()
            .join(", ")
    )
}

/// A copy of a descriptor without offset.
fn without_offset(c: &str, copy: &str, ty: &str) -> String {
    format!("  {ty} {copy} = *{c};\n  {copy}.aligned += {copy}.offset;\n  {copy}.offset = 0;\n")
}
