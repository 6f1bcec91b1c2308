// Without comb-set-machine, too, a pass says what is wrong with the machine that it is to ask, and
// what it makes no code for.

// RUN: comb-opt %s --comb-expand-math -split-input-file -verify-diagnostics
// RUN: comb-opt %s --comb-compress-in-registers -split-input-file -verify-diagnostics
// RUN: not comb-opt %s --convert-soac-to-loops -split-input-file 2>&1 | FileCheck %s

// expected-error@+1 {{'comb.machine': there is no fact 'registers'; there are kind,}}
module attributes {comb.machine = {cpu = "haswell", registers = 8}} {}

// -----

// CHECK: error: 'comb.machine' describes a GPU, but these passes make code for CPUs only
module attributes {comb.machine = {cpu = "default", kind = "gpu"}} {}
