// RUN: comb-opt %s --split-input-file --verify-diagnostics

// Only a kernel holds loops.
func.func @f(%n: index) {
  nest.loop %i to %n {
    // expected-error @below {{'nest.yield' op is in no 'nest.kernel'}}
    nest.yield
  }
  return
}

// -----

func.func @f() {
  nest.kernel {
    // expected-error @below {{'nest.kernel' op is in another 'nest.kernel'}}
    nest.kernel {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

// An argument too few.
func.func @f(%n: index, %a: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op has a body of (index), expected (index, f32)}}
    %r = "nest.loop"(%n, %a) ({
    ^bb0(%i: index):
      "nest.yield"() : () -> ()
    }) : (index, f32) -> f32
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index, %a: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op has a body that yields (), expected (f32)}}
    %r = nest.loop %i to %n carry(%b = %a : f32) {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index, %a: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op gives (f64), expected (f32)}}
    %r = "nest.loop"(%n, %a) ({
    ^bb0(%i: index, %b: f32):
      "nest.yield"(%b) : (f32) -> ()
    }) : (index, f32) -> f64
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index, %a: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op needs a body that ends with 'nest.yield'}}
    "nest.loop"(%n) ({
    ^bb0(%i: index):
      "ub.unreachable"() : () -> ()
    }) : (index) -> ()
    nest.yield
  }
  return
}

// -----

func.func @f(%x: tensor<?x?xf32>, %n: index) {
  nest.kernel {
    // expected-error @below {{'nest.read' op has 1 indices for an array of 2 dimensions}}
    %e = nest.read %x[%n] : tensor<?x?xf32>
    nest.yield
  }
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: index, %v: f32) {
  nest.kernel {
    // expected-error @below {{'nest.write' op has 2 indices for an array of 1 dimensions}}
    nest.write %v into %m[%n, %n] : memref<?xf32>
    nest.yield
  }
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: index, %v: f64) {
  nest.kernel {
    // expected-error @below {{'nest.write' op has a value of f64 for elements of f32}}
    "nest.write"(%v, %m, %n) : (f64, memref<?xf32>, index) -> ()
    nest.yield
  }
  return
}

// -----

// What is written in memory gives nothing.
func.func @f(%m: memref<?xf32>, %n: index, %v: f32) {
  nest.kernel {
    // expected-error @below {{'nest.write' op gives (tensor<?xf32>), expected ()}}
    %r = "nest.write"(%v, %m, %n) : (f32, memref<?xf32>, index) -> tensor<?xf32>
    nest.yield
  }
  return
}

// -----

// A write to an array that nothing carries would copy it.
func.func @f(%x: tensor<?xf32>, %n: index, %v: f32) {
  nest.kernel {
    // expected-error @below {{'nest.write' op changes operand 1, which nothing around it carries}}
    %r = nest.write %v into %x[%n] : tensor<?xf32>
    nest.yield
  }
  return
}

// -----

func.func @f(%x: tensor<?xf32>, %m: memref<?xf32>, %n: index, %v: f32) {
  %0 = nest.kernel outs(%y = %x : tensor<?xf32>) {
    // expected-error @below {{'nest.scatter' op writes to tensors and to memory}}
    %r = nest.scatter %v, %v into %y, %m[%n] : tensor<?xf32>, memref<?xf32>
    nest.yield %r : tensor<?xf32>
  }
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: index, %v: f32) {
  nest.kernel {
    // expected-error @below {{'nest.scatter' op needs as many arrays as values: 1 for 2}}
    "nest.scatter"(%v, %v, %m, %n) <{operandSegmentSizes = array<i32: 2, 1, 1>}> ({
    }) : (f32, f32, memref<?xf32>, index) -> ()
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.scatter' op needs at least one value}}
    "nest.scatter"(%n) <{operandSegmentSizes = array<i32: 0, 0, 1>}> ({
    }) : (index) -> ()
    nest.yield
  }
  return
}

// -----

func.func @f(%m: memref<?xf32>, %n: index, %v: f32) {
  nest.kernel {
    // expected-error @below {{'nest.scatter' op has a body of (f32), expected (f32, f32)}}
    nest.scatter %v into %m[%n] : memref<?xf32> (%old: f32) {
      nest.yield %old : f32
    }
    nest.yield
  }
  return
}

// -----

