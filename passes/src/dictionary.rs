//! The options of a pass, as the C++ side gives them.

use melior::{
    StringRef,
    ir::{Attribute, AttributeLike},
};
use mlir_sys::{
    mlirArrayAttrGetElement, mlirArrayAttrGetNumElements, mlirBoolAttrGetValue,
    mlirDictionaryAttrGetElementByName, mlirFloatAttrGetValueDouble, mlirIntegerAttrGetValueInt,
    mlirStringAttrGetValue,
};
use soac_dialect::text::{bytes, shown};

/// A dictionary of options; that it has all of them is what build/cpp.rs sees to.
pub(crate) struct Dictionary<'c>(pub(crate) Attribute<'c>);

impl<'c> Dictionary<'c> {
    fn get(&self, name: &str) -> Attribute<'c> {
        // SAFETY: the attribute is a dictionary, and the name alive during the call.
        let raw = unsafe {
            mlirDictionaryAttrGetElementByName(self.0.to_raw(), StringRef::new(name).to_raw())
        };
        // SAFETY: the attribute belongs to the dictionary's context, or is null.
        unsafe { Attribute::from_option_raw(raw) }.expect("the C++ side gives all options")
    }

    /// An option that is true or false.
    pub(crate) fn flag(&self, name: &str) -> bool {
        let value = self.get(name);
        assert!(value.is_bool(), "{name} is no flag");
        // SAFETY: it is one.
        unsafe { mlirBoolAttrGetValue(value.to_raw()) }
    }

    /// An option that is a whole number.
    pub(crate) fn integer(&self, name: &str) -> i64 {
        let value = self.get(name);
        assert!(value.is_integer(), "{name} is no integer");
        // SAFETY: it is one.
        unsafe { mlirIntegerAttrGetValueInt(value.to_raw()) }
    }

    /// An option that is any number.
    pub(crate) fn real(&self, name: &str) -> f64 {
        let value = self.get(name);
        assert!(value.is_float(), "{name} is no floating-point number");
        // SAFETY: it is one.
        unsafe { mlirFloatAttrGetValueDouble(value.to_raw()) }
    }

    /// An option that is text. What is not UTF-8 is shown by escapes.
    pub(crate) fn text(&self, name: &str) -> String {
        text(self.get(name))
    }

    /// An option that is a list of texts.
    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        let list = self.get(name);
        assert!(list.is_array(), "{name} is no list");
        // SAFETY: it is one, and has as many elements.
        let count = unsafe { mlirArrayAttrGetNumElements(list.to_raw()) };
        let elements = (0..count).map(|place| {
            // SAFETY: as above.
            unsafe { Attribute::from_raw(mlirArrayAttrGetElement(list.to_raw(), place)) }
        });
        elements.map(text).collect()
    }
}

fn text(value: Attribute) -> String {
    assert!(value.is_string(), "{value} is no text");
    // SAFETY: the text belongs to the context, which is alive.
    shown(unsafe { bytes(mlirStringAttrGetValue(value.to_raw())) })
}
