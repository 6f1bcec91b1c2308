//! Words: the bits of all numbers that decide, turned so that their order without a sign is the one that
//! is asked for.
//!
//! The number that decides first has the highest bits.

use std::{cmp::Ordering, collections::HashMap};

use melior::ir::{
    BlockLike, OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike,
    r#type::IntegerType,
};
use soac_dialect::builder::{Builder, FloatPredicate};

use super::{
    Emitted, Values,
    key::{Key, Keys, Order},
};
use comb_kit::{checks::facts::key as key_of, walk::op_key};

impl<'c: 'a, 'a> Keys<'c, 'a> {
    /// The type of words.
    pub fn word(&self, builder: &Builder<'c, 'a>) -> Type<'c> {
        builder.integer_type(self.width().next_power_of_two().max(32))
    }

    /// The word of the elements at a place.
    ///
    /// # Errors
    ///
    /// If MLIR rejects what was built.
    pub fn encoded(
        &self,
        builder: &Builder<'c, 'a>,
        elements: &[Value<'c, 'a>],
    ) -> Emitted<'c, Value<'c, 'a>> {
        let word = self.word(builder);
        let mut all = None;
        for (key, number) in self.list.iter().zip(self.computed(builder, elements)?) {
            let bits = fitted(builder, key.encoded(builder, number)?, word)?;
            all = Some(match all {
                None => bits,
                Some(before) => {
                    let width = builder.integer(i64::from(key.width), word)?;
                    let before = builder.arithmetic("arith.shli", &[before, width])?;
                    builder.arithmetic("arith.ori", &[before, bits])?
                }
            });
        }
        match all {
            Some(all) => Ok(all),
            None => Ok(builder.integer(0, word)?),
        }
    }

    /// An element of a type, made of a word: the number of a key has its bits.
    ///
    /// # Errors
    ///
    /// If MLIR rejects what was built.
    pub fn decoded(
        &self,
        builder: &Builder<'c, 'a>,
        word: Value<'c, 'a>,
        key: usize,
        element: Type<'c>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let behind: u32 = self.list[key + 1..].iter().map(|key| key.width).sum();
        let behind = builder.integer(i64::from(behind), word.r#type())?;
        let key = &self.list[key];
        let bits = builder.arithmetic("arith.shrui", &[word, behind])?;
        let bits = fitted(builder, bits, builder.integer_type(key.width))?;
        key.decoded(builder, bits, element)
    }

    /// The numbers that decide, of the elements at a place.
    fn computed(
        &self,
        builder: &Builder<'c, 'a>,
        elements: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let mut new: HashMap<usize, Value> = HashMap::new();
        for (number, &element) in elements.iter().chain(elements).enumerate() {
            new.insert(key_of(self.block.argument(number)?.into()), element);
        }
        let mut next = self.block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            if self.ops.contains(&op_key(op)) {
                // SAFETY: the op belongs to the sort, which lives for 'a.
                let op: OperationRef<'c, 'a> = unsafe { OperationRef::from_raw(op.to_raw()) };
                let copy = builder.copy(op, &mut |value| {
                    new.get(&key_of(value)).copied().unwrap_or(value)
                });
                new.insert(key_of(op.result(0)?.into()), copy.result(0)?.into());
            }
        }
        let values = self.list.iter().map(|key| key.value);
        Ok(values
            .map(|value| new.get(&key_of(value)).copied().unwrap_or(value))
            .collect())
    }
}

impl<'c: 'a, 'a> Key<'c, 'a> {
    /// The bits of a number, turned.
    fn encoded(
        &self,
        builder: &Builder<'c, 'a>,
        number: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let number = match self.order {
            Order::Float => {
                let zero = builder.float(0.0, number.r#type())?;
                let is_zero = builder.compare_floats(FloatPredicate::Oeq, number, zero)?;
                builder.select(is_zero, zero, number)?
            }
            _ => number,
        };
        let mut bits = as_bits(builder, number, self.width)?;
        if let Some(turned) = turned(builder, bits, self.order, self.width)? {
            bits = builder.arithmetic("arith.xori", &[bits, turned])?;
        }
        self.fallen(builder, bits)
    }

    /// The element whose bits were turned.
    fn decoded(
        &self,
        builder: &Builder<'c, 'a>,
        bits: Value<'c, 'a>,
        element: Type<'c>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let order = match is_float(element) {
            true => Order::Float,
            false => self.order,
        };
        let mut bits = self.fallen(builder, bits)?;
        // The sign of what is positive is set in its word.
        let source = match order {
            Order::Float => {
                let ones = builder.integer(-1, bits.r#type())?;
                builder.arithmetic("arith.xori", &[bits, ones])?
            }
            _ => bits,
        };
        if let Some(turned) = turned(builder, source, order, self.width)? {
            bits = builder.arithmetic("arith.xori", &[bits, turned])?;
        }
        Ok(match element {
            _ if element.is_index() => builder.value("arith.index_cast", &[bits], element, &[])?,
            _ if is_float(element) => builder.value("arith.bitcast", &[bits], element, &[])?,
            _ => bits,
        })
    }

    /// Bits, or all turned if greater numbers go first.
    fn fallen(&self, builder: &Builder<'c, 'a>, bits: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        if !self.falls {
            return Ok(bits);
        }
        let ones = builder.integer(-1, bits.r#type())?;
        Ok(builder.arithmetic("arith.xori", &[bits, ones])?)
    }
}

/// The bits of a number.
pub(super) fn as_bits<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
    width: u32,
) -> Emitted<'c, Value<'c, 'a>> {
    let bits = builder.integer_type(width);
    Ok(match number.r#type() {
        r#type if r#type.is_index() => builder.value("arith.index_cast", &[number], bits, &[])?,
        r#type if is_float(r#type) => builder.value("arith.bitcast", &[number], bits, &[])?,
        _ => number,
    })
}

fn is_float(r#type: Type) -> bool {
    r#type.is_f64() || r#type.is_f32() || r#type.is_f16() || r#type.is_bf16()
}

/// The low bits of an integer, as another type of integers.
fn fitted<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    bits: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Emitted<'c, Value<'c, 'a>> {
    let width = |r#type| IntegerType::try_from(r#type).map(|integer| integer.width());
    let name = match width(bits.r#type())?.cmp(&width(r#type)?) {
        Ordering::Less => "arith.extui",
        Ordering::Equal => return Ok(bits),
        Ordering::Greater => "arith.trunci",
    };
    Ok(builder.value(name, &[bits], r#type, &[])?)
}

/// The bits that differ between a number and what is made of it: the sign, and all of a negative
/// floating-point number.
fn turned<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    bits: Value<'c, 'a>,
    order: Order,
    width: u32,
) -> Emitted<'c, Option<Value<'c, 'a>>> {
    let r#type = builder.integer_type(width);
    let sign = builder.integer(i64::MIN >> (64 - width), r#type)?;
    Ok(match order {
        Order::Unsigned => None,
        Order::Signed => Some(sign),
        Order::Float => {
            let last = builder.integer(i64::from(width) - 1, r#type)?;
            let signs = builder.arithmetic("arith.shrsi", &[bits, last])?;
            Some(builder.arithmetic("arith.ori", &[signs, sign])?)
        }
    })
}
