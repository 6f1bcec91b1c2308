# shellcheck shell=bash
# shellcheck disable=SC2016 # back quotes and dollars are Markdown here
# Each check of ./x lint finds what it is there to find.

test_lint_passes_on_clean_files() {
  file README.md '# Title\n\n[a part](#title) and [a page](docs/page.md#second-part)\n'
  file docs/page.md '# First\n\n## Second `part`\n'
  x lint links text
  expect 0 'ok   lint: links (2 links)' 'ok   lint: text'
}

test_lint_finds_broken_links() {
  file README.md '# Title\n\n[gone](docs/gone.md)\n\n```\n[code](not/a/link)\n```\n[web](https://example.org/x)\n'
  file docs/page.md '[no such heading](../README.md#subtitle)\n\n[r]: missing.png\n'
  x lint links
  expect 1 "README.md:3: 'docs/gone.md' does not exist" \
    "docs/page.md:1: '../README.md#subtitle' has no heading '#subtitle'" \
    "docs/page.md:3: 'missing.png' does not exist" 'FAIL lint: links'
  refuse not/a/link example.org
}

test_lint_finds_untidy_text() {
  file a.txt 'one \ntwo\n'
  file b.txt 'one\ntwo'
  file c.txt 'one\r\n'
  file d.bin 'one \0 two '
  file e.txt '<<<''<<<< HEAD\none\n'
  x lint text
  expect 1 'a.txt:1: trailing blank' 'b.txt:2: no newline' 'c.txt:1: line ends in CR LF' \
    'e.txt:1: marker of a merge conflict'
  refuse d.bin
}

test_lint_finds_statements_without_test() {
  file docs/src/semantics.md '# Title\n\n**S1.** One.\n\n**S2.** Two,\nlong.\n\n**S3.** Three. (Not testable:\nit promises nothing.)\n\n**S4.** Four.\n'
  file lit-tests/a.mlir '// RUN: true\n// S1, S7: one.\n// about S2 and S9\n'
  file tools/a/tests/a.rs '    // S4\n'
  x lint semantics
  expect 1 'docs/src/semantics.md:5: no test cites S2' \
    'lit-tests/a.mlir:2: there is no statement S7' 'FAIL lint: semantics'
  refuse S1 S3 S4 S9
  file lit-tests/a.mlir '// RUN: true\n// S1, S2: one.\n'
  x lint semantics
  expect 0 'ok   lint: semantics (4 statements)'
  file lit-tests/a.mlir '// RUN: true\n// S1, S2, S3\n'
  x lint semantics
  expect 1 'docs/src/semantics.md:8: S3 is not testable, but lit-tests/a.mlir:2 tests it'
}

test_lint_finds_uses_of_higher_rooms() {
  file docs/src/architecture.md '# Rooms\n\n| room | what | modules |\n|---|---|---|\n| low | one | `a`, `b` |\n| high | two | `c` |\n| top | three | `d` |\n'
  file passes/low/src/lib.rs 'mod a;\n'
  file passes/low/src/a.rs '\n'
  file passes/low/src/e.rs '\n'
  file passes/low/Cargo.toml '[dependencies]\nmelior.workspace = true\n[dev-dependencies]\ncomb-high.workspace = true\n'
  file passes/high/src/c.rs '\n'
  file passes/high/src/c/f.rs '\n'
  file passes/high/Cargo.toml '[dependencies]\ncomb-low = { path = "../low" }\n'
  file passes/src/d.rs '\n'
  file passes/Cargo.toml '[dependencies]\ncomb-high.workspace = true\ncomb-low.workspace = true\n'
  x lint rooms
  expect 1 'passes/low/Cargo.toml: low uses high, a higher room' 'passes/low/src/e.rs is not in the table' \
    'there is no module b in passes/low/src' 'FAIL lint: rooms'
  refuse 'high uses' 'top uses'
  file passes/low/Cargo.toml '[dependencies]\nmelior.workspace = true\n'
  file passes/low/src/b.rs '\n'
  rm "$REPOSITORY/passes/low/src/e.rs"
  x lint rooms
  expect 0 'ok   lint: rooms (4 modules in 3 rooms)'
}

test_lint_finds_tests_without_run() {
  file lit-tests/good.mlir '// RUN: true\n'
  file lit-tests/folder/bad.mlir 'module {}\n'
  file lit-tests/folder/Inputs/data.mlir 'module {}\n'
  x lint lit_headers
  expect 1 lit-tests/folder/bad.mlir 'FAIL lint: lit_headers'
  refuse good.mlir Inputs
}

test_lint_limits_the_share_of_cxx() {
  redefine lint 'source_files() { printf "%s\0" a.rs a.cpp; }'
  file a.rs '// comment\n\n/* a\nblock */\na\nb\nc\nd\ne\nf\ng\nh\ni\n'
  file a.cpp '// comment\na\n'
  x lint cxx_share
  expect 1 'C++ is 10.0 % of the code, 1 of 10 lines'
  file a.rs 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n'
  x lint cxx_share
  expect 0 'C++ is 9.1 % of the code, 1 of 11 lines'
}

test_lint_checks_the_format_of_cxx() {
  file dialects/a.cpp 'int   main ( ) { }\n'
  x lint clang_format
  expect 1 'dialects/a.cpp:1:4' 'FAIL lint: clang_format'
  x lint --fix
  expect 0
  x lint clang_format
  expect 0
}

test_lint_fails_with_nothing_to_check() {
  local check
  rm "$REPOSITORY"/tools/x/*.c
  for check in links lit_headers semantics clang_format; do
    x lint "$check"
    expect 1 'there are no' "FAIL lint: $check"
  done
}

test_lint_finds_needless_rebuilds() {
  x lint rebuild
  expect 0
  fakes FAKE_BUILD='   Compiling soac-dialect v0.1.0\n'
  x lint rebuild
  expect 1 'Compiling soac-dialect' 'FAIL lint: rebuild'
}

test_lint_reports_rustfmt_and_clippy() {
  fakes FAKE_CARGO_FAILS=fmt
  redefine rust 'has_lint_components() { true; }'
  x lint rustfmt clippy
  expect 1 'FAIL lint: rustfmt' 'ok   lint: clippy'
}
