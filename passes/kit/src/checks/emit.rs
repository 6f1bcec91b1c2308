//! What checks are made of, on top of the dialect's [`Builder`].

use melior::{
    Error,
    ir::{Type, TypeLike, Value, r#type::IntegerType},
};
use soac_dialect::{builder::Builder, cast::cast};

type Built<'c, 'a> = Result<Value<'c, 'a>, Error>;

/// Ops of the `arith` dialect by their meaning.
pub trait Emit<'c, 'a> {
    /// An op on two values of one type, which is that of its result.
    fn binary(&self, name: &str, left: Value<'c, 'a>, right: Value<'c, 'a>) -> Built<'c, 'a>;

    /// Conjunction of conditions; true if there are none.
    fn all(&self, conditions: &[Value<'c, 'a>]) -> Built<'c, 'a>;

    /// A constant of 128 bits.
    fn wide(&self, value: i64) -> Built<'c, 'a>;
}

impl<'c: 'a, 'a> Emit<'c, 'a> for Builder<'c, 'a> {
    fn binary(&self, name: &str, left: Value<'c, 'a>, right: Value<'c, 'a>) -> Built<'c, 'a> {
        self.arithmetic(name, &[left, right])
    }

    fn all(&self, conditions: &[Value<'c, 'a>]) -> Built<'c, 'a> {
        match conditions {
            [] => self.integer(1, self.integer_type(1)),
            [first, rest @ ..] => rest.iter().try_fold(*first, |all, &condition| {
                self.binary("arith.andi", all, condition)
            }),
        }
    }

    fn wide(&self, value: i64) -> Built<'c, 'a> {
        // The C API extends what it is given with zeros.
        let wide = self.integer_type(128);
        let attribute = self.attribute(&format!("{value} : i128"))?;
        self.value("arith.constant", &[], wide, &[("value", attribute)])
    }
}

/// The width in bits of a signless integer or of `index` (which has 64), or
/// nothing for other types.
pub fn integer_width(r#type: Type) -> Option<u32> {
    if r#type.is_index() {
        return Some(64);
    }
    cast::<IntegerType>(r#type)
        .filter(IntegerType::is_signless)
        .map(|integer| integer.width())
}
