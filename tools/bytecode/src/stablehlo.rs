//! A portable artifact as StableHLO in generic form.
//!
//! Ops of `vhlo` are those of StableHLO with a version in their name; what StableHLO keeps in one
//! attribute, such as the dimensions of a product, `vhlo` keeps in several. Attributes that say
//! nothing about values, such as the accuracy wanted, are left out.

use std::fmt::Write;

use crate::{
    error::{Error, Fault},
    file::{AttributeId, File},
    ir::{Block, Op, Program, Properties, Region},
    text::{Printer, quoted},
    vhlo,
};

/// Whether a file is a portable artifact.
#[must_use]
pub fn is_artifact(file: &File) -> bool {
    file.dialects.contains(&"vhlo")
}

/// The text of a portable artifact.
///
/// # Errors
/// If it is damaged or of a version with ops that are not known.
pub fn text(file: &File, program: &Program) -> Result<String, Error> {
    let mut writer = Writer {
        file,
        program,
        printer: Printer::new(file),
        body: String::new(),
        blocks: 0,
    };
    for op in &program.ops {
        writer.op(op, &[], 0, None)?;
    }
    let body = writer.body;
    Ok(writer.printer.aliases() + &body)
}

type Attributes<'b> = Vec<(&'b str, AttributeId)>;

struct Writer<'f, 'b> {
    file: &'f File<'b>,
    program: &'f Program<'b>,
    printer: Printer<'f, 'b>,
    body: String,
    /// How many blocks have labels.
    blocks: usize,
}

