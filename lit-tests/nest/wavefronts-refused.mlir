// A wavefront that cannot be had is an error, which says why.
//
// RUN: comb-opt %s --split-input-file --verify-diagnostics --nest-wavefront --nest-to-vectors

func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = arith.constant 3 : index
  %next = arith.constant 4 : index
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: the kernel stands in no 'scf.for'}}
    nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
      %x = nest.read %h[%i, %j] : memref<?x?xi32>
      nest.write %x into %h[%next, %j] : memref<?x?xi32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %step {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: the step of the 'scf.for' is no positive constant}}
      nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
        %x = nest.read %h[%i, %j] : memref<?x?xi32>
        nest.write %x into %h[%next, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index, %times: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%t) = (%c0) to (%times) step (%c1) {
    scf.for %i = %c0 to %rows step %c1 {
      %next = arith.addi %i, %c1 : index
      nest.kernel {
        // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: threads share a loop around the 'scf.for'}}
        nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
          %x = nest.read %h[%i, %j] : memref<?x?xi32>
          nest.write %x into %h[%next, %j] : memref<?x?xi32>
          nest.yield
        }
        nest.yield
      }
    }
    scf.reduce
  }
  return
}

// -----

// Two rows that alternate.
func.func @f(%one: memref<?xi32>, %two: memref<?xi32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 iter_args(%g = %one, %h = %two) -> (memref<?xi32>, memref<?xi32>) {
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: the 'scf.for' carries values}}
      nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
        %x = nest.read %g[%j] : memref<?xi32>
        nest.write %x into %h[%j] : memref<?xi32>
        nest.yield
      }
      nest.yield
    }
    scf.yield %h, %g : memref<?xi32>, memref<?xi32>
  }
  return
}

// -----

func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index, %n: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    memref.store %i, %n[%c0] : memref<?xindex>
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: the 'scf.for' has a 'memref.store' besides}}
      nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
        %x = nest.read %h[%i, %j] : memref<?x?xi32>
        nest.write %x into %h[%next, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index, %c0_i32: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: the kernel does more than this loop, in loops that run once}}
      nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
        %x = nest.read %h[%i, %j] : memref<?x?xi32>
        nest.write %x into %h[%next, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.loop %j to %columns {
        nest.write %c0_i32 into %h[%i, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      nest.loop %k to %rows {
        // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: the kernel does more than this loop, in loops that run once}}
        nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
          %x = nest.read %h[%i, %j] : memref<?x?xi32>
          nest.write %x into %h[%next, %j] : memref<?x?xi32>
          nest.yield
        }
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: there are loops inside}}
      nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
        nest.loop %k to %columns {
          %x = nest.read %h[%i, %k] : memref<?x?xi32>
          nest.write %x into %h[%next, %k] : memref<?x?xi32>
          nest.yield
        }
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index, %limit: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: it has a 'soac.check'}}
      nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
        %x = nest.read %h[%i, %j] : memref<?x?xi32>
        %is_right = arith.cmpi slt, %j, %limit : index
        soac.check %is_right, "{} is too many"(%j)
        nest.write %x into %h[%next, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index, %z: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: it has a 'nest.fold'}}
      %all = nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns carry(%a = %z : i32) {
        %x = nest.read %h[%i, %j] : memref<?x?xi32>
        %b = nest.fold %x into %a neutral %z : i32 (%l: i32, %r: i32) {
          %s = arith.addi %l, %r : i32
          nest.yield %s : i32
        }
        nest.write %x into %h[%next, %j] : memref<?x?xi32>
        nest.yield %b : i32
      }
      nest.yield
    }
  }
  return
}

// -----

// Ranges would end where lines begin.
func.func @f(%x: memref<?xf32>, %y: memref<?x?xf32>, %rows: index, %columns: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %k = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: it scans what has other bits in another order, and writes past the caches}}
      %all = nest.loop attributes {schedule = {lanes = 16 : i64, stream = 0 : i64, wavefront = 64 : i64}} %j to %columns carry(%a = %z : f32) {
        %e = nest.read %x[%j] : memref<?xf32>
        %p, %b = nest.scan %e into %a neutral %z : f32 (%l: f32, %r: f32) {
          %s = arith.addf %l, %r : f32
          nest.yield %s : f32
        }
        nest.write %p into %y[%i, %j] : memref<?x?xf32>
        nest.yield %b : f32
      }
      nest.yield
    }
  }
  return
}

