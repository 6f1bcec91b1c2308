//! From MLIR to a [`Program`].

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use melior::ir::{
    BlockRef, Location, OperationRef, RegionLike, RegionRef, ValueLike,
    block::BlockLike,
    operation::OperationLike,
    r#type::{DimSize, FunctionType, MemRefType, RankedTensorType, ShapedTypeLike},
};

use soac_dialect::{
    cast::{Arguments, cast},
    location::place,
    view::{defining_block, is_used_once, named_attributes, op_name},
};

use crate::attribute;
use crate::element::{Element, Type};
use crate::failure::Failure;
use crate::program::{Attribute, Block, Function, Op, Program, Region, Slot};
use crate::value::{Array, Value};

impl Program {
    /// Reads a module. The module is not needed afterwards.
    ///
    /// # Errors
    ///
    /// If the module does not verify.
    pub fn read<'c: 'a, 'a>(module: &impl OperationLike<'c, 'a>) -> Result<Program, Failure> {
        if !module.verify() {
            return Err(Failure::Input("the module does not verify".into()));
        }
        let mut program = Program::nothing();
        for op in module.regions().flat_map(blocks).flat_map(ops) {
            match op_name(op) {
                "func.func" => {
                    let function = read_function(&op)?;
                    program.functions.insert(function.name.clone(), function);
                }
                "gpu.module" => read_kernels(&op, &mut program)?,
                "memref.global" => program.globals.extend(read_global(&op)),
                _ => {}
            }
        }
        Ok(program)
    }
}

fn name<'c: 'a, 'a>(op: &OperationRef<'c, 'a>) -> String {
    op_name(*op).to_owned()
}

fn blocks<'c, 'a>(region: RegionRef<'c, 'a>) -> impl Iterator<Item = BlockRef<'c, 'a>> {
    std::iter::successors(region.first_block(), |block| block.next_in_region())
}

fn ops<'c, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    std::iter::successors(block.first_operation(), |op| op.next_in_block())
}

/// The name of a global and what it begins with, if that is known.
fn read_global(op: &OperationRef) -> Option<(String, Array)> {
    let attributes = read_attributes(op);
    match (attributes.get("sym_name"), attributes.get("initial_value")) {
        (Some(Attribute::String(name)), Some(Attribute::Elements(Value::Array(initial)))) => {
            Some((name.clone(), initial.clone()))
        }
        _ => None,
    }
}

/// The kernels of a module for a GPU.
fn read_kernels(module: &OperationRef, program: &mut Program) -> Result<(), Failure> {
    let name = match read_attributes(module).get("sym_name") {
        Some(Attribute::String(name)) => name.clone(),
        _ => String::new(),
    };
    for op in module.regions().flat_map(blocks).flat_map(ops) {
        if op_name(op) == "gpu.func" {
            let kernel = read_function(&op)?;
            let name = format!("@{name}::@{}", kernel.name);
            program.kernels.insert(name, Arc::new(kernel));
        }
    }
    Ok(())
}

fn read_function(op: &OperationRef) -> Result<Function, Failure> {
    let location = read_location(op.location());
    let attributes = read_attributes(op);
    let (Some(Attribute::String(name)), Some(Attribute::Type(Type::Function { inputs, results }))) =
        (attributes.get("sym_name"), attributes.get("function_type"))
    else {
        return Err(Failure::Bug {
            location,
            message: "a function without name or type".into(),
        });
    };
    let mut reader = Reader::default();
    let body = op
        .regions()
        .next()
        .filter(|region| region.first_block().is_some())
        .map(|region| reader.region(region))
        .transpose()?;
    Ok(Function {
        name: name.clone(),
        location,
        inputs: inputs.clone(),
        results: results.clone(),
        body,
        slots: reader.slots.len(),
    })
}

/// Reads the body of one function.
#[derive(Default)]
struct Reader {
    /// The slot of each value, by the value's address.
    slots: HashMap<usize, usize>,
}

impl Reader {
    fn region(&mut self, region: RegionRef) -> Result<Region, Failure> {
        let blocks: Vec<_> = blocks(region).collect();
        // Values may be used in blocks that come before their definition.
        for block in &blocks {
            self.define(*block);
        }
        let positions: HashMap<usize, usize> = blocks
            .iter()
            .enumerate()
            .map(|(position, block)| (block.to_raw().ptr as usize, position))
            .collect();
        let blocks = blocks
            .into_iter()
            .map(|block| self.block(block, &positions))
            .collect::<Result<_, _>>()?;
        Ok(Region { blocks })
    }

