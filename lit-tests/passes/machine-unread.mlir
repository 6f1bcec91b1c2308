// Without comb-set-machine, too, a pass says what is wrong with the machine that it is to ask.

// RUN: comb-opt %s --comb-expand-math -split-input-file -verify-diagnostics
// RUN: comb-opt %s --comb-compress-in-registers -split-input-file -verify-diagnostics

// expected-error@+1 {{'comb.machine': there is no fact 'registers'; there are vector_bits,}}
module attributes {comb.machine = {cpu = "haswell", registers = 8}} {}
