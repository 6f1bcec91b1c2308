// A module that describes no machine is refused, by whoever reads what it says.

// RUN: comb-opt %s --comb-set-machine -split-input-file -verify-diagnostics
// RUN: comb-opt %s --comb-cpu=cpu=haswell -split-input-file -verify-diagnostics

// expected-error@+1 {{'comb.machine': there is no fact 'registers'; there are vector_bits, vector_registers, masked_bits, line_bytes, first_cache_bytes, second_cache_bytes, last_cache_bytes, chunk_instructions, fma, compress, permutes, conversions, estimates, ranges}}
module attributes {comb.machine = {cpu = "haswell", registers = 8}} {}

// -----

// expected-error@+1 {{'comb.machine': 'vector_bits' is missing; facts may be left out if 'cpu' is one of default, x86-64,}}
module attributes {comb.machine = {vector_registers = 8}} {}

// -----

// expected-error@+1 {{'comb.machine': the table of CPUs has no 'z80', but default, x86-64,}}
module attributes {comb.machine = {cpu = "z80", fma = true}} {}

// -----

// expected-error@+1 {{'comb.machine': 'fma' is 1, but has to be true or false}}
module attributes {comb.machine = {cpu = "haswell", fma = 1}} {}

// -----

// expected-error@+1 {{'comb.machine': 'vector_bits' is true, but has to be a number from 64 to 65536}}
module attributes {comb.machine = {cpu = "haswell", vector_bits = true}} {}

// -----

// expected-error@+1 {{'comb.machine': 'vector_registers' is 0, but has to be a number from 1 to 65536}}
module attributes {comb.machine = {cpu = "haswell", vector_registers = 0}} {}

// -----

// expected-error@+1 {{'comb.machine': 'line_bytes' is 6.400000e+01 : f64, which is neither a whole number, nor true or false, nor a name}}
module attributes {comb.machine = {cpu = "haswell", line_bytes = 64.0}} {}

// -----

// expected-error@+1 {{'comb.machine': 'line_bytes' is 64 : i128, which is neither a whole number, nor true or false, nor a name}}
module attributes {comb.machine = {cpu = "haswell", line_bytes = 64 : i128}} {}

// -----

// expected-error@+1 {{'comb.machine': 'cpu' is 7 : i64, but has to be a name}}
module attributes {comb.machine = {cpu = 7}} {}

// -----

// expected-error@+1 {{'comb.machine': "haswell" is no dictionary of facts, such as {cpu = "x86-64-v3"}}}
module attributes {comb.machine = "haswell"} {}

// -----

module {
  // expected-error@+1 {{'comb.machine' is at a module inside of another one; put it at the outermost}}
  module @inner attributes {comb.machine = {cpu = "haswell"}} {}
}
