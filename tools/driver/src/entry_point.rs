//! Adds entry points: functions in the LLVM dialect that follow the convention
//! of [`comb_runtime::abi`] and call a function through MLIR's C interface.
//!
//! MLIR's C interface of `@f` is `@_mlir_ciface_f`. An array is a pointer to its
//! descriptor, a scalar is passed as it is. One scalar result is returned; one
//! array, or several results packed in a struct, are written to a pointer that
//! is the first argument.

use comb_runtime::{ElementType, Signature, ValueType};
use melior::{
    Context, Error,
    dialect::llvm::{
        attributes::{Linkage, linkage},
        r#type::{array, function, pointer, r#struct, void},
    },
    ir::{
        Attribute, Block, Location, Module, Region, RegionLike, Type, Value,
        attribute::{
            DenseI32ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute, StringAttribute,
            TypeAttribute,
        },
        block::BlockLike,
        r#type::IntegerType,
    },
};
use soac_dialect::builder::Builder;

/// What MLIR puts before the name of a function with a C interface.
pub const C_INTERFACE: &str = "_mlir_ciface_";

/// The runtime library's functions that a call begins and ends with.
const BEGIN_CALL: &str = "comb_runtime_begin_call";
const END_CALL: &str = "comb_runtime_end_call";

/// Declares what entry points call.
pub fn declare_runtime<'c>(context: &'c Context, module: &Module<'c>) -> Result<(), Error> {
    let types = Types { context };
    let (pointer, word) = (types.pointer(), types.integer(64));
    let parameters = [pointer; 4];
    declare(context, module, BEGIN_CALL, word, &parameters)?;
    declare(context, module, END_CALL, types.void(), &[word])
}

/// Adds the entry point `symbol` for the function `callee`, which has the
/// signature; `places` say, for messages, where in
/// the program its parameters are.
pub fn add<'c>(
    context: &'c Context,
    module: &Module<'c>,
    signature: &Signature,
    places: &[String],
    callee: &str,
    symbol: &str,
) -> Result<(), Error> {
    let types = Types { context };
    let arguments = [types.pointer()];
    let (words, names) = (format!("{symbol}.words"), format!("{symbol}.names"));
    add_words(context, module, &words, &parameter_words(signature))?;
    add_string(context, module, &names, &parameter_names(signature, places))?;
    define(
        context,
        module,
        symbol,
        types.void(),
        &arguments,
        |writer, arguments| {
            let frame = writer.allocate(types.integer(64))?;
            let (words, names) = (writer.symbol(&words)?, writer.symbol(&names)?);
            let call = writer.call(
                BEGIN_CALL,
                &[words, names, arguments[0], frame],
                Some(types.integer(64)),
            )?;
            let slot = |index| writer.load_element(arguments[0], index);
            let mut operands = vec![];
            for (index, parameter) in signature.parameters.iter().enumerate() {
                let address = slot(index)?;
                operands.push(match &parameter.ty {
                    ValueType::Array { .. } => address,
                    scalar => writer.load(address, types.value(scalar))?,
                });
            }
            let targets = (0..signature.results.len())
                .map(|index| slot(signature.parameters.len() + index))
                .collect::<Result<Vec<_>, _>>()?;
            let callee = format!("{C_INTERFACE}{callee}");
            writer.call_c_interface(&callee, signature, operands, &targets)?;
            writer.call(END_CALL, call.as_slice(), None)?;
            Ok(None)
        },
    )
}

/// What [`comb_runtime::entry::Parameters`] has of the array parameters.
fn parameter_words(signature: &Signature) -> Vec<i64> {
    let mut words = vec![];
    for (position, shape) in array_parameters(signature) {
        words.extend([position as i64, shape.len() as i64]);
        words.extend(shape.iter().map(|size| size.map_or(-1, |size| size as i64)));
    }
    words.push(-1);
    words
}

