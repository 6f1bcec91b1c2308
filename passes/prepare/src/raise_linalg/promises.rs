//! What an op promises of its operands and its result, which need not hold of those that another order of a fold
//! gives: that no integer overflows, and that no number is NaN or infinite.

use melior::{
    Error,
    ir::{Attribute, OperationRef},
};
use soac_dialect::{builder::Builder, view::named_attributes};

const OVERFLOW: &str = "overflowFlags";
const FAST_MATH: &str = "fastmath";

/// The attributes of an op without such promises.
pub(super) fn without<'c>(
    builder: &Builder<'c, '_>,
    op: OperationRef<'c, '_>,
) -> Result<Vec<(&'c str, Attribute<'c>)>, Error> {
    named_attributes(op)
        .into_iter()
        .filter(|&(name, _)| name != OVERFLOW)
        .map(|(name, value)| match name {
            FAST_MATH => Ok((name, builder.attribute(&of_any_number(&value.to_string()))?)),
            _ => Ok((name, value)),
        })
        .collect()
}

/// Flags of floating-point arithmetic, without those that promise something of numbers.
fn of_any_number(flags: &str) -> String {
    let list = flags.split_once('<').map_or("", |(_, list)| list);
    let words = list.trim_end_matches('>').split(',').map(str::trim);
    let kept: Vec<&str> = words
        .flat_map(|word| match word {
            "fast" => vec!["reassoc", "nsz", "arcp", "contract", "afn"],
            "nnan" | "ninf" | "none" => vec![],
            word => vec![word],
        })
        .collect();
    match kept.is_empty() {
        true => "#arith.fastmath<none>".to_owned(),
        false => format!("#arith.fastmath<{}>", kept.join(",")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_promised_of_numbers_goes() {
        let flags = |list: &str| of_any_number(&format!("#arith.fastmath<{list}>"));
        assert_eq!(flags("none"), "#arith.fastmath<none>");
        assert_eq!(flags("nnan,ninf"), "#arith.fastmath<none>");
        assert_eq!(flags("nnan,contract"), "#arith.fastmath<contract>");
        assert_eq!(
            flags("fast"),
            "#arith.fastmath<reassoc,nsz,arcp,contract,afn>"
        );
    }
}
