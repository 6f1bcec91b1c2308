//! Strings of programs, which may be any bytes: none makes `comb` panic, and what is no text is
//! shown as MLIR writes it.

mod common;

use common::Folder;

/// A program with a string at each place that comb reads.
const PROGRAM: &str = r#"module @MODULE {
func.func private @EXTERNAL(tensor<?xi32>) -> tensor<?xi32>
func.func private @HELPER(%x: tensor<?xi32>) -> tensor<?xi32> {
  %r = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    soac.yield %e : i32
  } loc(FILE:1:1)
  return %r : tensor<?xi32>
}
func.func @FUNCTION(%x: tensor<?xi32> {soac.name = PARAMETER}) -> (tensor<?xi32> {soac.name = RESULT}) {
  %t = arith.constant true
  soac.check %t, MESSAGE
  cf.assert %t, ASSERTION
  %m = soac.map %x {soac.together = TOGETHER, soac.apart = APART} : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %d = arith.addi %e, %e : i32
    soac.yield %d : i32
  } loc(NAME(FILE:3:4))
  %k = soac.map %m {soac.together = TOGETHER, KEY = 1} : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %d = arith.addi %e, %e : i32
    soac.yield %d : i32
  } loc(NAME)
  %q = func.call @HELPER(%k) : (tensor<?xi32>) -> tensor<?xi32>
  return %q : tensor<?xi32>
} loc(FILE:7:7)
}
"#;

/// The places, and what stands there otherwise.
const PLACES: [(&str, &str); 13] = [
    ("MODULE", "m"),
    ("EXTERNAL", "external"),
    ("HELPER", "helper"),
    ("FUNCTION", "f"),
    ("PARAMETER", "x"),
    ("RESULT", "r"),
    ("MESSAGE", "message"),
    ("ASSERTION", "assertion"),
    ("TOGETHER", "together"),
    ("APART", "apart"),
    ("KEY", "key"),
    ("FILE", "file"),
    ("NAME", "name"),
];

fn program(place: &str, string: &str) -> String {
    PLACES
        .iter()
        .fold(PROGRAM.to_owned(), |text, &(other, usual)| {
            let string = if other == place { string } else { usual };
            text.replace(other, &format!("\"{string}\""))
        })
}

#[test]
fn no_string_makes_comb_panic() {
    let folder = Folder::new();
    for (place, _) in PLACES {
        for string in ["", r"\FF", r"a\00", r"\22\\*/\0A"] {
            folder.write("p.mlir", program(place, string));
            for command in [
                "run p.mlir -i x=iota:i32[4] --target interp",
                "explain p.mlir",
                "build p.mlir -o p.so",
            ] {
                let outcome = folder.comb(command);
                let what = format!("{place} {string}: {command}: {outcome:?}");
                assert!(matches!(outcome.code, Some(0..=2)), "{what}");
                assert!(!outcome.stderr.contains("panicked"), "{what}");
                assert!(!outcome.stderr.contains("internal error"), "{what}");
            }
        }
    }
}

#[test]
fn symbols_have_names_that_are_text() {
    let folder = Folder::new();
    for place in ["MODULE", "EXTERNAL", "HELPER", "FUNCTION"] {
        for string in [r"\FF", r"a\C3", r"a\00"] {
            folder.write("p.mlir", program(place, string));
            let outcome = folder.comb("run p.mlir -i x=iota:i32[4]");
            let expected = format!("op has the name '{string}', which is not UTF-8 or has a NUL");
            assert_eq!(outcome.code, Some(1));
            assert!(outcome.stderr.contains(&expected), "{}", outcome.stderr);
        }
    }
}

#[test]
fn parameters_and_results_have_names_that_are_text() {
    let folder = Folder::new();
    for (place, what) in [("PARAMETER", "parameter"), ("RESULT", "result")] {
        for string in ["", r"\FF", r"a\00", "a=b"] {
            folder.write("p.mlir", program(place, string));
            let outcome = folder.comb("run p.mlir -i x=iota:i32[4]");
            let expected = format!("{what} '{string}' of @f needs a name of UTF-8");
            assert_eq!(outcome.code, Some(1));
            assert!(outcome.stderr.contains(&expected), "{}", outcome.stderr);
        }
    }
}

#[test]
fn an_empty_name_is_a_name() {
    let folder = Folder::new();
    folder.write("p.mlir", program("FUNCTION", ""));
    let outcome = folder.succeed("run p.mlir -i x=iota:i32[4]");
    assert!(outcome.stdout.contains("[ 0  4  8 12]"));
}