/// What messages call the array parameters, each but the last with a NUL behind it.
fn parameter_names(signature: &Signature, places: &[String]) -> String {
    let names: Vec<String> = array_parameters(signature)
        .map(|(position, _)| {
            let name = &signature.parameters[position].name;
            let place = &places[position];
            format!("{place}parameter '{name}' of @{}", signature.name).replace('\0', "")
        })
        .collect();
    names.join("\0")
}

fn array_parameters(signature: &Signature) -> impl Iterator<Item = (usize, &[Option<usize>])> {
    signature
        .parameters
        .iter()
        .enumerate()
        .filter_map(|(position, parameter)| match &parameter.ty {
            ValueType::Array { shape, .. } => Some((position, shape.as_slice())),
            ValueType::Scalar(_) => None,
        })
}

/// Defines a function of the LLVM dialect that others can link to.
pub fn define<'c>(
    context: &'c Context,
    module: &Module<'c>,
    symbol: &str,
    result: Type<'c>,
    arguments: &[Type<'c>],
    body: impl for<'a> FnOnce(&Writer<'c, 'a>, &[Value<'c, 'a>]) -> Result<Option<Value<'c, 'a>>, Error>,
) -> Result<(), Error> {
    let location = Location::unknown(context);
    let types = Types { context };
    let at_end = Builder::at_end(module.body(), location);
    let region = Region::new();
    let typed: Vec<_> = arguments.iter().map(|&r#type| (r#type, location)).collect();
    let block = region.append_block(Block::new(&typed));
    // SAFETY: the region, and so the block, goes into the function below, which
    // lives as long as the module.
    let block = unsafe { melior::ir::BlockRef::from_raw(block.to_raw()) };
    let values = (0..arguments.len())
        .map(|index| block.argument(index).map(Into::into))
        .collect::<Result<Vec<_>, _>>()?;
    let writer = Writer {
        builder: Builder::at_end(block, location),
        types,
    };
    let returned = body(&writer, &values)?;
    let operands: Vec<Value> = returned.into_iter().collect();
    writer
        .builder
        .op("llvm.return", &operands, &[], &[], vec![])?;
    let r#type = function(result, arguments, false);
    at_end.op(
        "llvm.func",
        &[],
        &[],
        &[
            ("sym_name", StringAttribute::new(context, symbol).into()),
            ("function_type", TypeAttribute::new(r#type).into()),
            ("linkage", linkage(context, Linkage::External)),
        ],
        vec![region],
    )?;
    Ok(())
}

/// The LLVM dialect's types for comb's.
#[derive(Clone, Copy)]
pub struct Types<'c> {
    context: &'c Context,
}

impl<'c> Types<'c> {
    /// The types of a context.
    pub fn new(context: &'c Context) -> Self {
        Self { context }
    }

    /// A pointer.
    pub fn pointer(self) -> Type<'c> {
        pointer(self.context, 0)
    }

    /// No result.
    pub fn void(self) -> Type<'c> {
        void(self.context)
    }

    /// An integer.
    pub fn integer(self, width: u32) -> Type<'c> {
        IntegerType::new(self.context, width).into()
    }

    /// An array of pointers.
    pub fn pointers(self, count: usize) -> Type<'c> {
        array(self.pointer(), count as u32)
    }

    /// A scalar, or an array's descriptor.
    pub fn value(self, ty: &ValueType) -> Type<'c> {
        match ty {
            ValueType::Scalar(element) => self.element(*element),
            ValueType::Array { shape, .. } => self.descriptor(shape.len()),
        }
    }

    fn element(self, element: ElementType) -> Type<'c> {
        match element {
            ElementType::F16 => Type::float16(self.context),
            ElementType::BF16 => Type::bfloat16(self.context),
            ElementType::F32 => Type::float32(self.context),
            ElementType::F64 => Type::float64(self.context),
            integer => self.integer(integer.bit_width()),
        }
    }

    /// An array's descriptor.
    pub fn descriptor(self, rank: usize) -> Type<'c> {
        let mut fields = vec![self.pointer(), self.pointer(), self.integer(64)];
        if rank > 0 {
            fields.extend([array(self.integer(64), rank as u32); 2]);
        }
        r#struct(self.context, &fields, false)
    }
}

