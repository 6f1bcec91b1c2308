// A schedule that cannot be obeyed is an error, which says why.
//
// RUN: comb-opt %s --split-input-file --verify-diagnostics --nest-distribute --nest-split --nest-pack --nest-jam --nest-to-vectors

func.func @value_form(%a: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error @below {{'nest.kernel' op is in value form, but vectors are made of the memory form: 'one-shot-bufferize' comes first}}
  %r = nest.kernel outs(%b = %a : tensor<?xi32>) {
    nest.yield %b : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// -----

// Sums of floating-point numbers depend on the order.
func.func @histogram(%a: memref<?xindex>, %h: memref<?xf32>, %n: index, %one: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the chunks of its schedule: it has a 'nest.scatter', for which the schedule needs 'buckets'}}
    nest.loop attributes {schedule = {chunk = 100 : i64, tables = 8 : i64}} %i to %n {
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

func.func @histogram_of_integers(%a: memref<?xindex>, %h: memref<?xi32>, %n: index, %one: i32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the chunks of its schedule: it has a 'nest.scatter', for which the schedule needs 'tables' or 'buckets'}}
    nest.loop attributes {schedule = {chunk = 100 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xindex>
      nest.scatter %one into %h[%x] : memref<?xi32> (%l: i32, %m: i32) {
        %t = arith.addi %l, %m : i32
        nest.yield %t : i32
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @buckets_without_chunks(%a: memref<?xindex>, %h: memref<?xf32>, %n: index, %one: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the tables or buckets of its schedule: it has no chunks}}
    nest.loop attributes {schedule = {buckets = 4 : i64}} %i to %n {
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

func.func @in_order(%a: memref<?xindex>, %h: memref<?xf32>, %n: index, %one: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the chunks of its schedule: the program wishes that a 'nest.scatter' is done in order}}
    nest.loop attributes {schedule = {buckets = 4 : i64, chunk = 100 : i64, tables = 8 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xindex>
      nest.scatter %one into %h[%x] {strategy = "sequential"} : memref<?xf32> (%l: f32, %m: f32) {
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

func.func @no_tables(%a: memref<?xindex>, %h: memref<?xf32>, %n: index, %one: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the chunks of its schedule: the program wishes tables for a 'nest.scatter' whose operator allows none}}
    nest.loop attributes {schedule = {buckets = 4 : i64, chunk = 100 : i64, tables = 8 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xindex>
      nest.scatter %one into %h[%x] {strategy = "privatised"} : memref<?xf32> (%l: f32, %m: f32) {
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

func.func @wishes_buckets(%a: memref<?xindex>, %h: memref<?xi32>, %n: index, %one: i32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the chunks of its schedule: it has a 'nest.scatter', for which the schedule needs 'buckets'}}
    nest.loop attributes {schedule = {chunk = 100 : i64, tables = 8 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xindex>
      nest.scatter %one into %h[%x] {strategy = "partitioned"} : memref<?xi32> (%l: i32, %m: i32) {
        %t = arith.addi %l, %m : i32
        nest.yield %t : i32
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

// How long the loop inside is nobody knows before.
func.func @unbounded(%a: memref<?xindex>, %h: memref<?xf32>, %n: index, %one: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the chunks of its schedule: it is not known before how many elements a 'nest.scatter' has, and tables would change its bits}}
    nest.loop attributes {schedule = {buckets = 4 : i64, chunk = 100 : i64, tables = 8 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xindex>
      nest.loop %j to %x {
        nest.scatter %one into %h[%j] : memref<?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

// The destination is read, too.
func.func @read(%a: memref<?xindex>, %h: memref<?xf32>, %n: index, %one: f32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the chunks of its schedule: an iteration may read, or write again, what another one has written}}
    nest.loop attributes {schedule = {buckets = 4 : i64, chunk = 100 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xindex>
      %y = nest.read %h[%i] : memref<?xf32>
      nest.scatter %y into %h[%x] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

// A chunk would be summed up before its elements are written.
func.func @written_before(%a: memref<?xi32>, %n: index, %zero: i32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the chunks of its schedule: what it scans or filters is read from an array that it has written before}}
    %r = nest.loop attributes {schedule = {chunk = 100 : i64}} %i to %n carry(%c = %zero : i32) {
      %x = nest.read %a[%i] : memref<?xi32>
      %y = arith.addi %x, %x : i32
      nest.write %y into %a[%i] : memref<?xi32>
      %z = nest.read %a[%i] : memref<?xi32>
      %p, %b = nest.scan %z into %c neutral %zero : i32 (%l: i32, %m: i32) {
        %t = arith.addi %l, %m : i32
        nest.yield %t : i32
      }
      nest.yield %b : i32
    }
    nest.yield
  }
  return
}

// -----

// What is in a branch is computed as a whole, or not at all.
func.func @branch(%a: memref<?xi32>, %b: memref<?xi32>, %n: index, %zero: i32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the chunks of its schedule: what it scans or filters is computed in a 'scf.if' that writes arrays, too}}
    %r = nest.loop attributes {schedule = {chunk = 100 : i64}} %i to %n carry(%c = %zero : i32) {
      %x = nest.read %a[%i] : memref<?xi32>
      %positive = arith.cmpi sgt, %x, %zero : i32
      %y = scf.if %positive -> i32 {
        nest.write %x into %b[%i] : memref<?xi32>
        scf.yield %x : i32
      } else {
        scf.yield %zero : i32
      }
      %p, %q = nest.scan %y into %c neutral %zero : i32 (%l: i32, %m: i32) {
        %t = arith.addi %l, %m : i32
        nest.yield %t : i32
      }
      nest.write %p into %a[%i] : memref<?xi32>
      nest.yield %q : i32
    }
    nest.yield
  }
  return
}

// -----

// What a part of the loop would be summed up of is in memory that is not known to be the iteration's own.
func.func @allocated(%a: memref<?xi32>, %b: memref<?xi32>, %n: index, %zero: i32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the chunks of its schedule: what it scans or filters is in an array that a 'memref.alloca' makes at each iteration}}
    %r = nest.loop attributes {schedule = {chunk = 100 : i64}} %i to %n carry(%c = %zero : i32) {
      %m = memref.alloca() : memref<i32>
      %x = nest.read %a[%i] : memref<?xi32>
      memref.store %x, %m[] : memref<i32>
      %y = nest.read %m[] : memref<i32>
      %p, %q = nest.scan %y into %c neutral %zero : i32 (%l: i32, %k: i32) {
        %t = arith.addi %l, %k : i32
        nest.yield %t : i32
      }
      nest.write %p into %b[%i] : memref<?xi32>
      nest.yield %q : i32
    }
    nest.yield
  }
  return
}

// -----

// A loop that carries an array.
func.func @while(%a: memref<?xi32>, %b: memref<?xi32>, %n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the 8 lanes of its schedule: 'scf.while' has no form for vectors}}
    nest.loop attributes {schedule = {lanes = 8 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xi32>
      %y:2 = scf.while (%z = %x, %m = %b) : (i32, memref<?xi32>) -> (i32, memref<?xi32>) {
        %go = arith.cmpi sgt, %z, %x : i32
        scf.condition(%go) %z, %m : i32, memref<?xi32>
      } do {
      ^bb0(%z: i32, %m: memref<?xi32>):
        scf.yield %z, %m : i32, memref<?xi32>
      }
      nest.write %y#0 into %a[%i] : memref<?xi32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

// An iteration reads what the one before has written.
func.func @recurrence(%a: memref<?xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the 8 lanes of its schedule: an iteration may read, or write again, what another one has written}}
    nest.loop attributes {schedule = {lanes = 8 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xi32>
      %j = arith.addi %i, %c1 : index
      nest.write %x into %a[%j] : memref<?xi32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @inside(%a: memref<?x?xi32>, %n: index) {
  nest.kernel {
    nest.loop attributes {schedule = {lanes = 8 : i64}} %i to %n {
      // expected-error @below {{'nest.loop' op cannot have the 4 lanes of its schedule: a loop around it has lanes}}
      nest.loop attributes {schedule = {lanes = 4 : i64}} %j to %n {
        %x = nest.read %a[%i, %j] : memref<?x?xi32>
        nest.write %x into %a[%i, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @inner_chunks(%a: memref<?x?xi32>, %n: index) {
  nest.kernel {
    nest.loop %i to %n {
      // expected-error @below {{'nest.loop' op cannot have the chunks of its schedule: it is in another loop}}
      nest.loop attributes {schedule = {chunk = 4 : i64}} %j to %n {
        %x = nest.read %a[%i, %j] : memref<?x?xi32>
        nest.write %x into %a[%i, %j] : memref<?x?xi32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @accumulators(%a: memref<?xi32>, %n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the 4 accumulators of its schedule: it has one lane only, or does not only fold}}
    nest.loop attributes {schedule = {accumulators = 4 : i64, lanes = 16 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xi32>
      nest.write %x into %a[%i] : memref<?xi32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @jam(%a: memref<?xi32>, %n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the 4 jammed iterations of its schedule: there is no loop inside}}
    nest.loop attributes {schedule = {jam = 4 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xi32>
      nest.write %x into %a[%i] : memref<?xi32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

// The inner loop goes on with what the outer one carries.
func.func @sum(%a: memref<?x?xi32>, %s: memref<i32>, %n: index, %zero: i32) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the 2 jammed iterations of its schedule: a loop inside goes on with what this one carries}}
    %r = nest.loop attributes {schedule = {jam = 2 : i64}} %i to %n carry(%c = %zero : i32) {
      %q = nest.loop %j to %n carry(%d = %c : i32) {
        %x = nest.read %a[%i, %j] : memref<?x?xi32>
        %e = nest.fold %x into %d neutral %zero : i32 (%l: i32, %m: i32) {
          %t = arith.addi %l, %m : i32
          nest.yield %t : i32
        }
        nest.yield %e : i32
      }
      nest.yield %q : i32
    }
    nest.write %r into %s[] : memref<i32>
    nest.yield
  }
  return
}

// -----

// Elements of different iterations of the outer loop may be the same, since the inner index is another.
func.func @overlapping(%a: memref<35xi32>, %n: index) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the 2 jammed iterations of its schedule: an iteration may read, or write again, what another one has written}}
    nest.loop attributes {schedule = {jam = 2 : i64}} %i to %n {
      %b = arith.muli %i, %c4 : index
      nest.loop %j to %c4 {
        %k = arith.addi %b, %j : index
        %k3 = arith.addi %k, %c3 : index
        %x = nest.read %a[%k3] : memref<35xi32>
        nest.write %x into %a[%k] : memref<35xi32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

// A view names the same memory.
func.func @view(%a: memref<?xi32>, %n: index) {
  %s = memref.subview %a[1] [%n] [1] : memref<?xi32> to memref<?xi32, strided<[1], offset: 1>>
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot have the 8 lanes of its schedule: an iteration may read, or write again, what another one has written}}
    nest.loop attributes {schedule = {lanes = 8 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xi32>
      nest.write %x into %s[%i] : memref<?xi32, strided<[1], offset: 1>>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @stream_without_lanes(%a: memref<?xi32>, %b: memref<?xi32>, %n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot write past the caches, as its schedule says: it has one lane only}}
    nest.loop attributes {schedule = {stream = 0 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xi32>
      nest.write %x into %b[%i] : memref<?xi32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

// Eight numbers of 32 bits are half a line.
func.func @stream_of_half_lines(%a: memref<?xi32>, %b: memref<?xi32>, %n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot write past the caches, as its schedule says: its vectors fill no lines of 64 bytes, one behind another, of an array that the kernel does not read}}
    nest.loop attributes {schedule = {lanes = 8 : i64, stream = 0 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xi32>
      nest.write %x into %b[%i] : memref<?xi32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

// What is written is read by another loop.
func.func @stream_of_what_is_read(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<?xi32>, %n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot write past the caches, as its schedule says: its vectors fill no lines of 64 bytes}}
    nest.loop attributes {schedule = {lanes = 16 : i64, stream = 0 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xi32>
      nest.write %x into %b[%i] : memref<?xi32>
      nest.yield
    }
    nest.loop %i to %n {
      %x = nest.read %b[%i] : memref<?xi32>
      nest.write %x into %c[%i] : memref<?xi32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

// Neither a column, nor what is written backwards or in a branch.
func.func @stream_of_others(%a: memref<?xi32>, %b: memref<?x?xi32>, %c: memref<?xi32>, %d: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot write past the caches, as its schedule says: its vectors fill no lines of 64 bytes}}
    nest.loop attributes {schedule = {lanes = 16 : i64, stream = 0 : i64}} %i to %n {
      %x = nest.read %a[%i] : memref<?xi32>
      nest.write %x into %b[%i, %c0] : memref<?x?xi32>
      %back = arith.subi %n, %i : index
      nest.write %x into %c[%back] : memref<?xi32>
      %is_zero = arith.cmpi eq, %x, %zero : i32
      scf.if %is_zero {
        nest.write %x into %d[%i] : memref<?xi32>
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

// All that is read is next to what other lanes read.
func.func @nothing_to_pack(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %m: index, %n: index) {
  nest.kernel {
    nest.loop %i to %m {
      // expected-error @below {{'nest.loop' op cannot read copies as its schedule says: not all that is in it is in innermost loops}}
      nest.loop attributes {schedule = {lanes = 16 : i64, pack = 16 : i64}} %j to %n {
        %x = nest.read %a[%i, %j] : memref<?x?xf32>
        nest.write %x into %b[%i, %j] : memref<?x?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @nothing_to_cut(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot be cut as its schedule says: no index that goes up by one wraps around a limit that is known before the kernel}}
    nest.loop attributes {schedule = {lanes = 16 : i64, split = 32 : i64}} %j to %n {
      %x = nest.read %a[%j] : memref<?xf32>
      nest.write %x into %b[%j] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @nothing_to_distribute(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op cannot be distributed as its schedule says: no gather gives positions of another, and no scatter keeps the rest from lanes}}
    nest.loop attributes {schedule = {blocks = 1024 : i64}} %j to %n {
      %x = nest.read %a[%j] : memref<?xf32>
      nest.write %x into %b[%j] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op has a wavefront: 'nest-wavefront' comes first}}
    nest.loop attributes {schedule = {wavefront = 64 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}