// A fold combines what a loop carries.
func.func @f(%n: index, %v: f32) {
  nest.kernel {
    // expected-error @below {{'nest.fold' op changes operand 1, which nothing around it carries}}
    %r = nest.fold %v into %v neutral %v : f32 (%a: f32, %b: f32) {
      nest.yield %a : f32
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index, %v: f32) {
  nest.kernel {
    %r = nest.loop %i to %n carry(%a = %v : f32) {
      // expected-error @below {{'nest.fold' op needs as many neutral elements as values: 0 for 1}}
      %s = "nest.fold"(%v, %a) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({
      ^bb0(%l: f32, %m: f32):
        "nest.yield"(%l) : (f32) -> ()
      }) : (f32, f32) -> f32
      nest.yield %s : f32
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index, %v: f32, %w: f64) {
  nest.kernel {
    %r = nest.loop %i to %n carry(%a = %v : f32) {
      // expected-error @below {{'nest.fold' op has values of (f32), and others of (f64) to go with them}}
      %s = "nest.fold"(%v, %a, %w) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({
      ^bb0(%l: f32, %m: f32):
        "nest.yield"(%l) : (f32) -> ()
      }) : (f32, f32, f64) -> f32
      nest.yield %s : f32
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index, %v: f32) {
  nest.kernel {
    %r = nest.loop %i to %n carry(%a = %v : f32) {
      // expected-error @below {{'nest.scan' op has a body that yields (index), expected (f32)}}
      %p, %s = nest.scan %v into %a neutral %v : f32 (%l: f32, %m: f32) {
        nest.yield %n : index
      }
      nest.yield %s : f32
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index, %v: f32) {
  nest.kernel {
    // expected-error @below {{'nest.local' op has 1 sizes, expected 2: one for each dimension}}
    %r = nest.local [%n] : tensor<?x4xf32>
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index, %v: f32) {
  nest.kernel {
    // expected-error @below {{'nest.local' op has sizes that are not those of its result's type: tensor<?x4xf32>}}
    %r = nest.local [%n, 5] : tensor<?x4xf32>
    nest.yield
  }
  return
}

// -----

// What is carried is used in turn: it is lost here,
func.func @f(%n: index, %v: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op carries value 0 that is not handed on: nothing changes or yields it}}
    %r = nest.loop %i to %n carry(%a = %v : f32) {
      nest.yield %v : f32
    }
    nest.yield
  }
  return
}

// -----

// used twice here,
func.func @f(%x: tensor<?xf32>, %n: index, %v: f32) {
  // expected-error @below {{'nest.kernel' op carries value 0 that several ops change or yield}}
  %0 = nest.kernel outs(%y = %x : tensor<?xf32>) {
    %a = nest.write %v into %y[%n] : tensor<?xf32>
    %b = nest.write %v into %y[%n] : tensor<?xf32>
    nest.yield %b : tensor<?xf32>
  }
  return
}

// -----

// looked at here,
func.func @f(%n: index, %v: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op carries value 0 that 'arith.addf' uses, which does not change it}}
    %r = nest.loop %i to %n carry(%a = %v : f32) {
      %b = arith.addf %a, %v : f32
      %s = nest.fold %b into %a neutral %v : f32 (%l: f32, %m: f32) {
        nest.yield %l : f32
      }
      nest.yield %s : f32
    }
    nest.yield
  }
  return
}

// -----

// read when it has been changed here,
func.func @f(%x: tensor<?xf32>, %n: index, %v: f32) {
  // expected-error @below {{'nest.kernel' op carries value 0 that 'nest.read' reads after it was changed}}
  %0 = nest.kernel outs(%y = %x : tensor<?xf32>) {
    %a = nest.write %v into %y[%n] : tensor<?xf32>
    %old = nest.read %y[%n] : tensor<?xf32>
    nest.yield %a : tensor<?xf32>
  }
  return
}

// -----

// changed in a loop that does not carry it here,
func.func @f(%x: tensor<?xf32>, %n: index, %v: f32) {
  // expected-error @below {{'nest.kernel' op carries value 0 that 'nest.write' changes in a body that does not carry it}}
  %0 = nest.kernel outs(%y = %x : tensor<?xf32>) {
    nest.loop %i to %n {
      %a = nest.write %v into %y[%n] : tensor<?xf32>
      nest.yield
    }
    nest.yield %y : tensor<?xf32>
  }
  return
}

// -----

// and yielded for another here.
func.func @f(%n: index, %v: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op carries value 0 that is yielded in place of value 1}}
    %r:2 = nest.loop %i to %n carry(%a = %v : f32, %b = %v : f32) {
      nest.yield %b, %a : f32, f32
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%h: memref<?xf32>, %n: index, %x: f32) {
  nest.kernel {
    nest.loop %i to %n {
      // expected-error @below {{'nest.scatter' op 'strategy' has to be one of "sequential", "privatised", "partitioned", and not "atomic"}}
      nest.scatter %x into %h[%i] {strategy = "atomic"} : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}
