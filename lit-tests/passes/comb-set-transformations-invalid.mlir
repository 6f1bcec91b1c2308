// What a module says of transformations has to be as it should be, whoever reads it.

// RUN: comb-opt %s --comb-set-transformations -split-input-file -verify-diagnostics
// RUN: comb-opt %s --convert-soac-sorts-to-loops -split-input-file -verify-diagnostics
// RUN: comb-opt %s --comb-hoist-invariants -split-input-file -verify-diagnostics

// expected-error@+1 {{'comb.transformations': there is no transformation 'packin' (did you mean 'packing'?); there are}}
module attributes {comb.transformations = {disable = ["packin"]}} {}

// -----

// expected-error@+1 {{'comb.transformations': it has no 'disabled', but 'disable', 'limit' and 'done'}}
module attributes {comb.transformations = {disabled = ["packing"]}} {}

// -----

// expected-error@+1 {{'comb.transformations': 'disable' is "packing", but has to be a list of names}}
module attributes {comb.transformations = {disable = "packing"}} {}

// -----

// expected-error@+1 {{'comb.transformations': 'disable' is [1], but has to be a list of names}}
module attributes {comb.transformations = {disable = [1]}} {}

// -----

// expected-error@+1 {{'comb.transformations': 'limit' is -1 : i64, but has to be a whole number, 0 or more, of type i64}}
module attributes {comb.transformations = {limit = -1 : i64}} {}

// -----

// expected-error@+1 {{'comb.transformations': 'limit' is 3 : i8, but has to be a whole number, 0 or more, of type i64}}
module attributes {comb.transformations = {limit = 3 : i8}} {}

// -----

// expected-error@+1 {{'comb.transformations': ["packing"] is no dictionary, such as {disable = ["packing"], limit = 12 : i64}}}
module attributes {comb.transformations = ["packing"]} {}
