//! The page of the book has the transformations that there are.

use std::{fs, path::Path};

use comb_passes::transformations::Transformation;

#[test]
fn the_page_has_all_transformations() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/transformations.md");
    let page = fs::read_to_string(path).expect("the book is there");
    let mut table = "| name | what it does | pass |\n|---|---|---|\n".to_owned();
    for one in Transformation::ALL {
        let (name, meaning, pass) = (one.name(), one.meaning(), one.pass());
        let meaning = meaning.strip_suffix('.').unwrap_or(meaning);
        table += &format!("| `{name}` | {meaning} | `{pass}` |\n");
    }
    assert!(page.contains(&table), "the page lacks this table:\n{table}");
}
