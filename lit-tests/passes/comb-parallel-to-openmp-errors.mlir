// RUN: comb-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --comb-parallel-to-openmp

func.func @schedule(%n: index) {
  // expected-error @+1 {{'scf.parallel' op has the schedule "dynamic"; contiguous and interleaved are known}}
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    scf.reduce
  } {comb.schedule = "dynamic"}
  return
}

// -----

func.func @dimensions(%n: index) {
  // expected-error @+1 {{'scf.parallel' op has a schedule, but several dimensions or reductions; only loops of one dimension without reductions can have one}}
  scf.parallel (%i, %j) = (%n, %n) to (%n, %n) step (%n, %n) {
    scf.reduce
  } {comb.schedule = "contiguous"}
  return
}

// -----

func.func @reduction(%n: index, %x: f32) {
  // expected-error @+1 {{'scf.parallel' op has a schedule, but several dimensions or reductions}}
  %sum = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scf.reduce.return %c : f32
    }
  } {comb.schedule = "contiguous"}
  return
}

// -----

func.func @bounds(%n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.parallel' op has a schedule, but does not count from 0 in steps of 1}}
  scf.parallel (%i) = (%c1) to (%n) step (%c1) {
    scf.reduce
  } {comb.schedule = "contiguous"}
  return
}

// -----

func.func @tensor(%n: index, %x: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.parallel' op uses a value of type tensor<4xf32> from outside, which cannot be passed to its chunks}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    "test.use"(%x) : (tensor<4xf32>) -> ()
    scf.reduce
  } {comb.schedule = "contiguous"}
  return
}

// -----

module {
  gpu.module @inner {
    func.func @nested(%n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      // expected-error @+1 {{'scf.parallel' op is not in a func.func of a builtin.module; code for several threads is made for those only}}
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        scf.reduce
      } {comb.schedule = "contiguous"}
      return
    }
  }
}

// -----

// expected-error @+1 {{'comb_runtime_run_chunks' is a name of the runtime library or OpenMP}}
module {
  func.func @comb_runtime_run_chunks(%n: index) {
    scf.parallel (%i) = (%n) to (%n) step (%n) {
      scf.reduce
    } {comb.schedule = "contiguous"}
    return
  }
}
