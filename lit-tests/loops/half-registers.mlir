// On CPUs that compute with halves of their registers, a function that does little but fold one array
// takes vectors of that size: what fetches lines ahead goes by how often a line is accessed.

// RUN: comb build %s --cpu znver4 --emit llvm -o %t.ll
// RUN: FileCheck %s --check-prefix=MARKED < %t.ll
// RUN: comb build %s --cpu znver4 --emit asm -o %t.s
// RUN: FileCheck %s --check-prefix=HALVES < %t.s
// RUN: comb build %s --cpu x86-64-v4 --emit llvm -o %t.other.ll
// RUN: FileCheck %s --check-prefix=OTHERS < %t.other.ll

// MARKED:     define internal void @comb.row_sums_chunk({{.*}}) #[[NARROW:[0-9]+]] {
// MARKED-NOT: @comb.{{.*}}_chunk({{.*}}) #[[NARROW]] {
// MARKED:     define internal void @comb.products_chunk(
// MARKED-NOT: @comb.{{.*}}_chunk({{.*}}) #[[NARROW]] {
// MARKED:     define internal void @comb.squares_chunk({{.*}}) #[[NARROW]] {
// MARKED-NOT: @comb.{{.*}}_chunk({{.*}}) #[[NARROW]] {
// MARKED:     define internal void @comb.cubes_chunk(
// MARKED-NOT: @comb.{{.*}}_chunk({{.*}}) #[[NARROW]] {
// MARKED:     define internal void @comb.next_chunk(
// MARKED-NOT: @comb.{{.*}}_chunk({{.*}}) #[[NARROW]] {
// MARKED:     attributes #[[NARROW]] = {{{.*}}"min-legal-vector-width"="0"{{.*}}"prefer-vector-width"="256"

// HALVES-LABEL: comb.row_sums_chunk:
// HALVES:         vaddps {{.*}}(%{{.*}}), %ymm
// HALVES-NOT:     %zmm
// HALVES-LABEL: comb.products_chunk:
// HALVES:         %zmm

// OTHERS-NOT: prefer-vector-width

func.func @row_sums(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %sums = soac.fold %x neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %sums : tensor<?xf32>
}

// Two arrays: more lines are asked for at a time.
func.func @products(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %xy = soac.map %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> (%a: f32, %b: f32) {
    %p = arith.mulf %a, %b : f32
    soac.yield %p : f32
  }
  %sums = soac.fold %xy neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %sums : tensor<?xf32>
}

func.func @squares(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %xx = soac.map %x : (tensor<?x?xf32>) -> tensor<?x?xf32> (%a: f32) {
    %p = arith.mulf %a, %a : f32
    soac.yield %p : f32
  }
  %sums = soac.fold %xx neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %sums : tensor<?xf32>
}

// Too much to compute.
func.func @cubes(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %xxx = soac.map %x : (tensor<?x?xf32>) -> tensor<?x?xf32> (%a: f32) {
    %aa = arith.mulf %a, %a : f32
    %p = arith.mulf %aa, %a : f32
    soac.yield %p : f32
  }
  %sums = soac.fold %xxx neutral %zero : (tensor<?x?xf32>, f32) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %sums : tensor<?xf32>
}

// Vectors are written.
func.func @next(%x: tensor<?xf32>) -> tensor<?xf32> {
  %one = arith.constant 1.0 : f32
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = arith.addf %a, %one : f32
    soac.yield %b : f32
  }
  return %y : tensor<?xf32>
}
