//! The instances in graphs/.

use std::{fs, path::Path};

use comb_fusion::graph::Graph;

/// Every instance but the large ones, with its file's name, in the order of names.
pub fn instances() -> Vec<(String, Graph)> {
    instances_in(&["graphs", "graphs/depth"])
}

/// Every instance of some folders, with its file's name, in the order of names.
pub fn instances_in(folders: &[&str]) -> Vec<(String, Graph)> {
    let mut instances = vec![];
    for folder in folders {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "json")
            {
                let text = fs::read_to_string(&path).unwrap();
                if !text.contains("\"operations\"") {
                    let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
                    instances.push((name.display().to_string(), Graph::from_json(&text).unwrap()));
                }
            }
        }
    }
    instances.sort_by(|one, other| one.0.cmp(&other.0));
    instances
}
