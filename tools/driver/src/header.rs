//! The C header of an object or a shared library: a struct for each kind of
//! array, and a function with C's types for each entry point.
//!
//! The functions are those of [`crate::exports`].

use std::fmt::Write;

use comb_runtime::{ElementType, Parameter, Sign, ValueType};

use crate::{
    aot::Emit,
    c_names::{Names, comment},
    compile::{Compiled, CompiledEntry},
    exports::returned,
};

/// Types and functions that every header brings, once for all of them.
const COMMON: &str = include_str!("header_common.h");

/// What headers bring besides whose functions take arrays in the memory of a GPU.
const DEVICE: &str = include_str!("header_device.h");

/// How a linker is told of a shared library: by a short name if the file has a usual one.
fn link_option(file: &str) -> String {
    file.strip_prefix("lib")
        .and_then(|name| name.strip_suffix(".so"))
        .filter(|name| !name.is_empty())
        .map_or_else(|| file.to_owned(), |name| format!("-l{name}"))
}

/// The header of a library in a file, whose names begin with `prefix`; an object may need
/// OpenMP.
pub fn header(
    compiled: &Compiled,
    functions: &[String],
    prefix: &str,
    file: &str,
    emit: Emit,
    openmp: bool,
) -> String {
    let guard = guard(prefix);
    let openmp = if openmp { " -lomp" } else { "" };
    let link = match emit {
        Emit::Shared => link_option(file),
        _ => format!("{file} libcomb_runtime.a{openmp} -lm -lpthread -ldl -lgcc_s"),
    };
    let source = compiled.source.name();
    let on_device = match has_device(compiled) {
        true => ON_DEVICE,
        false => "",
    };
    let mut text = format!(
        "/* Functions of {} compiled by comb. Link with {}.\n\
         {HEAD}{on_device} */\n#ifndef {guard}\n#define {guard}\n\n{COMMON}",
        comment(source),
        comment(&link)
    );
    if has_device(compiled) {
        text.push_str(DEVICE);
    }
    for kind in array_kinds(compiled) {
        text.push_str(&array_type(kind));
    }
    text.push_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (entry, name) in compiled.entries.iter().zip(functions) {
        text.push_str(&function(entry, name));
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
pub(crate) fn global_names(compiled: &Compiled) -> Names {
    let mut names = Names::default();
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let device = if has_device(compiled) { DEVICE } else { "" };
    for name in [COMMON, device]
        .concat()
        .split(|character| !is_part(character))
    {
        names.take(name);
    }
    for kind in array_kinds(compiled) {
        let name = kind.name();
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
 * process, unless comb_set_error_handler was given a handler.";

const ON_DEVICE: &str = "
 *
 * All arrays are in the memory of a GPU. Functions return when all is begun, in
 * a stream that is ordered with the GPU's default one.";

/// Whether functions take arrays in the memory of a GPU.
fn has_device(compiled: &Compiled) -> bool {
    let mut entries = compiled.entries.iter();
    entries.any(|entry| entry.signature.device.is_some())
}

/// The type of arrays in C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ArrayKind {
    element: ElementType,
    is_unsigned: bool,
    rank: usize,
}

impl ArrayKind {
    fn of(parameter: &Parameter) -> Option<Self> {
        match &parameter.ty {
            ValueType::Array { element, shape } => Some(Self {
                element: *element,
                is_unsigned: is_unsigned(parameter),
                rank: shape.len(),
            }),
            ValueType::Scalar(_) => None,
        }
    }

    fn name(self) -> String {
        let Self { element, rank, .. } = self;
        match self.is_unsigned {
            true => format!("comb_u{element}_{rank}"),
            false => format!("comb_{element}_{rank}"),
        }
    }
}

fn is_unsigned(parameter: &Parameter) -> bool {
    parameter.sign == Some(Sign::Unsigned)
}

/// The kinds of all arrays, each once, in order.
fn array_kinds(compiled: &Compiled) -> Vec<ArrayKind> {
    let mut kinds: Vec<ArrayKind> = compiled
        .entries
        .iter()
        .flat_map(|entry| {
            entry
                .signature
                .parameters
                .iter()
                .chain(&entry.signature.results)
        })
        .filter_map(ArrayKind::of)
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

fn element_type(element: ElementType, is_unsigned: bool) -> &'static str {
    match element {
        ElementType::I8 if is_unsigned => "uint8_t",
        ElementType::I16 if is_unsigned => "uint16_t",
        ElementType::I32 if is_unsigned => "uint32_t",
        ElementType::I64 if is_unsigned => "uint64_t",
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

fn value_type(parameter: &Parameter) -> String {
    match ArrayKind::of(parameter) {
        Some(kind) => kind.name(),
        None => element_type(parameter.ty.element(), is_unsigned(parameter)).to_owned(),
    }
}

/// The struct of a kind of array, and the function that makes one.
fn array_type(kind: ArrayKind) -> String {
    let name = kind.name();
    let rank = kind.rank;
    let guard = name.to_uppercase();
    let c = element_type(kind.element, kind.is_unsigned);
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

/// The declarations of a function and its entry point.
fn function(entry: &CompiledEntry, name: &str) -> String {
    let CompiledEntry { signature, symbol } = entry;
    let mut names = Names::default();
    names.take(symbol);
    names.take(name);
    let mut declared: Vec<String> = vec![];
    for parameter in &signature.parameters {
        let c = names.variable(&parameter.name);
        let ty = value_type(parameter);
        declared.push(match &parameter.ty {
            ValueType::Scalar(_) => format!("{ty} {c}"),
            ValueType::Array { .. } => format!("const {ty} *{c}"),
        });
    }
    let returned = returned(signature);
    if returned.is_none() {
        for result in &signature.results {
            let c = names.variable(&result.name);
            declared.push(format!("{} *{c}", value_type(result)));
        }
    }
    let declared = match declared.is_empty() {
        true => "void".to_owned(),
        false => declared.join(", "),
    };
    let result = returned.map_or_else(|| "void".to_owned(), value_type);
    format!(
        "\n/* {} */\n{result} {name}({declared});\nvoid {symbol}(void *const *arguments);\n",
        comment(&signature.to_string()),
    )
}
