//! `comb solve`: answers, files, wrong input, interrupts, and the pictures of the
//! book.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use common::{Folder, comb};
use serde_json::Value;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn graph(name: &str) -> String {
    let folder = repository().join("passes/fusion/graphs");
    folder.join(format!("{name}.json")).display().to_string()
}

fn answers(folder: &Folder, arguments: &str) -> Vec<Value> {
    let outcome = folder.succeed(&format!("solve --json {arguments}"));
    let lines = outcome.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

const SMALL: [&str; 8] = [
    "FA66",
    "LU51",
    "MG99",
    "mix1",
    "mix2",
    "mix3",
    "depth/softmax",
    "depth/attention-batched",
];

#[test]
fn stored_optima_are_reached() {
    let folder = Folder::new();
    let files: Vec<String> = SMALL.iter().map(|name| graph(name)).collect();
    let answers = answers(&folder, &files.join(" "));
    assert_eq!(answers.len(), SMALL.len());
    for answer in answers {
        assert_eq!(answer["optimal"], true, "{answer}");
        assert!(answer["cost"].is_number(), "{answer}");
        assert_eq!(answer["cost"], answer["stored_optimum"], "{answer}");
        assert_eq!(answer["cost"], answer["bound"], "{answer}");
    }
}

#[test]
fn reads_and_writes_are_what_is_paid_for() {
    let folder = Folder::new();
    for (cost, field) in [("reads", "reads"), ("writes", "writes")] {
        let file = graph("LU51");
        let answer = &answers(&folder, &format!("{file} --cost {cost}"))[0];
        assert_eq!(answer["cost"], answer[field]);
        let answer = &answers(&folder, &format!("{file} --algorithm singleton"))[0];
        assert_eq!(answer["clusters"].as_array().unwrap().len(), 53);
    }
}

#[test]
fn reasons_name_what_stands_between() {
    let folder = Folder::new();
    let file = graph("scatterExample");
    let answer = &answers(&folder, &format!("{file} --reasons"))[0];
    let reasons = answer["reasons"].as_array().unwrap();
    let of = |nodes: [u64; 2]| {
        let found = reasons.iter().find(|reason| {
            reason["nodes"] == serde_json::json!(nodes)
                || reason["nodes"] == serde_json::json!([nodes[1], nodes[0]])
        });
        found.unwrap_or_else(|| panic!("{nodes:?}: {reasons:?}"))
    };
    assert_eq!(of([2, 3])["reason"], "unfusible-use");
    assert_eq!(of([2, 3])["detail"], serde_json::json!([2, 3]));
    assert_eq!(of([1, 2])["reason"], "costs-more");
    assert_eq!(of([1, 2])["detail"], 1);
    let limited = &answers(&folder, &format!("{file} --reasons --max-arguments 2"))[0];
    let limited = limited["reasons"].as_array().unwrap();
    let is_limit = |reason: &Value| reason["reason"] == "limit-reached";
    assert!(limited.iter().any(is_limit), "{limited:?}");
    let other = folder.comb(&format!("solve {file} --reasons --algorithm greedy"));
    assert!(
        other
            .stderr
            .contains("--reasons is for comb's own solver only")
    );
}

#[test]
fn wishes_are_fulfilled() {
    let folder = Folder::new();
    let file = graph("singleLoop");
    let answer = &answers(&folder, &format!("{file} --forbid 3,5"))[0];
    let clusters = answer["clusters"].as_array().unwrap();
    let has = |cluster: &Value, id: u64| cluster.as_array().unwrap().contains(&id.into());
    assert!(
        !clusters
            .iter()
            .any(|cluster| has(cluster, 3) && has(cluster, 5))
    );
    let forced = format!("{file} --cost 0*reads --force 3,5");
    let answer = &answers(&folder, &forced)[0];
    let clusters = answer["clusters"].as_array().unwrap();
    assert!(
        clusters
            .iter()
            .any(|cluster| has(cluster, 3) && has(cluster, 5))
    );
}

#[test]
fn loops_keep_limits() {
    let folder = Folder::new();
    let file = graph("mix1");
    let cost = |options: &str| {
        let answer = &answers(&folder, &format!("{file} {options}"))[0];
        assert_eq!(answer["optimal"], true);
        answer["cost"].as_f64().unwrap()
    };
    assert!(cost("--max-arguments 2") > cost(""));
    assert_eq!(cost("--max-arguments 1000"), cost(""));
    assert_eq!(cost("--max-memory 1000000000"), cost(""));
    let none = "--max-arguments 0 --max-memory 0 --solver-memory 0";
    assert_eq!(cost(none), cost(""));
}

#[test]
fn other_solvers_agree() {
    let folder = Folder::new();
    for solver in ["highs", "cbc"] {
        for formulation in ["figure4", "compact"] {
            let file = graph("mix1");
            let options = format!("--solver {solver} --formulation {formulation}");
            let answer = &answers(&folder, &format!("{file} {options}"))[0];
            assert_eq!(answer["cost"], answer["stored_optimum"]);
        }
    }
}

#[test]
fn programs_are_written_instead_of_solved() {
    let folder = Folder::new();
    let file = graph("mix1");
    let shown = folder.succeed(&format!("solve {file} --write-lp -"));
    assert!(
        shown
            .stdout
            .starts_with("\\ comb: fusion of mix1, cost reads+manifest\n")
    );
    assert!(shown.stdout.ends_with("\nEnd\n"));
    let read = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    for (arguments, name) in [("", "a.lp"), ("--formulation compact", "b.lp")] {
        let quiet = folder.succeed(&format!("solve {file} {arguments} --write-lp {name}"));
        assert_eq!(quiet.stdout, "");
        assert_eq!(read(name), shown.stdout);
    }
    folder.succeed(&format!(
        "solve {file} --formulation figure4 --write-lp c.mps"
    ));
    assert!(read("c.mps").ends_with("\nENDATA\n"));
}

#[test]
fn no_time_still_gives_an_answer() {
    let folder = Folder::new();
    let answer = &answers(&folder, &format!("{} --time-limit 0", graph("FA66")))[0];
    assert!(answer["cost"].as_f64().unwrap() >= 56.0);
    assert!(answer["bound"].as_f64().unwrap() <= 56.0);
}

#[test]
fn pictures_are_written() {
    let folder = Folder::new();
    let file = graph("depth/softmax");
    folder.succeed(&format!("solve {file} --svg out.svg --dot out.dot"));
    let svg = fs::read_to_string(folder.path("out.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    let dot = fs::read_to_string(folder.path("out.dot")).unwrap();
    assert!(dot.starts_with("digraph \"softmax\" {") && dot.ends_with("}\n"));
}

fn write_wrong_graphs(folder: &Folder) {
    let edges = r#"{"from":1,"to":2,"role":"element","fusible":true}"#;
    let back = r#"{"from":2,"to":1,"role":"element","fusible":true}"#;
    let nodes = r#"{"id":1,"kind":"map"},{"id":2,"kind":"map"}"#;
    folder.write("empty.json", "");
    folder.write("binary.json", b"{\x8f}");
    folder.write("cut.json", format!(r#"{{"nodes":[{nodes}"#));
    folder.write("deep.json", "[".repeat(100_000));
    folder.write("list.json", "[1, 2]");
    folder.write(
        "cycle.json",
        format!(r#"{{"nodes":[{nodes}],"edges":[{edges},{back}]}}"#),
    );
    folder.write(
        "nowhere.json",
        format!(r#"{{"nodes":[{{"id":1,"kind":"map"}}],"edges":[{edges}]}}"#),
    );
    folder.write(
        "field.json",
        format!(r#"{{"nodes":[{nodes}],"edges":[],"colour":1}}"#),
    );
    folder.write(
        "levels.json",
        r#"{"levels":2,"nodes":[{"id":1,"kind":"map","rank":2,"depth":2,"available":2}],"edges":[],"results":[1]}"#,
    );
    folder.write(
        "sized.json",
        r#"{"nodes":[{"id":1,"kind":"map","size":["n"]}],"edges":[],"results":[1]}"#,
    );
    folder.write(
        "ok.json",
        format!(r#"{{"nodes":[{nodes}],"edges":[{edges}]}}"#),
    );
    folder.write(
        "wide.json",
        r#"{"nodes":[{"id":1,"kind":"map","width":-1}],"edges":[]}"#,
    );
    folder.write(
        "operation.json",
        r#"{"operations": [{"name": "a", "kind": "map"}]}"#,
    );
    folder.write(
        "view.json",
        r#"{"operations": [{"name": "a", "reads": [{"array": "A", "first": 0, "count": 0}]}]}"#,
    );
    let many = r#"{"id":1,"kind":"map"},"#.repeat(1_000_001);
    let many = many.trim_end_matches(',');
    folder.write("many.json", format!(r#"{{"nodes":[{many}],"edges":[]}}"#));
}

#[test]
fn what_is_wrong_is_said_once() {
    let folder = Folder::new();
    write_wrong_graphs(&folder);
    let before = folder.names();
    let lines = [
        "solve",
        "solve missing.json",
        "solve .",
        "solve empty.json",
        "solve binary.json",
        "solve cut.json",
        "solve deep.json",
        "solve list.json",
        "solve cycle.json",
        "solve nowhere.json",
        "solve field.json",
        "solve wide.json",
        "solve many.json",
        "solve operation.json",
        "solve view.json",
        "solve ok.json cycle.json --json",
        "solve ok.json --cost fun",
        "solve ok.json --cost -1*reads",
        "solve ok.json --cost nan*reads",
        "solve ok.json --cost prices+",
        "solve ok.json --algorithm magic",
        "solve ok.json --solver comb --formulation figure4",
        "solve ok.json --solver cbc --formulation own",
        "solve ok.json --algorithm singleton --solver cbc",
        "solve ok.json --algorithm greedy --max-arguments 3",
        "solve ok.json --max-memory -1",
        "solve ok.json --time-limit -1",
        "solve ok.json --time-limit soon",
        "solve ok.json --extent n",
        "solve ok.json --extent n=-3",
        "solve ok.json --force 1",
        "solve ok.json --force 1,9",
        "solve ok.json --force 1,1",
        "solve ok.json --force 1,2 --forbid 2,1",
        "solve ok.json ok.json --svg out.svg",
        "solve ok.json --svg nowhere/out.svg",
        "solve ok.json --dot .",
        "solve ok.json --svg -",
        "solve ok.json --write-lp program.txt",
        "solve ok.json --write-lp nowhere/program.lp",
        "solve ok.json ok.json --write-lp program.lp",
        "solve ok.json --write-lp program.lp --json",
        "solve ok.json --write-lp program.lp --formulation own",
        "solve ok.json --write-lp program.lp --max-memory 100",
        "solve levels.json --write-lp program.lp",
        "solve sized.json --write-lp program.mps --cost ext-bytes --extent n=10000000000000000",
    ];
    let transcripts: Vec<String> = lines
        .iter()
        .map(|line| format!("$ comb {line}\n{}", folder.comb(line).transcript()))
        .collect();
    assert_eq!(folder.names(), before);
    insta::assert_snapshot!(transcripts.join("\n\n"));
}

const LISTS: &str = "wsp-figure-3";

#[test]
fn lists_of_operations_are_solved() {
    let folder = Folder::new();
    let file = graph(LISTS);
    for (algorithm, cost, optimal) in [
        ("singleton", 94, false),
        ("linear", 58, false),
        ("unintrusive", 70, false),
        ("greedy", 38, false),
        ("branch-and-bound", 38, true),
        ("ilp", 38, true),
    ] {
        let answer = &answers(&folder, &format!("{file} --algorithm {algorithm}"))[0];
        assert_eq!(answer["cost"], cost, "{answer}");
        assert_eq!(answer["optimal"], optimal, "{answer}");
        assert_eq!(answer["objective"], "ext-bytes");
        let blocks = answer["blocks"].as_array().unwrap();
        let mut operations: Vec<u64> = blocks
            .iter()
            .flat_map(|block| block.as_array().unwrap())
            .map(|number| number.as_u64().unwrap())
            .collect();
        operations.sort_unstable();
        assert_eq!(operations, (1..=17).collect::<Vec<u64>>());
    }
}

#[test]
fn lists_of_operations_have_four_costs() {
    let folder = Folder::new();
    let file = graph(LISTS);
    for (cost, least) in [
        ("ext-bytes", 38),
        ("max-contract", 3),
        ("max-locality", 4),
        ("robinson", 118),
    ] {
        let answer = &answers(&folder, &format!("{file} --cost {cost}"))[0];
        assert_eq!(answer["cost"], least, "{answer}");
        assert_eq!(answer["objective"], cost);
        assert_eq!(answer["optimal"], true);
    }
}

#[test]
fn lists_and_graphs_have_tables_of_their_own() {
    let folder = Folder::new();
    let (list, flat) = (graph(LISTS), graph("simple1"));
    let text = folder.succeed(&format!("solve {list} {flat}")).stdout;
    let begins = |part: &str| text.lines().any(|line| line.starts_with(part));
    assert!(begins("graph ") && begins("simple1 "), "{text}");
    assert!(begins("list ") && begins("wsp-figure-3 "), "{text}");
    assert!(!text.contains("block 1"), "{text}");
    let text = folder.succeed(&format!("solve {list}")).stdout;
    assert!(text.contains("\nblock 1: COPY D, 0\n"), "{text}");
    let names = answers(&folder, &format!("{list} {flat}"));
    assert_eq!(names[0]["name"], LISTS);
    assert_eq!(names[1]["name"], "simple1");
}

#[test]
fn lists_of_operations_may_be_empty_or_long() {
    let folder = Folder::new();
    folder.write("none.json", r#"{"operations": []}"#);
    for algorithm in ["ilp", "greedy", "linear", "unintrusive", "branch-and-bound"] {
        let answer = &answers(&folder, &format!("none.json --algorithm {algorithm}"))[0];
        assert_eq!(answer["cost"], 0);
        assert_eq!(answer["name"], "none");
    }
    let many = vec![r#"{"name": "a"}"#; 121].join(",");
    folder.write("many.json", format!(r#"{{"operations": [{many}]}}"#));
    let outcome = folder.comb("solve many.json");
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stderr.contains("121 operations are too many"));
    folder.succeed("solve many.json --algorithm greedy");
}

#[test]
fn options_for_graphs_are_refused_with_lists() {
    let folder = Folder::new();
    let file = graph(LISTS);
    let before = folder.names();
    for option in [
        "--solver highs",
        "--formulation compact",
        "--dot out.dot",
        "--svg out.svg",
        "--stencils",
        "--no-recomputation",
        "--extent n=3",
        "--force 1,2",
        "--forbid 1,2",
        "--max-arguments 3",
        "--max-memory 3",
        "--algorithm greedy-top-down",
        "--algorithm greedy-bottom-up",
        "--cost reads",
    ] {
        let outcome = folder.comb(&format!("solve {file} {option}"));
        assert_eq!(outcome.code, Some(2), "{option}: {}", outcome.stderr);
        assert_eq!(outcome.stdout, "");
        assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
        let mut words = option.split(' ');
        assert!(
            words.any(|word| outcome.stderr.contains(word)),
            "{}",
            outcome.stderr
        );
    }
    assert_eq!(folder.names(), before);
}

/// Many maps that read arrays from before, at random, of which some cannot be
/// fused: no solver proves an optimum soon.
fn write_hard_graph(folder: &Folder) {
    let nodes: Vec<String> = (0..1500)
        .map(|id| format!(r#"{{"id":{id},"kind":"map"}}"#))
        .collect();
    let mut state = 1u64;
    let mut random = |most: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let mut edges = vec![];
    for to in 1..1500u64 {
        for _ in 0..3 {
            let from = random(to);
            let fusible = random(8) > 0;
            edges.push(format!(
                r#"{{"from":{from},"to":{to},"role":"element","fusible":{fusible}}}"#
            ));
        }
    }
    let text = format!(
        r#"{{"nodes":[{}],"edges":[{}]}}"#,
        nodes.join(","),
        edges.join(",")
    );
    folder.write("hard.json", text);
}

/// Every operation reads two arrays from before and writes one: the integer
/// program has no time to prove anything.
fn write_hard_list(folder: &Folder) {
    let view = |array: u64| format!(r#"{{"array":"{array}","first":0,"count":4}}"#);
    let operations: Vec<String> = (0..110)
        .map(|number: u64| {
            let [one, other] = [number * 7 / 11, number * 3 / 5].map(view);
            let reads = match number {
                0 => String::new(),
                _ => format!(r#""reads":[{one},{other}],"#),
            };
            let array = number + 1;
            let write = view(array);
            format!(r#"{{"name":"{number}",{reads}"writes":[{write}],"new":["{array}"]}}"#)
        })
        .collect();
    let text = format!(r#"{{"operations":[{}]}}"#, operations.join(","));
    folder.write("hard.json", text);
}

/// Starts a command, interrupts it after a while, and waits for its end.
fn interrupted(folder: &Folder) -> Output {
    let mut child = Command::new("env")
        .arg("--default-signal=INT")
        .arg(comb().get_program())
        .args(["solve", "--json", "hard.json"])
        .current_dir(folder.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_secs(2));
    assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
    // SAFETY: the child is alive and not yet waited for.
    assert_eq!(unsafe { libc::kill(child.id() as i32, libc::SIGINT) }, 0);
    let sent = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(sent.elapsed() < Duration::from_secs(20));
    output
}

#[test]
fn an_interrupt_gives_the_best_answer() {
    let folder = Folder::new();
    write_hard_graph(&folder);
    let output = interrupted(&folder);
    assert_eq!(output.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["interrupted"], true);
    assert_eq!(answer["optimal"], false);
    assert!(answer["bound"].as_f64().unwrap() < answer["cost"].as_f64().unwrap());
}

/// Their solver does not ask whether to stop.
#[test]
fn an_interrupt_ends_lists() {
    let folder = Folder::new();
    write_hard_list(&folder);
    let output = interrupted(&folder);
    assert_eq!(output.status.code(), Some(130));
    assert!(output.stdout.is_empty());
}
