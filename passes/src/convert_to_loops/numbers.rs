//! Results that are one number each, such as the sum of an array.
//!
//! Most are read at once, by a `tensor.extract`. That gets the number itself: as an
//! array, it would need memory, and in a lambda that at every iteration.

use melior::ir::{OperationRef, Value};
use soac_dialect::{
    description::array_type,
    view::{op_name, uses},
};

use super::{
    emitter::{Emitted, Emitter, internal},
    plan::ArrayId,
};

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Gives a number to what reads a result; gives it as an array for other uses.
    pub fn number(
        &self,
        op: OperationRef<'c, 'a>,
        result: usize,
        array: ArrayId,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let front = self.front;
        let computed = &self.plan.arrays[array];
        let location = self.plan.leaves[computed.leaf].view.location;
        let element = self.now.elements.get(&array);
        let element = element.and_then(|element| element.uniform());
        let element = element.ok_or_else(|| internal(location, "a result is not there"))?;
        let users = uses(op.result(result)?.into());
        let (reads, others): (Vec<_>, Vec<_>) = users
            .into_iter()
            .partition(|&(user, _)| op_name(user) == "tensor.extract");
        for (read, _) in reads {
            front.replace(read, &[element]);
        }
        match others.is_empty() {
            true => self.unused(op, result, array),
            false => {
                let r#type = array_type(&[], computed.element);
                Ok(front.value("tensor.from_elements", &[element], r#type, &[])?)
            }
        }
    }
}
