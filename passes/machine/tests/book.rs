//! The page of the book has the facts and the CPUs that there are.

use std::{collections::BTreeMap, fs, path::Path};

use comb_machine::{CPUS, FACTS, GPU_FACTS, GPUS, Machine, Value};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/machine.md");
    fs::read_to_string(path).expect("the book is there")
}

fn assert_has(table: &str) {
    assert!(
        page().contains(table),
        "the page lacks this table:\n{table}"
    );
}

fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Word(word) => format!("\"{word}\""),
    }
}

#[test]
fn the_page_has_all_facts() {
    let mut table = "| fact | `default` | what it means |\n|---|---|---|\n".to_owned();
    for fact in FACTS {
        let default = shown(&fact.of(&Machine::DEFAULT));
        table += &format!("| `{}` | `{default}` | {} |\n", fact.key, fact.meaning);
    }
    assert_has(&table);
}

#[test]
fn the_page_has_all_cpus() {
    let mut rows: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut order = vec![];
    for cpu in &CPUS[1..] {
        let differing = FACTS
            .iter()
            .map(|fact| (fact.key, fact.of(&cpu.machine), fact.of(&Machine::DEFAULT)))
            .filter(|(_, value, default)| value != default)
            .map(|(key, value, _)| format!("`{key} = {}`", shown(&value)));
        let differing = differing.collect::<Vec<_>>().join(", ");
        if !rows.contains_key(&differing) {
            order.push(differing.clone());
        }
        rows.entry(differing).or_default().push(cpu.name);
    }
    let mut table = "| CPUs | what is otherwise than with `default` |\n|---|---|\n".to_owned();
    for differing in order {
        let names = rows[&differing].iter().map(|name| format!("`{name}`"));
        let names = names.collect::<Vec<_>>().join(", ");
        table += &format!("| {names} | {differing} |\n");
    }
    assert_has(&table);
}

#[test]
fn the_page_has_all_facts_of_gpus() {
    let mut table = "| fact | what it means |\n|---|---|\n".to_owned();
    for fact in GPU_FACTS {
        table += &format!("| `{}` | {} |\n", fact.key, fact.meaning);
    }
    assert_has(&table);
}

#[test]
fn the_page_has_all_gpus() {
    let mut rows: Vec<(String, Vec<String>)> = vec![];
    for row in GPUS {
        let facts = GPU_FACTS.iter().map(|fact| shown(&fact.of(&row.gpu)));
        let facts = facts.collect::<Vec<_>>().join(" | ");
        let name = format!("`{}`", row.name);
        match rows.iter_mut().find(|(known, _)| *known == facts) {
            Some((_, names)) => names.push(name),
            None => rows.push((facts, vec![name])),
        }
    }
    for (facts, names) in rows {
        assert_has(&format!("| {} | {facts} |\n", names.join(", ")));
    }
}
