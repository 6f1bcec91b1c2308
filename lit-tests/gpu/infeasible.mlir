// A schedule that cannot be obeyed is an error, which says why, and so is what has no form on a GPU.
//
// RUN: comb-opt %s --split-input-file --verify-diagnostics --convert-nest-to-gpu

func.func @value_form(%a: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error @below {{'nest.kernel' op makes tensors, but GPU kernels are made of nests in memory: run one-shot-bufferize before}}
  %r = nest.kernel outs(%b = %a : tensor<?xi32>) {
    nest.yield %b : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// -----

func.func @unscheduled(%x: memref<?xi32>, %n: index, %zero: i32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op has no schedule for a GPU: run nest-schedule-gpu before}}
    nest.loop %i to %n {
      nest.write %zero into %x[%i] : memref<?xi32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @alone(%x: memref<?xi32>, %n: index, %zero: i32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op is of level "team", but is in no loop that the grid shares}}
    nest.loop attributes {gpu = {level = "team"}} %i to %n {
      nest.write %zero into %x[%i] : memref<?xi32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @ordered(%a: memref<?xindex>, %h: memref<?xf32>, %n: index, %one: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op has a schedule for a GPU that cannot be obeyed: a 'nest.scatter' may write the same element in two iterations}}
    nest.loop attributes {gpu = {level = "grid"}} %i to %n {
      %x = nest.read %a[%i] : memref<?xindex>
      nest.scatter %one into %h[%x] : memref<?xf32> (%l: f32, %m: f32) {
        %t = arith.addf %l, %m : f32
        nest.yield %t : f32
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @by_a_thread(%x: memref<?x?xi32>, %n: index, %zero: i32) {
  nest.kernel {
    nest.loop attributes {gpu = {level = "grid"}} %i to %n {
      // expected-error @below {{'nest.loop' op has a schedule for a GPU that cannot be obeyed: one thread runs an iteration around it}}
      nest.loop attributes {gpu = {level = "team"}} %j to %n {
        nest.write %zero into %x[%i, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @unshared(%x: memref<?x?xi32>, %n: index, %zero: i32) {
  nest.kernel {
    nest.loop attributes {gpu = {level = "grid", team = "block"}} %i to %n {
      // expected-error @below {{'nest.loop' op has a schedule for a GPU that cannot be obeyed: a warp or block runs an iteration around it, and does not share it}}
      nest.loop attributes {gpu = {level = "sequential"}} %j to %n {
        nest.write %zero into %x[%i, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @same_axis(%x: memref<?x?xi32>, %n: index, %zero: i32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op has a schedule for a GPU that cannot be obeyed: loops have the same axis}}
    nest.loop attributes {gpu = {level = "grid"}} %i to %n {
      nest.loop attributes {gpu = {level = "grid"}} %j to %n {
        nest.write %zero into %x[%i, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @part_of_a_warp(%x: memref<?x?xi32>, %n: index, %zero: i32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op has a schedule for a GPU that cannot be obeyed: 40 threads are no whole warps of 32}}
    nest.loop attributes {gpu = {level = "grid", team = "warp", threads = 40 : i64}} %i to %n {
      nest.loop attributes {gpu = {level = "team"}} %j to %n {
        nest.write %zero into %x[%i, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @waiting_warp(%x: memref<?x?xi32>, %y: memref<?x?xi32>, %n: index, %zero: i32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op has a schedule for a GPU that cannot be obeyed: threads of a warp would have to wait for each other's writes}}
    nest.loop attributes {gpu = {level = "grid", team = "warp"}} %i to %n {
      %row = nest.local [%n] : memref<?xi32>
      nest.loop attributes {gpu = {level = "team"}} %j to %n {
        nest.write %zero into %row[%j] : memref<?xi32>
        nest.yield
      }
      nest.loop attributes {gpu = {level = "team"}} %j to %n {
        %a = nest.read %row[%j] : memref<?xi32>
        nest.write %a into %y[%i, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @unrolled_rows(%x: memref<?x?xi32>, %n: index, %zero: i32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op has a schedule for a GPU that cannot be obeyed: only innermost loops that threads share, without arrays of an iteration, are unrolled}}
    nest.loop attributes {gpu = {level = "grid", unroll = 2 : i64}} %i to %n {
      nest.loop attributes {gpu = {level = "sequential"}} %j to %n {
        nest.write %zero into %x[%i, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @allocates(%x: memref<?xi32>, %n: index, %zero: i32) {
  nest.kernel {
    nest.loop attributes {gpu = {level = "grid"}} %i to %n {
      // expected-error @below {{'memref.alloc' op has no form on a GPU yet}}
      %m = memref.alloc(%n) : memref<?xi32>
      nest.write %zero into %x[%i] : memref<?xi32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @host(%x: memref<4xi32>, %zero: i32) {
  // expected-error @below {{'linalg.fill' op has no form on a GPU yet}}
  linalg.fill ins(%zero : i32) outs(%x : memref<4xi32>)
  return
}
