//! Programs that are written to files: read again by other solvers, they have the optimum of the
//! exact solver.

use std::{collections::HashSet, ffi::CString, fs, path::Path, sync::Mutex};

use coin_cbc::raw;
use comb_fusion::{
    cost::{CostOptions, Weights},
    exact::{self, SolveOptions},
    graph::Graph,
    programs::{Formulation, SolveError},
    random::{RandomOptions, random_graph},
};
use comb_oracles::formulation::{FileFormat, export};
use highs::{HighsModelStatus, RowProblem};

const COSTS: [&str; 12] = [
    "reads+writes",
    "edges",
    "clusters",
    "manifest",
    "reads",
    "max-contract",
    "prices",
    "ext-bytes",
    "0.3*reads+0.000001*edges",
    "max-locality+0.25*reads",
    "robinson",
    "filter-weights",
];

fn weights(graph: &Graph, cost: &str) -> Weights {
    Weights::new(graph, &cost.parse().unwrap(), &CostOptions::default()).unwrap()
}

fn text(graph: &Graph, weights: &Weights, formulation: Formulation, format: FileFormat) -> String {
    let mut bytes = vec![];
    export(graph, weights, formulation, "a test".to_owned())
        .unwrap()
        .write(format, &mut bytes)
        .unwrap();
    String::from_utf8(bytes).unwrap()
}

fn path_in_c(path: &Path) -> CString {
    CString::new(path.to_str().unwrap()).unwrap()
}

/// The optimum of a file by HiGHS; nothing if it has none.
fn by_highs(path: &Path) -> Option<f64> {
    let mut model = highs::Model::new(RowProblem::default());
    model.make_quiet();
    model.set_option("mip_rel_gap", 0.0);
    model.set_option("mip_abs_gap", 0.0);
    let name = path_in_c(path);
    // SAFETY: the model is there, and the name ends with a NUL.
    let status = unsafe { highs_sys::Highs_readModel(model.as_mut_ptr(), name.as_ptr()) };
    assert_eq!(status, highs_sys::kHighsStatusOk, "{}", path.display());
    let solved = model.solve();
    match solved.status() {
        HighsModelStatus::Optimal => Some(solved.objective_value()),
        HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible => None,
        status => panic!("{status:?}"),
    }
}

/// The optimum of a file by CBC; nothing if it has none.
fn by_cbc(path: &Path) -> Option<f64> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap();
    let mut model = raw::Model::new();
    model.set_log_level(0);
    model.read_mps(&path_in_c(path));
    assert!(model.num_cols() > 0, "{}", path.display());
    model.solve();
    match (model.is_proven_optimal(), model.is_proven_infeasible()) {
        (true, _) => Some(model.obj_value()),
        (_, infeasible) => {
            assert!(infeasible);
            None
        }
    }
}

fn agrees(graph: &Graph, cost: &str, place: &str) {
    let weights = weights(graph, cost);
    let solved = exact::solve(graph, &weights, &SolveOptions::default());
    let least = solved.ok().map(|solution| solution.cost.to_f64());
    let folder = tempfile::tempdir().unwrap();
    for formulation in [Formulation::Compact, Formulation::Figure4] {
        for (format, ending) in [(FileFormat::Lp, "lp"), (FileFormat::Mps, "mps")] {
            let path = folder.path().join("program").with_extension(ending);
            fs::write(&path, text(graph, &weights, formulation, format)).unwrap();
            let mut found = vec![by_highs(&path)];
            if format == FileFormat::Mps {
                found.push(by_cbc(&path));
            }
            for found in found {
                let is_same = match (found, least) {
                    (Some(found), Some(least)) => (found - least).abs() <= 1e-6 * least.max(1.0),
                    (found, least) => found == least,
                };
                let place = format!("{place}, {cost}, {formulation:?}, {format:?}");
                assert!(is_same, "{place}: {found:?} instead of {least:?}");
            }
        }
    }
}

#[test]
fn files_have_the_optimum_of_every_cost() {
    for (seed, cost) in (0..).zip(COSTS.iter().cycle()).take(4 * COSTS.len()) {
        let options = RandomOptions {
            combinators: 3 + (seed % 5) as usize,
            sizes: seed % 2 == 1,
            tuples: if seed % 4 == 0 { 0.3 } else { 0.0 },
            stencils: if seed % 3 == 0 { 0.5 } else { 0.0 },
            ..RandomOptions::default()
        };
        agrees(&random_graph(seed, options), cost, &format!("seed {seed}"));
    }
}

#[test]
fn files_keep_to_wishes() {
    for seed in 0..20 {
        let options = RandomOptions {
            combinators: 5,
            forced: (seed % 2) as usize,
            forbidden: (seed % 3) as usize,
            ..RandomOptions::default()
        };
        let graph = random_graph(seed, options);
        if exact::solve(&graph, &weights(&graph, "reads"), &SolveOptions::default()).is_ok() {
            agrees(&graph, "reads+writes", &format!("seed {seed}"));
        }
    }
}

#[test]
fn graphs_without_combinators_have_files() {
    let text = r#"{"nodes": [{"id": 0, "kind": "input"}], "edges": [], "results": []}"#;
    agrees(&Graph::from_json(text).unwrap(), "reads+writes", "nothing");
}

/// Every variable has a name of its own, in lines that all solvers read.
#[test]
fn variables_are_named_by_nodes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("graphs");
    let graph = fs::read_to_string(folder.join("singleLoop.json")).unwrap();
    let graph = Graph::from_json(&graph).unwrap();
    let weights = weights(&graph, "reads+writes");
    for formulation in [Formulation::Compact, Formulation::Figure4] {
        let text = text(&graph, &weights, formulation, FileFormat::Lp);
        assert!(text.lines().all(|line| line.len() <= 255));
        let (_, names) = text.split_once("Binaries\n").unwrap();
        let names: Vec<&str> = names.lines().filter(|line| line.starts_with(' ')).collect();
        let distinct: HashSet<&str> = names.iter().copied().collect();
        assert_eq!(names.len(), distinct.len());
        for name in [" unfused_3_5", " position_5"] {
            assert!(distinct.contains(name), "{name}: {names:?}");
        }
    }
}

#[test]
fn what_files_cannot_say_is_refused() {
    let refusal = |graph: &Graph, cost: &str| {
        let options = CostOptions {
            extents: [("n".to_owned(), 1 << 40)].into(),
            ..CostOptions::default()
        };
        let weights = Weights::new(graph, &cost.parse().unwrap(), &options).unwrap();
        match export(graph, &weights, Formulation::Compact, String::new()) {
            Err(SolveError::Unsupported { what }) => what,
            Err(error) => panic!("{error}"),
            Ok(_) => panic!("it is said"),
        }
    };
    let ranked = random_graph(1, RandomOptions::ranked(2));
    assert_eq!(
        refusal(&ranked, "prices"),
        "graphs of several levels or ranks"
    );
    let large = r#"{"nodes": [{"id": 1, "kind": "map", "size": ["n*n"], "width": 8}],
                    "edges": [], "results": [1]}"#;
    let large = Graph::from_json(large).unwrap();
    assert_eq!(
        refusal(&large, "ext-bytes"),
        "weights as large as 9671406556917033397649408: solvers compute with floating-point numbers"
    );
}
