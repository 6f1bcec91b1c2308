//! Strings of the IR as Rust's: names, messages, files of locations.
//!
//! MLIR's strings are any bytes, none and NUL included. What compares them takes the
//! [`bytes`]; what people read takes what is [`shown`]. melior's own accessors panic at what
//! is empty or not UTF-8, and leave out a NUL in the end, so that nothing of comb uses them.

use melior::ir::{
    Identifier, OperationRef,
    attribute::{AttributeLike, FlatSymbolRefAttribute, StringAttribute},
    operation::OperationLike,
};
use mlir_sys::{
    MlirStringRef, mlirFlatSymbolRefAttrGetValue, mlirIdentifierStr, mlirStringAttrGetValue,
};

/// The bytes of a string.
///
/// # Safety
///
/// The string must be alive for `'a`; its pointer may be null if it is empty.
pub unsafe fn bytes<'a>(string: MlirStringRef) -> &'a [u8] {
    if string.length == 0 {
        return &[];
    }
    // SAFETY: by the caller's promise.
    unsafe { std::slice::from_raw_parts(string.data.cast::<u8>(), string.length) }
}

/// Text for people: what is not UTF-8, and NUL, are written as `\FF`, as MLIR does.
pub fn shown(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(&chunk.valid().replace('\0', "\\00"));
        for byte in chunk.invalid() {
            text.push_str(&format!("\\{byte:02X}"));
        }
    }
    text
}

/// Bytes as a name that people can type: UTF-8 without NUL.
pub fn as_name(bytes: &[u8]) -> Option<&str> {
    let name = std::str::from_utf8(bytes).ok()?;
    (!name.contains('\0')).then_some(name)
}

/// The value of a string attribute.
pub fn string_bytes<'c>(attribute: StringAttribute<'c>) -> &'c [u8] {
    // SAFETY: the attribute is a string, which lives as long as the context.
    unsafe { bytes(mlirStringAttrGetValue(attribute.to_raw())) }
}

/// The name that a reference to a symbol has.
pub fn reference_bytes<'c>(attribute: FlatSymbolRefAttribute<'c>) -> &'c [u8] {
    // SAFETY: the attribute is such a reference, which lives as long as the context.
    unsafe { bytes(mlirFlatSymbolRefAttrGetValue(attribute.to_raw())) }
}

/// The bytes of an identifier.
pub fn identifier_bytes<'c>(identifier: Identifier<'c>) -> &'c [u8] {
    // SAFETY: the identifier lives as long as the context.
    unsafe { bytes(mlirIdentifierStr(identifier.to_raw())) }
}

/// The value of an attribute of an op, if it is there and a string.
pub fn attribute_bytes<'c>(op: OperationRef<'c, '_>, name: &str) -> Option<&'c [u8]> {
    let attribute = StringAttribute::try_from(op.attribute(name).ok()?).ok()?;
    Some(string_bytes(attribute))
}

/// The name of a symbol, such as a function.
pub fn symbol_bytes<'c>(op: OperationRef<'c, '_>) -> Option<&'c [u8]> {
    attribute_bytes(op, "sym_name")
}

#[cfg(test)]
mod tests {
    use super::*;
    use melior::{Context, ir::Attribute};

    #[test]
    fn what_is_no_text_is_shown_as_mlir_writes_it() {
        assert_eq!(shown(b""), "");
        assert_eq!(shown("a\\é\n".as_bytes()), "a\\é\n");
        assert_eq!(shown(b"a\xffb\xc3"), "a\\FFb\\C3");
        assert_eq!(shown(b"\0a\0"), "\\00a\\00");
    }

    #[test]
    fn names_have_neither_nul_nor_what_is_no_text() {
        assert_eq!(as_name(b""), Some(""));
        assert_eq!(as_name("é".as_bytes()), Some("é"));
        assert_eq!(as_name(b"a\0"), None);
        assert_eq!(as_name(b"\xff"), None);
    }

    #[test]
    fn strings_have_all_their_bytes() {
        let context = Context::new();
        for (source, expected) in [
            ("\"\"", &b""[..]),
            ("\"\\FF\"", b"\xff"),
            ("\"a\\00\"", b"a\0"),
        ] {
            let attribute = Attribute::parse(&context, source).unwrap();
            assert_eq!(string_bytes(attribute.try_into().unwrap()), expected);
            let reference = Attribute::parse(&context, &format!("@{source}")).unwrap();
            assert_eq!(reference_bytes(reference.try_into().unwrap()), expected);
        }
    }
}
