//! What the reference pages say about ops of `soac` and `nest`: what an op does, and an example.

/// The pages that are generated from the definitions of ops.
const PAGES: [&str; 2] = [
    include_str!("../../../docs/src/reference/soac.md"),
    include_str!("../../../docs/src/reference/nest.md"),
];

/// Where the part that only compilers need begins.
const REST: [&str; 3] = ["\nTraits:", "\nInterfaces:", "\n#### "];

/// The part of a page about an op, without its heading.
fn section(op: &str) -> Option<&'static str> {
    let heading = format!("\n### `{op}` ");
    let rest = PAGES
        .iter()
        .find_map(|page| Some(page.split_once(&heading)?.1))?;
    let rest = &rest[rest.find('\n')?..];
    let end = rest.find("\n### ").unwrap_or(rest.len());
    Some(&rest[..end])
}

/// What an op does, its syntax and examples, in Markdown.
pub fn documentation(op: &str) -> Option<&'static str> {
    let section = section(op)?;
    let end = REST.iter().filter_map(|mark| section.find(mark)).min();
    Some(section[..end.unwrap_or(section.len())].trim())
}

/// What an op does, in a line.
pub fn summary(op: &str) -> Option<&'static str> {
    let line = documentation(op)?.lines().next()?;
    line.strip_prefix('_')?.strip_suffix('_')
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
    fn ops_have_documentation_and_examples() {
        for op in [
            "soac.map",
            "soac.fold",
            "soac.scanl",
            "soac.filter",
            "nest.loop",
        ] {
            let example = example(op).unwrap_or_default();
            assert!(example.contains(op), "{op}: {example}");
            let documentation = documentation(op).unwrap_or_default();
            assert!(documentation.contains(example), "{op}: {documentation}");
            assert!(!documentation.contains("Traits:"), "{op}: {documentation}");
            assert!(summary(op).is_some_and(|summary| !summary.is_empty()));
        }
        assert_eq!(example("soac.nothing"), None);
        assert_eq!(documentation("soac.nothing"), None);
    }
}