/// Writes the body of a function in the LLVM dialect.
pub struct Writer<'c, 'a> {
    builder: Builder<'c, 'a>,
    types: Types<'c>,
}

impl<'c, 'a> Writer<'c, 'a> {
    /// The value at an address.
    pub fn load(&self, address: Value<'c, 'a>, r#type: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        self.builder.value("llvm.load", &[address], r#type, &[])
    }

    /// Stores a value at an address.
    pub fn store(&self, value: Value<'c, 'a>, address: Value<'c, 'a>) -> Result<(), Error> {
        self.builder
            .op("llvm.store", &[value, address], &[], &[], vec![])?;
        Ok(())
    }

    /// The address of a part: first an index of elements of the type, then of
    /// fields.
    pub fn address_of(
        &self,
        base: Value<'c, 'a>,
        r#type: Type<'c>,
        indices: &[i32],
    ) -> Result<Value<'c, 'a>, Error> {
        let indices = DenseI32ArrayAttribute::new(self.types.context, indices);
        self.builder.value(
            "llvm.getelementptr",
            &[base],
            self.types.pointer(),
            &[
                ("rawConstantIndices", indices.into()),
                ("elem_type", TypeAttribute::new(r#type).into()),
            ],
        )
    }

    /// The pointer at an index of an array of pointers.
    pub fn load_element(
        &self,
        pointers: Value<'c, 'a>,
        index: usize,
    ) -> Result<Value<'c, 'a>, Error> {
        let address = self.address_of(pointers, self.types.pointer(), &[index as i32])?;
        self.load(address, self.types.pointer())
    }

    /// The address of an element of an array at an index.
    pub fn element_address(
        &self,
        base: Value<'c, 'a>,
        element: Type<'c>,
        index: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        // How MLIR says that an index is an operand.
        let indices = DenseI32ArrayAttribute::new(self.types.context, &[i32::MIN]);
        self.builder.value(
            "llvm.getelementptr",
            &[base, index],
            self.types.pointer(),
            &[
                ("rawConstantIndices", indices.into()),
                ("elem_type", TypeAttribute::new(element).into()),
            ],
        )
    }

    /// A constant of 64 bits.
    pub fn word(&self, value: i64) -> Result<Value<'c, 'a>, Error> {
        let i64 = self.types.integer(64);
        let value = IntegerAttribute::new(i64, value).into();
        self.builder
            .value("llvm.mlir.constant", &[], i64, &[("value", value)])
    }

    /// Room for one value of the type.
    pub fn allocate(&self, r#type: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        let one = self.word(1)?;
        self.builder.value(
            "llvm.alloca",
            &[one],
            self.types.pointer(),
            &[("elem_type", TypeAttribute::new(r#type).into())],
        )
    }

    /// The address of a global or a function.
    pub fn symbol(&self, name: &str) -> Result<Value<'c, 'a>, Error> {
        let name = FlatSymbolRefAttribute::new(self.types.context, name);
        self.builder.value(
            "llvm.mlir.addressof",
            &[],
            self.types.pointer(),
            &[("global_name", name.into())],
        )
    }

    /// Calls a function.
    pub fn call(
        &self,
        callee: &str,
        operands: &[Value<'c, 'a>],
        result: Option<Type<'c>>,
    ) -> Result<Option<Value<'c, 'a>>, Error> {
        let context = self.types.context;
        let attributes: [(&str, Attribute); 3] = [
            (
                "callee",
                FlatSymbolRefAttribute::new(context, callee).into(),
            ),
            (
                "operandSegmentSizes",
                DenseI32ArrayAttribute::new(context, &[operands.len() as i32, 0]).into(),
            ),
            (
                "op_bundle_sizes",
                DenseI32ArrayAttribute::new(context, &[]).into(),
            ),
        ];
        let results: Vec<Type> = result.into_iter().collect();
        let call = self
            .builder
            .op("llvm.call", operands, &results, &attributes, vec![])?;
        if results.is_empty() {
            return Ok(None);
        }
        Ok(Some(call.result(0)?.into()))
    }

    fn call_c_interface(
        &self,
        callee: &str,
        signature: &Signature,
        mut operands: Vec<Value<'c, 'a>>,
        targets: &[Value<'c, 'a>],
    ) -> Result<(), Error> {
        let results: Vec<Type> = signature
            .results
            .iter()
            .map(|result| self.types.value(&result.ty))
            .collect();
        match (signature.results.as_slice(), targets) {
            ([], _) => {
                self.call(callee, &operands, None)?;
            }
            ([only], [target]) if matches!(only.ty, ValueType::Scalar(_)) => {
                if let Some(value) = self.call(callee, &operands, Some(results[0]))? {
                    self.store(value, *target)?;
                }
            }
            ([_], [target]) => {
                operands.insert(0, *target);
                self.call(callee, &operands, None)?;
            }
            _ => {
                let packed = r#struct(self.types.context, &results, false);
                let room = self.allocate(packed)?;
                operands.insert(0, room);
                self.call(callee, &operands, None)?;
                for (index, (&target, &r#type)) in targets.iter().zip(&results).enumerate() {
                    let field = self.address_of(room, packed, &[0, index as i32])?;
                    self.store(self.load(field, r#type)?, target)?;
                }
            }
        }
        Ok(())
    }
}

/// Adds a constant string that ends in a NUL, under a local symbol.
pub fn add_string<'c>(
    context: &'c Context,
    module: &Module<'c>,
    symbol: &str,
    text: &str,
) -> Result<(), Error> {
    let text = format!("{text}\0");
    let r#type = array(IntegerType::new(context, 8).into(), text.len() as u32);
    let value = StringAttribute::new(context, &text).into();
    add_constant(context, module, symbol, r#type, value)
}

/// Adds a constant array of words under a local symbol.
fn add_words<'c>(
    context: &'c Context,
    module: &Module<'c>,
    symbol: &str,
    words: &[i64],
) -> Result<(), Error> {
    let word = IntegerType::new(context, 64).into();
    let text = format!("dense<{words:?}> : tensor<{}xi64>", words.len());
    let value = Attribute::parse(context, &text).ok_or(Error::AttributeParse(text))?;
    let r#type = array(word, words.len() as u32);
    add_constant(context, module, symbol, r#type, value)
}

fn add_constant<'c>(
    context: &'c Context,
    module: &Module<'c>,
    symbol: &str,
    r#type: Type<'c>,
    value: Attribute<'c>,
) -> Result<(), Error> {
    let builder = Builder::at_end(module.body(), Location::unknown(context));
    builder.op(
        "llvm.mlir.global",
        &[],
        &[],
        &[
            ("sym_name", StringAttribute::new(context, symbol).into()),
            ("global_type", TypeAttribute::new(r#type).into()),
            ("linkage", linkage(context, Linkage::Internal)),
            ("constant", Attribute::unit(context)),
            ("value", value),
        ],
        vec![Region::new()],
    )?;
    Ok(())
}

/// Adds the declaration of a function that is linked in later.
pub fn declare<'c>(
    context: &'c Context,
    module: &Module<'c>,
    symbol: &str,
    result: Type<'c>,
    arguments: &[Type<'c>],
) -> Result<(), Error> {
    let builder = Builder::at_end(module.body(), Location::unknown(context));
    builder.op(
        "llvm.func",
        &[],
        &[],
        &[
            ("sym_name", StringAttribute::new(context, symbol).into()),
            (
                "function_type",
                TypeAttribute::new(function(result, arguments, false)).into(),
            ),
            ("linkage", linkage(context, Linkage::External)),
        ],
        vec![Region::new()],
    )?;
    Ok(())
}
