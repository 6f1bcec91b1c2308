//! What the reference pages say about ops of `soac`: what an op does, and an example.

/// The page that is generated from the definitions of ops.
const PAGE: &str = include_str!("../../../docs/src/reference/soac.md");

/// The part of the page about an op, without its heading.
fn section(op: &str) -> Option<&'static str> {
    let heading = format!("\n### `{op}` ");
    let start = PAGE.find(&heading)? + heading.len();
    let rest = &PAGE[start..];
    let rest = &rest[rest.find('\n')?..];
    let end = rest.find("\n### ").unwrap_or(rest.len());
    Some(&rest[..end])
}

/// The first example of an op.
pub fn example(op: &str) -> Option<&'static str> {
    let (_, rest) = section(op)?.split_once("```mlir\n")?;
    Some(rest.split_once("```")?.0.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_have_examples() {
        for op in ["soac.map", "soac.fold", "soac.scanl", "soac.filter"] {
            let example = example(op).unwrap_or_default();
            assert!(example.contains(op), "{op}: {example}");
        }
        assert_eq!(example("soac.nothing"), None);
    }
}