impl<'b> Writer<'_, 'b> {
    /// Writes an op that is in a region of another, whose blocks have labels from some number on.
    fn op(
        &mut self,
        op: &Op<'b>,
        labels: &[usize],
        indent: usize,
        parent: Option<&str>,
    ) -> Result<(), Error> {
        // A mesh of devices means nothing here, nor does where an array is in it.
        if (op.name.dialect, op.name.name) == ("sdy", "mesh") {
            return Ok(());
        }
        let name = new_name(op, parent);
        let results: Vec<_> = op
            .results
            .iter()
            .map(|(value, _)| format!("%{}", value.0))
            .collect();
        let operands: Vec<_> = op
            .operands
            .iter()
            .map(|value| format!("%{}", value.0))
            .collect();
        let equals = if results.is_empty() { "" } else { " = " };
        let pad = "  ".repeat(indent);
        let (results, operands) = (results.join(", "), operands.join(", "));
        self.write(format_args!(
            "{pad}{results}{equals}{}({operands})",
            quoted(name.as_bytes())
        ));
        if !op.successors.is_empty() {
            let blocks = op
                .successors
                .iter()
                .map(|&block| format!("^b{}", labels[block]));
            let blocks: Vec<_> = blocks.collect();
            self.write(format_args!("[{}]", blocks.join(", ")));
        }
        let properties = self.properties(op)?;
        let properties = self.attributes(op, properties)?;
        if !properties.is_empty() {
            self.write(format_args!(" <{{{}}}>", properties.join(", ")));
        }
        if !op.regions.is_empty() {
            self.write(format_args!(" ("));
            for (index, region) in op.regions.iter().enumerate() {
                let comma = if index > 0 { ", " } else { "" };
                self.write(format_args!("{comma}{{\n"));
                self.region(region, indent + 1, op.name.name)?;
                self.write(format_args!("{pad}}}"));
            }
            self.write(format_args!(")"));
        }
        let discardable = self.discardable(op)?;
        let discardable = self.attributes(op, discardable)?;
        if !discardable.is_empty() {
            self.write(format_args!(" {{{}}}", discardable.join(", ")));
        }
        let inputs: Vec<_> = op
            .operands
            .iter()
            .map(|&value| self.program.type_of(value))
            .collect();
        let outputs: Vec<_> = op.results.iter().map(|&(_, r#type)| r#type).collect();
        let inputs = self.printer.types(&inputs)?;
        let outputs = self.printer.types(&outputs)?;
        let place = self.printer.place(op.location)?;
        self.write(format_args!(" : ({inputs}) -> ({outputs}) {place}\n"));
        Ok(())
    }

    fn write(&mut self, text: std::fmt::Arguments) {
        self.body.write_fmt(text).expect("a string takes all text");
    }

    fn region(&mut self, region: &Region<'b>, indent: usize, parent: &str) -> Result<(), Error> {
        let first = self.blocks;
        self.blocks += region.blocks.len();
        let labels: Vec<_> = (first..self.blocks).collect();
        for (block, label) in region.blocks.iter().zip(&labels) {
            self.block(block, *label, indent)?;
            for op in &block.ops {
                self.op(op, &labels, indent, Some(parent))?;
            }
        }
        Ok(())
    }

    fn block(&mut self, block: &Block, label: usize, indent: usize) -> Result<(), Error> {
        let pad = "  ".repeat(indent - 1);
        let mut arguments = vec![];
        for argument in &block.arguments {
            let r#type = self.printer.r#type(argument.r#type)?;
            let place = argument.location.map(|place| self.printer.place(place));
            let place = place.transpose()?.unwrap_or_default();
            arguments.push(format!("%{}: {type} {place}", argument.value.0));
        }
        self.write(format_args!("{pad}^b{label}({}):\n", arguments.join(", ")));
        Ok(())
    }

    /// Some attributes of an op as StableHLO has them.
    fn attributes(&mut self, op: &Op<'b>, given: Attributes<'b>) -> Result<Vec<String>, Error> {
        let groups = GROUPS.iter().filter(|group| {
            let is_there = given.iter().any(|(name, _)| group.has(name));
            is_there && group.ops.contains(&op.name.name)
        });
        let groups: Vec<&Group> = groups.collect();
        let mut texts = vec![];
        for group in &groups {
            texts.push(self.group(op, group, &given)?);
        }
        for (name, id) in given {
            let is_grouped = groups.iter().any(|group| group.has(name));
            if is_grouped || SILENT.contains(&name) {
                continue;
            }
            if let Some(text) = self.attribute(op, name, id)? {
                texts.push(format!("{} = {text}", quoted(name.as_bytes())));
            }
        }
        Ok(texts)
    }

    /// What the op's own class keeps. Before version 5 of the format all attributes were in one
    /// dictionary.
    fn properties(&self, op: &Op<'b>) -> Result<Attributes<'b>, Error> {
        let mut attributes = vec![];
        match op.properties {
            None => {}
            Some(Properties::Attribute(id)) => self.dictionary(id, &mut attributes)?,
            Some(Properties::Encoded(mut cursor)) => {
                if (op.name.dialect, op.name.name) == ("sdy", "sharding_constraint") {
                    return Ok(attributes);
                }
                if op.name.dialect == "builtin" {
                    for name in ["sym_name", "sym_visibility"] {
                        let id = self.file.optional_attribute_id(&mut cursor)?;
                        attributes.extend(id.map(|id| (name, id)));
                    }
                } else {
                    for &name in property_names(self.file, op)? {
                        attributes.push((name, self.file.attribute_id(&mut cursor)?));
                    }
                }
                if !cursor.is_empty() {
                    return Err(cursor.damaged("bytes are left after an op's properties"));
                }
            }
        }
        Ok(attributes)
    }

    /// What else is said of the op.
    fn discardable(&self, op: &Op<'b>) -> Result<Attributes<'b>, Error> {
        let mut attributes = vec![];
        if let Some(id) = op.attributes {
            self.dictionary(id, &mut attributes)?;
        }
        Ok(attributes)
    }

    fn dictionary(&self, id: AttributeId, attributes: &mut Attributes<'b>) -> Result<(), Error> {
        for (name, value) in self.printer.entries(id)? {
            let name = str::from_utf8(name);
            let at = self.file.attribute(id).data.at();
            let damaged = |_| Fault::Damaged("a name is not UTF-8".into()).at(at);
            attributes.push((name.map_err(damaged)?, value));
        }
        Ok(())
    }

    /// None if the attribute says what holds without it.
    fn attribute(&mut self, op: &Op, name: &str, id: AttributeId) -> Result<Option<String>, Error> {
        let printer = &mut self.printer;
        if op.name.dialect != "vhlo" {
            return printer.attribute(id).map(Some);
        }
        match name {
            "arg_attrs" | "res_attrs" | "sym_visibility" if printer.is_empty(id)? => Ok(None),
            "callee" | "decomposition" => printer.symbol(id).map(Some),
            "called_computations" => printer.symbols(id).map(Some),
            "value" => printer.attribute(id).map(Some),
            _ => match printer.vector(id)? {
                Some(array) => Ok(Some(array)),
                None => printer.attribute(id).map(Some),
            },
        }
    }

    /// One attribute of several.
    fn group(&mut self, op: &Op, group: &Group, attributes: &Attributes) -> Result<String, Error> {
        let mut fields = vec![];
        for &(field, kind) in group.fields {
            let Some(&(_, id)) = attributes.iter().find(|(name, _)| *name == field) else {
                continue;
            };
            let value = match kind {
                Field::Numbers => self.printer.numbers(id)?,
                Field::Number => self.printer.integer(id)?,
            };
            fields.push((field, value));
        }
        let text = match group.syntax {
            Syntax::Fields(name) => {
                let fields = fields
                    .iter()
                    .map(|(field, value)| format!("{field} = {value}"));
                let fields: Vec<_> = fields.collect();
                format!("#stablehlo.{name}<{}>", fields.join(", "))
            }
            Syntax::Convolution => convolution(&fields).ok_or_else(|| {
                let what = "a convolution does not say what its dimensions are";
                Fault::Damaged(what.into()).at(op.at)
            })?,
        };
        Ok(format!("{} = {text}", group.name))
    }
}

/// The name that an op has in StableHLO, given what the op around it is called.
fn new_name(op: &Op, parent: Option<&str>) -> String {
    if op.name.dialect != "vhlo" {
        return match op.name.name {
            "" => op.name.dialect.to_owned(),
            name => format!("{}.{name}", op.name.dialect),
        };
    }
    let name = op.name.name;
    let name = name.rsplit_once("_v").map_or(name, |(name, _)| name);
    match name {
        "func" | "call" => format!("func.{name}"),
        "return" if parent.is_some_and(|parent| parent.starts_with("func_v")) => {
            "func.return".to_owned()
        }
        _ => format!("stablehlo.{name}"),
    }
}

fn property_names(file: &File, op: &Op) -> Result<&'static [&'static str], Error> {
    let names = match op.name.dialect {
        "vhlo" => vhlo::property_names(op.name.name),
        _ => None,
    };
    names.ok_or_else(|| match op.name.dialect {
        "vhlo" => vhlo::newer(file, format!("the op '{}'", op.name.name)).at(op.at),
        dialect => {
            let what = format!(
                "the op '{dialect}.{}' is in a portable artifact",
                op.name.name
            );
            Fault::Unsupported(what).at(op.at)
        }
    })
}

/// Attributes that say nothing about values.
const SILENT: [&str; 9] = [
    "result_accuracy",
    "lhs_precision_type",
    "rhs_precision_type",
    "accumulation_type",
    "lhs_component_count",
    "rhs_component_count",
    "num_primitive_operations",
    "allow_imprecise_accumulation",
    "mhlo.sharding",
];

/// Attributes that StableHLO keeps in one.
struct Group {
    ops: &'static [&'static str],
    /// What the one is called.
    name: &'static str,
    syntax: Syntax,
    fields: &'static [(&'static str, Field)],
}

