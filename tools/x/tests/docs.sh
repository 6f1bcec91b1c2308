# shellcheck shell=bash
# The generated pages: written whole, found out of date, never half-written.

# small_ods SUMMARY: the three ODS files, with an op for each dialect and one pass.
small_ods() {
  file dialects/soac/include/soac/SoacOps.td "include \"mlir/IR/OpBase.td\"
def Soac : Dialect { let name = \"soac\"; let cppNamespace = \"soac\"; }
def Soac_MapOp : Op<Soac, \"map\"> { let summary = \"$1\"; }
"
  file dialects/nest/include/nest/NestOps.td "include \"mlir/IR/OpBase.td\"
def Nest : Dialect { let name = \"nest\"; let cppNamespace = \"nest\"; }
def Nest_LoopOp : Op<Nest, \"loop\"> { let summary = \"loops\"; }
"
  file passes/include/comb/Passes.td "include \"mlir/Pass/PassBase.td\"
def Fuse : Pass<\"soac-fuse\"> { let summary = \"fuses\"; }
"
}

test_docs_are_generated_and_checked() {
  small_ods 'applies a function'
  x docs
  expect 0
  grep -q 'soac.map' "$REPOSITORY/docs/src/reference/soac.md" || wrong 'no op in the page'
  grep -q 'nest.loop' "$REPOSITORY/docs/src/reference/nest.md" || wrong 'no op of nest in its page'
  grep -q 'soac-fuse' "$REPOSITORY/docs/src/reference/passes.md" || wrong 'no pass in the page'
  x docs --check
  expect 0
  x lint text
  expect 0
}

test_stale_docs_are_found() {
  small_ods 'applies a function'
  x docs
  small_ods 'does something else'
  x docs --check
  expect 1 '-_Applies a function_' 'run ./x docs and commit'
}

test_broken_ods_leaves_the_pages() {
  small_ods 'applies a function'
  x docs
  file dialects/soac/include/soac/SoacOps.td 'def nonsense\n'
  x docs
  expect 1 'SoacOps.td:2'
  grep -q 'soac.map' "$REPOSITORY/docs/src/reference/soac.md" || wrong 'the page was lost'
  [[ -z $(find "$REPOSITORY/docs" -name '*.new') ]] || wrong 'a half-written page stayed'
}
