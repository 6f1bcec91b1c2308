# shellcheck shell=bash
# shellcheck disable=SC2016 # back quotes and dollars are Markdown here
# Commands in Markdown pages are run and compared.

# page TEXT: the one page the tutorial stage runs.
page() {
  redefine test 'TUTORIAL_PAGES=(page.md)'
  mkdir -p -- "$REPOSITORY/examples"
  file page.md "$1"
}

test_tutorial_that_tells_the_truth() {
  page '```text,file=a.txt\none\ntwo\n```\n\n```console\n$ cat a.txt\none\ntwo\n$ echo x 12 y\nx [..] y\n$ seq 9\n1\n...\n9\n$ cat \\\n> a.txt | head -n 1\none\n$ ls gone; exit 3\n...\n? 3\n```\n'
  x test tutorial
  expect 0
  expect_last_line '5 passed, 0 failed'
}

test_tutorial_with_wrong_output() {
  page '```console\n$ echo one\ntwo\n$ true\n```\n'
  x test tutorial
  expect 1 'FAIL page.md:2: echo one'
  expect_last_line '1 passed, 1 failed'
}

test_tutorial_with_a_failing_command() {
  page '```console\n$ exit 4\n```\n'
  x test tutorial
  expect 1 'exit code 4, expected 0'
}

test_other_pages_with_commands_are_run() {
  page '```console\n$ true\n```\n'
  file docs/src/tools.md '```console\n$ false\n```\n'
  file docs/src/none.md 'Nothing to run.\n'
  x test tutorial
  expect 1 'FAIL docs/src/tools.md:2: false'
  expect_last_line '1 passed, 1 failed'
}

test_tutorial_without_commands() {
  page 'Nothing to run.\n'
  x test tutorial
  expect 1 'has no console block to run'
}