#[test]
fn quotes_and_backslashes_in_names_stay() {
    let folder = Folder::new();
    for string in [r"\\FF", r"\22", r"a\\\\b\22c"] {
        folder.write("p.mlir", program("FUNCTION", string));
        let outcome = folder.succeed("run p.mlir -i x=iota:i32[4]");
        assert!(outcome.stdout.contains("[ 0  4  8 12]"));
    }
}

#[test]
fn messages_show_what_is_no_text() {
    let folder = Folder::new();
    for op in ["cf.assert", "soac.check"] {
        folder.write(
            "p.mlir",
            format!(
                "func.func @f(%x: i32) {{\n  %z = arith.constant 0 : i32\n  \
                 %t = arith.cmpi eq, %x, %z : i32\n  {op} %t, \"a\\FFb\\00\"\n  return\n}}\n"
            ),
        );
        for target in ["cpu", "interp"] {
            let outcome = folder.comb(&format!("run p.mlir -i x=1 --target {target}"));
            assert_eq!(
                outcome.transcript(),
                "code 1\n\nerror: p.mlir:4:3: a\\FFb\\00",
                "{op}"
            );
        }
    }
}

/// Names that C does not allow, that mean something to it, or that headers use themselves.
const NAMES: [&str; 39] = [
    "a*/ injected code /*",
    "a\\0A injected code",
    "a??/",
    "a\\\\",
    "a\\22b{}",
    "\u{202e}a",
    "a-b",
    "a.b",
    "a_b",
    "2x",
    "_X",
    "__x",
    "x",
    "x_checked",
    "x_checked_2",
    "returned",
    "sizes",
    "arguments",
    "int",
    "class",
    "co_await",
    "_Bool",
    "typeof",
    "int64_t",
    "comb_i32_1",
    "names_entry_f",
    "names_f",
    "NULL",
    "INT64_MAX",
    "X",
    "errno",
    "unix",
    "static_assert",
    "EOF",
    "main",
    "free",
    "é",
    "日本",
    "array",
];

#[test]
fn headers_compile_whatever_names_there_are() {
    let folder = Folder::new();
    let parameters = |ty: &str| {
        let given = NAMES.iter().enumerate();
        let given =
            given.map(|(number, name)| format!("%p{number}: {ty} {{soac.name = \"{name}\"}}"));
        given.collect::<Vec<_>>().join(", ")
    };
    let mut text = format!(
        "func.func @f({}) -> i32 {{\n  return %p0 : i32\n}}\n\
         func.func @g({}) -> (tensor<?xi32> {{soac.name = \"x\"}}, i32 {{soac.name = \"sizes\"}}) {{\n  \
         %z = arith.constant 0 : i32\n  return %p0, %z : tensor<?xi32>, i32\n}}\n",
        parameters("i32"),
        parameters("tensor<?xi32>")
    );
    for name in NAMES {
        text.push_str(&format!(
            "func.func @\"{name}\"(%x: tensor<?xi32>) {{\n  return\n}}\n"
        ));
    }
    folder.write("names.mlir", text);
    folder.write("use.c", "#include <errno.h>\n#include <stdio.h>\n#include \"names.h\"\nint main(void) { return 0; }\n");
    for output in [
        "names.so", "common.o", "Names.o", "comb.o", "static.o", "1 2.so",
    ] {
        let mut command = common::comb();
        let built = folder.execute(command.args(["build", "names.mlir", "-O0", "-o", output]));
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        let header = folder.path(output).with_extension("h");
        std::fs::rename(header, folder.path("names.h")).unwrap();
        for standard in ["-std=c99", "-std=gnu23", "-std=c11"] {
            folder.compile("clang-22", &[standard, "-fsyntax-only", "use.c"]);
        }
        for standard in ["-std=c++11", "-std=gnu++23"] {
            folder.compile(
                "clang++-22",
                &[standard, "-fsyntax-only", "-x", "c++", "use.c"],
            );
        }
    }
}

#[test]
fn headers_of_names_that_differ_in_case_go_together() {
    let folder = Folder::new();
    folder.write("use.c", "#include \"foo.h\"\n#include \"Foo.h\"\n#include \"common.h\"\nint main(void) { (void)foo_main; (void)Foo_main; (void)common_main; return 0; }\n");
    for library in ["foo", "Foo", "common"] {
        folder.succeed(&format!("build scale.mlir -o {library}.o"));
    }
    folder.compile("clang-22", &["-fsyntax-only", "use.c"]);
}
