// What makes code for CPUs says that it makes none for a GPU; what makes code for both asks no more than it has to.

// RUN: not comb-opt %s --comb-compress-in-registers 2>&1 | FileCheck %s
// RUN: comb-opt %s --comb-expand-math

// CHECK: error: 'comb.machine' describes a GPU, but these passes make code for CPUs only
module attributes {comb.machine = {gpu = "sm_90"}} {}
