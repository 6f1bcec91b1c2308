//! Random clusters, most of them illegal: one that runs gives what its
//! combinators give one by one.
//!
//! Orders, labels, bodies and results are drawn without regard to what is legal.
//! Enough of them are; how many is checked, too.

use super::*;
use proptest::prelude::RngExt;
use proptest::test_runner::{Config, TestRng, TestRunner};

/// The rows and columns of all matrices; vectors have as many elements as there
/// are rows.
const ROWS: usize = 3;
const COLUMNS: usize = 2;

/// A program as it is drawn.
struct Draft<'a> {
    random: &'a mut TestRng,
    body: String,
    /// Names of the vectors and of the matrices that can be used.
    vectors: Vec<String>,
    matrices: Vec<String>,
    names: usize,
}

impl Draft<'_> {
    fn choose<'c>(&mut self, choices: &[&'c str]) -> &'c str {
        choices[self.random.random_range(0..choices.len())]
    }

    fn vector(&mut self) -> String {
        self.vectors[self.random.random_range(0..self.vectors.len())].clone()
    }

    fn matrix(&mut self) -> String {
        self.matrices[self.random.random_range(0..self.matrices.len())].clone()
    }

    /// An order for the op that is to be named next: mostly forwards, or that of
    /// the label of the one after it.
    fn order(&mut self) -> String {
        match self.random.random_range(0..12) {
            0 => "1".into(),
            1 | 2 => (self.names + 3).to_string(),
            _ => "0".into(),
        }
    }

    /// The label of the op that is to be named next.
    fn label(&self) -> String {
        format!("label = {} : i64", self.names + 2)
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    /// A combinator of vectors.
    fn flat(&mut self) {
        let orders = format!("soac.orders = array<i64: {}>", self.order());
        let label = self.label();
        let (name, a, b) = (self.name(), self.vector(), self.vector());
        let op = match self.random.random_range(0..8) {
            0 | 1 => {
                format!("soac.map {a}, {b} {{{orders}}} : ($vector, $vector) -> $vector $minus")
            }
            2 => format!(
                "soac.scanl {a} neutral %zero {{{orders}}} : ($vector, i32) -> $vector $digits"
            ),
            3 => format!("soac.scanr {a} neutral %zero : ($vector, i32) -> $vector $digits"),
            4 => format!("soac.reverse {a} dims [0] {{{orders}, {label}}} : ($vector) -> $vector"),
            5 | 6 => format!(
                "soac.gather {a} at %at {{{orders}, {label}}} : ($vector, $indices) -> $vector"
            ),
            _ => format!(
                "soac.scatter {a} into %dest at %at {{{orders}}}
                     : ($vector, $vector, $indices) -> $vector $minus"
            ),
        };
        self.body += &format!("{name} = {op}\n");
        self.vectors.push(name);
    }

    /// A combinator of matrices, or between them and vectors.
    fn deep(&mut self) {
        let (rows, columns) = (self.order(), self.order());
        let orders = format!("soac.orders = array<i64: {rows}, {columns}>");
        let label = self.label();
        let (name, a, b) = (self.name(), self.matrix(), self.matrix());
        let matrices = "($matrix, $matrix) -> $matrix";
        let op = match self.random.random_range(0..6) {
            0 | 1 => format!("soac.map {a}, {b} {{{orders}}} : {matrices} $minus"),
            2 => format!(
                "soac.scanl {a} neutral %zero {{{orders}}} : ($matrix, i32) -> $matrix $digits"
            ),
            3 => format!("soac.reverse {a} dims [1] {{{orders}, {label}}} : ($matrix) -> $matrix"),
            4 => {
                let source = self.vector();
                format!(
                    "soac.backpermute {source} [%m, %n] {{{orders}, {label}}} : ($vector) -> $matrix
                         (%i: index, %j: index) {{
                       soac.yield %i : index
                     }}"
                )
            }
            _ => {
                self.body += &format!(
                    "{name} = soac.fold {a} neutral %zero {{soac.orders = array<i64: {rows}>}}
                         : ($matrix, i32) -> $vector $digits\n"
                );
                self.vectors.push(name);
                return;
            }
        };
        self.body += &format!("{name} = {op}\n");
        self.matrices.push(name);
    }

    /// A cluster inside, of some combinators of matrices, that yields all of
    /// their results.
    fn inner(&mut self) {
        let (vectors, matrices) = (self.vectors.len(), self.matrices.len());
        let before = std::mem::take(&mut self.body);
        for _ in 0..self.random.random_range(1..4) {
            self.deep();
        }
        let body = std::mem::replace(&mut self.body, before);
        let yielded = [
            self.vectors.split_off(vectors),
            self.matrices.split_off(matrices),
        ];
        let names = yielded.concat().join(", ");
        let types = [
            vec!["$vector"; yielded[0].len()],
            vec!["$matrix"; yielded[1].len()],
        ]
        .concat()
        .join(", ");
        let result = self.name();
        let count = yielded[0].len() + yielded[1].len();
        self.body += &format!(
            "{result}:{count} = soac.cluster reads [] : () -> ({types}) () {{
               {body}
               soac.yield {names} : {types}
             }}\n"
        );
        for number in 0..count {
            let name = format!("{result}#{number}");
            if number < yielded[0].len() {
                self.vectors.push(name);
            } else {
                self.matrices.push(name);
            }
        }
    }
}

