//! What is said of lists of array operations.

use serde_json::{Value, json};

use crate::solve::{
    SolvedOperations, interrupt,
    report::{number, rounded},
};

/// One object.
pub fn json(solved: &SolvedOperations) -> Value {
    let SolvedOperations { task, found } = solved;
    let from_one = |block: &Vec<usize>| block.iter().map(|number| number + 1).collect();
    let blocks: Vec<Vec<usize>> = found.blocks.iter().map(from_one).collect();
    json!({
        "name": task.instance.name,
        "file": task.file,
        "operations": task.instance.operations.len(),
        "objective": task.model.to_string(),
        "cost": number(found.cost),
        "optimal": found.optimal,
        "seconds": found.elapsed.as_secs_f64(),
        "interrupted": interrupt::is_wanted(),
        "blocks": blocks,
    })
}

/// A table with a row for each list.
pub fn table(solved: &[&SolvedOperations]) -> String {
    let header = ["list", "operations", "blocks", "cost", "", "seconds"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(solved.iter().map(|solved| row(solved)));
    super::table(&rows)
}

fn row(solved: &SolvedOperations) -> Vec<String> {
    let SolvedOperations { task, found } = solved;
    let judgement = if found.optimal {
        "optimal"
    } else {
        "not proven"
    };
    vec![
        task.instance.name.clone(),
        task.instance.operations.len().to_string(),
        found.blocks.len().to_string(),
        rounded(found.cost),
        judgement.to_owned(),
        format!("{:.3}", found.elapsed.as_secs_f64()),
    ]
}

/// The blocks of a list.
pub fn details(solved: &SolvedOperations) -> String {
    let SolvedOperations { task, found } = solved;
    let name = |&number: &usize| task.instance.operations[number].name.as_str();
    let lines = found.blocks.iter().enumerate().map(|(position, block)| {
        let names: Vec<&str> = block.iter().map(name).collect();
        format!("block {}: {}\n", position + 1, names.join("; "))
    });
    lines.collect()
}
