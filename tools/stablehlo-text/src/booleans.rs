//! Constants of truth values, as newer versions of MLIR write them: a byte for each, where MLIR 22 has a bit.

/// The most elements of which the sizes can be multiplied.
const MOST: usize = 1 << 40;

/// `dense<"0x…">` with a bit for each truth value, if it has a byte for each, and the type is that of truth values.
pub(crate) fn packed(value: &str, of: &str) -> Option<String> {
    let sizes = of.strip_prefix("tensor<")?.strip_suffix("xi1>")?;
    let count = sizes.split('x').try_fold(1_usize, |count, size| {
        count
            .checked_mul(size.parse().ok()?)
            .filter(|&count| count <= MOST)
    })?;
    let digits = value.strip_prefix("dense<\"0x")?.strip_suffix("\">")?;
    if count < 2 || digits.len() != 2 * count || !digits.is_ascii() {
        return None;
    }
    let bytes: Vec<bool> = (digits.as_bytes().chunks(2))
        .map(|pair| pair != b"00")
        .collect();
    let packed = bytes.chunks(8).map(|eight| {
        let bits = eight.iter().enumerate();
        bits.fold(0_u8, |byte, (bit, &is)| byte | u8::from(is) << bit)
    });
    let digits: String = packed.map(|byte| format!("{byte:02X}")).collect();
    Some(format!("dense<\"0x{digits}\">"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_for_each_byte() {
        let bytes = "dense<\"0x01000001010000000001\">";
        let bits = Some("dense<\"0x1902\">".to_owned());
        assert_eq!(packed(bytes, "tensor<10xi1>"), bits);
        assert_eq!(packed(bytes, "tensor<5x2xi1>"), bits);
    }

    #[test]
    fn all_else_stays() {
        assert_eq!(packed("dense<\"0x1902\">", "tensor<10xi1>"), None);
        assert_eq!(packed("dense<\"0x0100\">", "tensor<2xi8>"), None);
        assert_eq!(packed("dense<true>", "tensor<2xi1>"), None);
        assert_eq!(packed("dense<\"0x01\">", "tensor<?xi1>"), None);
    }
}