/// A cluster of combinators that `add` draws, of which a vector and a matrix are
/// results.
fn program(random: &mut TestRng, add: impl Fn(&mut Draft)) -> String {
    let mut draft = Draft {
        random,
        body: String::new(),
        vectors: vec!["%a".into()],
        matrices: vec!["%b".into()],
        names: 0,
    };
    for _ in 0..draft.random.random_range(2..5) {
        add(&mut draft);
    }
    let order = draft.choose(&["0", "-1", "-1", "1"]);
    let indices = draft.choose(&["0", "0", "-1", "-1", "1"]);
    let (vector, matrix) = (
        draft.vectors[draft.vectors.len() - 1].clone(),
        draft.matrices[draft.matrices.len() - 1].clone(),
    );
    main(
        "(%x: $vector, %y: $matrix, %is: $indices, %dest: $vector) -> ($vector, $matrix)",
        &format!(
            "%first = arith.constant 0 : index
             %second = arith.constant 1 : index
             %m = tensor.dim %y, %first : $matrix
             %n = tensor.dim %y, %second : $matrix
             %r:2 = soac.cluster %x, %y, %is reads [{order}, {order}, {indices}]
                 : ($vector, $matrix, $indices) -> ($vector, $matrix)
                 (%a: $vector, %b: $matrix, %at: $indices) {{
               {}
               soac.yield {vector}, {matrix} : $vector, $matrix
             }}
             return %r#0, %r#1 : $vector, $matrix",
            draft.body
        ),
    )
}

/// Draws programs and runs them. At least some have to be legal.
fn check(count: usize, least: usize, add: impl Fn(&mut Draft)) {
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let mut legal = 0;
    for _ in 0..count {
        let source = program(runner.rng(), &add);
        let at: Vec<i128> = (0..ROWS)
            .map(|_| runner.rng().random_range(0..ROWS) as i128)
            .collect();
        let inputs = [
            vector(&[3, 5, 8]),
            ints(I32, &[ROWS, COLUMNS], &[1, 2, 4, 7, 11, 16]),
            indices(&at),
            vector(&[1, 1, 2]),
        ];
        match run(&source, &inputs) {
            Ok(results) => {
                legal += 1;
                let one_by_one = run(&without_orders(&source), &inputs);
                assert_eq!(one_by_one, Ok(results), "{source}");
            }
            Err(Failure::Program { .. }) => {}
            Err(failure) => panic!("{failure}\n{source}"),
        }
    }
    assert!(legal >= least, "{legal} of {count} are legal");
}

#[test]
fn random_loops() {
    check(600, 60, |draft| draft.flat());
}

#[test]
fn random_nests() {
    check(600, 60, |draft| match draft.random.random_range(0..3) {
        0 => draft.flat(),
        1 => draft.deep(),
        _ => draft.inner(),
    });
}