impl Group {
    fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|&(field, _)| field == name)
    }
}

enum Syntax {
    /// `#stablehlo.name<field = value, …>`.
    Fields(&'static str),
    /// `#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>`.
    Convolution,
}

#[derive(Clone, Copy)]
enum Field {
    Numbers,
    Number,
}

const GROUPS: [Group; 4] = [
    Group {
        ops: &["dot_general_v1", "dot_general_v2"],
        name: "dot_dimension_numbers",
        syntax: Syntax::Fields("dot"),
        fields: &[
            ("lhs_batching_dimensions", Field::Numbers),
            ("rhs_batching_dimensions", Field::Numbers),
            ("lhs_contracting_dimensions", Field::Numbers),
            ("rhs_contracting_dimensions", Field::Numbers),
        ],
    },
    Group {
        ops: &[
            "gather_v1",
            "gather_v2",
            "dynamic_gather_v1",
            "dynamic_gather_v2",
        ],
        name: "dimension_numbers",
        syntax: Syntax::Fields("gather"),
        fields: &[
            ("offset_dims", Field::Numbers),
            ("collapsed_slice_dims", Field::Numbers),
            ("operand_batching_dims", Field::Numbers),
            ("start_indices_batching_dims", Field::Numbers),
            ("start_index_map", Field::Numbers),
            ("index_vector_dim", Field::Number),
        ],
    },
    Group {
        ops: &["scatter_v1", "scatter_v2"],
        name: "scatter_dimension_numbers",
        syntax: Syntax::Fields("scatter"),
        fields: &[
            ("update_window_dims", Field::Numbers),
            ("inserted_window_dims", Field::Numbers),
            ("input_batching_dims", Field::Numbers),
            ("scatter_indices_batching_dims", Field::Numbers),
            ("scatter_dims_to_operand_dims", Field::Numbers),
            ("index_vector_dim", Field::Number),
        ],
    },
    Group {
        ops: &["convolution_v1", "dynamic_conv_v1", "dynamic_conv_v2"],
        name: "dimension_numbers",
        syntax: Syntax::Convolution,
        fields: &[
            ("input_batch_dimension", Field::Number),
            ("input_feature_dimension", Field::Number),
            ("input_spatial_dimensions", Field::Numbers),
            ("kernel_input_feature_dimension", Field::Number),
            ("kernel_output_feature_dimension", Field::Number),
            ("kernel_spatial_dimensions", Field::Numbers),
            ("output_batch_dimension", Field::Number),
            ("output_feature_dimension", Field::Number),
            ("output_spatial_dimensions", Field::Numbers),
        ],
    },
];

/// The dimensions of a convolution: for each array what each of its dimensions is. None if a field
/// is missing, or is no number.
fn convolution(fields: &[(&str, String)]) -> Option<String> {
    let value = |name: &str| {
        let found = fields.iter().find(|(field, _)| *field == name);
        found.map(|(_, value)| value.as_str())
    };
    let array = |names: [&str; 2], letters: [&str; 2], spatial: &str| {
        let numbers = value(spatial)?.trim_matches(['[', ']']).split(", ");
        let spatial = numbers.filter(|number| !number.is_empty()).enumerate();
        let spatial = spatial.map(|(index, place)| (place, index.to_string()));
        let named = names.into_iter().zip(letters);
        let named = named.map(|(name, letter)| Some((value(name)?, letter.to_owned())));
        let named = named.collect::<Option<Vec<_>>>()?;
        let placed = spatial.chain(named);
        let placed = placed.map(|(place, letter)| Some((place.parse().ok()?, letter)));
        let mut dimensions: Vec<(i64, String)> = placed.collect::<Option<_>>()?;
        dimensions.sort();
        let letters: Vec<_> = dimensions.into_iter().map(|(_, letter)| letter).collect();
        Some(format!("[{}]", letters.join(", ")))
    };
    let input = array(
        ["input_batch_dimension", "input_feature_dimension"],
        ["b", "f"],
        "input_spatial_dimensions",
    )?;
    let kernel = array(
        [
            "kernel_input_feature_dimension",
            "kernel_output_feature_dimension",
        ],
        ["i", "o"],
        "kernel_spatial_dimensions",
    )?;
    let output = array(
        ["output_batch_dimension", "output_feature_dimension"],
        ["b", "f"],
        "output_spatial_dimensions",
    )?;
    Some(format!("#stablehlo.conv<{input}x{kernel}->{output}>"))
}