// -----

func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: it is cut, jammed, packed or distributed, too}}
      nest.loop attributes {schedule = {lanes = 1 : i64, split = 8 : i64, wavefront = 64 : i64}} %j to %columns {
        %x = nest.read %h[%i, %j] : memref<?x?xi32>
        nest.write %x into %h[%next, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

// Rows that become longer.
func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: how often it runs is not known before the 'scf.for'}}
      nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %next {
        %x = nest.read %h[%i, %j] : memref<?x?xi32>
        nest.write %x into %h[%next, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

// Which memory a round writes depends on it.
func.func @f(%g: memref<?x?xi32>, %h: memref<?x?xi32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    %bit = arith.index_cast %i : index to i32
    %is_odd = arith.trunci %bit : i32 to i1
    %m = arith.select %is_odd, %g, %h : memref<?x?xi32>
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: an array may be the same memory as another one, or another memory in each round}}
      nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
        %x = nest.read %h[%i, %j] : memref<?x?xi32>
        nest.write %x into %m[%next, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

// Memory with two names.
func.func @f(%rows: index, %columns: index, %is_same: i1, %g: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.alloc(%rows, %columns) : memref<?x?xi32>
  %m = arith.select %is_same, %g, %h : memref<?x?xi32>
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: an array may be the same memory as another one, or another memory in each round}}
      nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
        %x = nest.read %m[%i, %j] : memref<?x?xi32>
        nest.write %x into %h[%next, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

// It reads on its right what the last round has written.
func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: an iteration may use an element that one further on uses in an earlier round of the 'scf.for'}}
      nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
        %right = arith.addi %j, %c1 : index
        %x = nest.read %h[%i, %right] : memref<?x?xi32>
        nest.write %x into %h[%next, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

// It writes on its right what the last round has read.
func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: an iteration may use an element that one further on uses in an earlier round of the 'scf.for'}}
      nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
        %right = arith.addi %j, %c1 : index
        %x = nest.read %h[%next, %j] : memref<?x?xi32>
        nest.write %x into %h[%i, %right] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

// It writes again, further on.
func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index, %s: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: an iteration may use an element that one further on uses in an earlier round of the 'scf.for'}}
      nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
        %x = nest.read %s[%i, %j] : memref<?x?xi32>
        %k = arith.addi %i, %j : index
        nest.write %x into %h[%c0, %k] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

// Which row it reads is in memory.
func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index, %rows_above: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: an iteration may use an element that one further on uses in an earlier round of the 'scf.for'}}
      nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns {
        %k = nest.read %rows_above[%i] : memref<?xindex>
        %right = arith.addi %j, %c1 : index
        %x = nest.read %h[%k, %right] : memref<?x?xi32>
        nest.write %x into %h[%next, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
  }
  return
}

// -----

// What the loop has carried is only known behind the last range.
func.func @f(%h: memref<?x?xi32>, %rows: index, %columns: index, %z: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %next = arith.addi %i, %c1 : index
    nest.kernel {
      // expected-error @below {{'nest.loop' op cannot have the wavefront of its schedule: it carries what no scan changes, or what is used behind it}}
      %all = nest.loop attributes {schedule = {lanes = 1 : i64, wavefront = 64 : i64}} %j to %columns carry(%a = %z : i32) {
        %x = nest.read %h[%i, %j] : memref<?x?xi32>
        %p, %b = nest.scan %x into %a neutral %z : i32 (%l: i32, %r: i32) {
          %s = arith.addi %l, %r : i32
          nest.yield %s : i32
        }
        nest.write %p into %h[%next, %j] : memref<?x?xi32>
        nest.yield %b : i32
      }
      %twice = arith.addi %all, %all : i32
      nest.yield
    }
  }
  return
}
