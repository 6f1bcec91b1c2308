// Implementations with mistakes.

func.func @type(%x: tensor<?xf32>) -> f32 {
  // expected-error @below {{'stats.mistaken' op expands to a value of type tensor<?xf32> for result 0, which is of type f32}}
  %r = stats.mistaken "type" %x : tensor<?xf32>
  return %r : f32
}

// -----

func.func @number(%x: tensor<?xf32>) -> f32 {
  // expected-error @below {{'stats.mistaken' op expands to 0 values, but has 1 results}}
  %r = stats.mistaken "number" %x : tensor<?xf32>
  return %r : f32
}

// -----

func.func @endless(%x: tensor<?xf32>) -> f32 {
  // expected-error @below {{'stats.mistaken' op expands to itself, or to ops that do}}
  %r = stats.mistaken "endless" %x : tensor<?xf32>
  return %r : f32
}

// -----

func.func @failure(%x: tensor<?xf32>) -> f32 {
  // expected-error @below {{'stats.mistaken' op has no mistake}}
  // expected-error @below {{'stats.mistaken' op did not expand to combinators}}
  %r = stats.mistaken "none" %x : tensor<?xf32>
  return %r : f32
}
