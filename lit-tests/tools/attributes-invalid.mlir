// Attributes of soac that are misspelt, or have a value of another form, are errors wherever a
// program is read.

// RUN: comb-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{'func.func' op parameter 0 has soac.unsigned = 1 : i64; it has no value, or true or false}}
func.func @number(%x: tensor<?xi8> {soac.unsigned = 1}) {
  return
}

// -----

// expected-error@+1 {{'func.func' op parameter 1 has the attribute soac.unsinged, which is unknown; known are soac.name, soac.unsigned, soac.extent}}
func.func @misspelt(%y: index, %x: tensor<?xi8> {soac.unsinged}) {
  return
}

// -----

// expected-error@+1 {{'func.func' op result 0 has soac.name = 3 : i64; a string in quotes is expected}}
func.func @unnamed(%x: tensor<?xi8>) -> (tensor<?xi8> {soac.name = 3}) {
  return %x : tensor<?xi8>
}

// -----

// expected-error@+1 {{'func.func' op result 0 has the attribute soac.extent, which is unknown; known are soac.name, soac.unsigned}}
func.func private @extent(tensor<?xi8>) -> (tensor<?xi8> {soac.extent = array<i64: 3>})

// -----

func.func @wish(%xs: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{'soac.map' op has the attribute soac.aloen, which is unknown; known are soac.together, soac.apart, soac.alone, soac.orders}}
  %ys = soac.map %xs {soac.aloen} : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    soac.yield %x : f32
  }
  return %ys : tensor<?xf32>
}

// -----

func.func @value(%xs: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'arith.negf' op has soac.alone = true; it has no value}}
  %ys = arith.negf %xs {soac.alone = true} : tensor<4xf32>
  return %ys : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op has the attribute soac.together, which is unknown; known are soac.has_checks}}
func.func @function() attributes {soac.together = "a"} {
  return
}