    fn define(&mut self, block: BlockRef) {
        let arguments = (0..block.argument_count()).filter_map(|index| block.argument_at(index));
        for argument in arguments {
            self.number(argument.to_raw().ptr as usize);
        }
        for op in ops(block) {
            for result in op.results() {
                self.number(result.to_raw().ptr as usize);
            }
        }
    }

    fn number(&mut self, address: usize) -> usize {
        let next = self.slots.len();
        *self.slots.entry(address).or_insert(next)
    }

    fn slot<'c>(&mut self, value: impl ValueLike<'c>) -> Slot {
        Slot {
            number: self.number(value.to_raw().ptr as usize),
            ty: read_type(value.r#type()),
            is_only_use: false,
        }
    }

    fn block(
        &mut self,
        block: BlockRef,
        positions: &HashMap<usize, usize>,
    ) -> Result<Block, Failure> {
        Ok(Block {
            arguments: (0..block.argument_count())
                .filter_map(|index| block.argument_at(index))
                .map(|argument| self.slot(argument))
                .collect(),
            ops: ops(block)
                .map(|op| self.op(&op, positions))
                .collect::<Result<_, _>>()?,
        })
    }

    fn op(&mut self, op: &OperationRef, positions: &HashMap<usize, usize>) -> Result<Op, Failure> {
        Ok(Op {
            name: name(op),
            location: read_location(op.location()),
            number: op.to_raw().ptr as usize,
            operands: op
                .operands()
                .map(|value| Slot {
                    is_only_use: is_used_once(value) && defining_block(value) == op.block(),
                    ..self.slot(value)
                })
                .collect(),
            results: op.results().map(|value| self.slot(value)).collect(),
            attributes: read_attributes(op),
            regions: op
                .regions()
                .map(|region| self.region(region))
                .collect::<Result<_, _>>()?,
            successors: op
                .successors()
                .filter_map(|block| positions.get(&(block.to_raw().ptr as usize)).copied())
                .collect(),
        })
    }
}

/// The attributes of an op; an op of `linalg` whose name implies its indexing maps has these, too.
fn read_attributes(op: &OperationRef) -> BTreeMap<String, Attribute> {
    let implied = attribute::indexing_maps(op).map(|maps| ("indexing_maps".to_owned(), maps));
    let written = named_attributes(*op)
        .into_iter()
        .map(|(name, value)| (name.to_owned(), attribute::read(value)));
    implied.into_iter().chain(written).collect()
}

/// `file:line:col` of the place in the source that a location leads to, as the
/// messages of compiled code begin.
fn read_location(location: Location) -> String {
    place(location).unwrap_or_else(|| "unknown location".into())
}

/// The elements and sizes of an array, if it has elements that the interpreter knows.
fn read_shaped<'c>(ty: &impl ShapedTypeLike<'c>) -> Option<(Element, Vec<Option<usize>>)> {
    let element = Element::parse(&ty.element().to_string());
    let sizes = (0..ty.rank())
        .map(|dimension| match ty.dim_size(dimension) {
            Ok(DimSize::Static(size)) => Some(size as usize),
            _ => None,
        })
        .collect();
    Some((element.filter(|element| element.fits_arrays())?, sizes))
}

/// A type as the interpreter knows it.
pub(crate) fn read_type(ty: melior::ir::Type) -> Type {
    if let Some(array) = cast::<RankedTensorType>(ty)
        && let Some((element, sizes)) = read_shaped(&array)
    {
        return Type::Array { element, sizes };
    }
    if let Some(memory) = cast::<MemRefType>(ty)
        && let Some((element, sizes)) = read_shaped(&memory)
    {
        return Type::Memory { element, sizes };
    }
    if let Some(function) = cast::<FunctionType>(ty) {
        return Type::Function {
            inputs: (0..function.input_count())
                .filter_map(|index| function.input(index).ok())
                .map(read_type)
                .collect(),
            results: (0..function.result_count())
                .filter_map(|index| function.result(index).ok())
                .map(read_type)
                .collect(),
        };
    }
    let name = ty.to_string();
    match Element::parse(&name) {
        Some(element) => Type::Scalar(element),
        None => Type::Unknown(name),
    }
}
