// Copies that stay, and why.
//
// RUN: comb-opt %s --comb-short-circuit --remarks-filter=comb-short-circuit -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=Passed
//
// CHECK-DAG: Function=overlap {{.*}} 'nest.read' may use an element there that has been overwritten
// CHECK-DAG: Function=maybe_one {{.*}} 'memref.store' may use an element there that has been overwritten
// CHECK-DAG: Function=later {{.*}} 'nest.write' may overwrite an element of it there
// CHECK-DAG: Function=again {{.*}} 'nest.write' writes to it behind the copy
// CHECK-DAG: Function=branch {{.*}} the copy is in a 'scf.if'
// CHECK-DAG: Function=late {{.*}} where it goes depends on 'memref.load', which stands behind what computes it
// CHECK-DAG: Function=late_check {{.*}} a check of where it goes depends on 'memref.load', which stands behind what computes it
// CHECK-DAG: Function=effects {{.*}} 'func.call' stands between, which a check must not overtake
// CHECK-DAG: Function=given {{.*}} 'func.return' uses it
// CHECK-DAG: Function=arguments {{.*}} 'nest.read' may use an element there that has been overwritten
// CHECK-DAG: Function=twice {{.*}} two of its elements may go to the same place
// CHECK-DAG: Function=one {{.*}} there is no view of where it goes

// The element before an iteration's own one has been overwritten by the iteration before.
func.func @overlap(%a: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %new = memref.alloc(%n) : memref<?xf32>
  nest.kernel {
    nest.loop %i to %n {
      %x = nest.read %a[%i] : memref<?xf32>
      nest.write %x into %new[%i] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  nest.kernel {
    nest.loop %i to %n {
      %x = nest.read %new[%i] : memref<?xf32>
      %next = arith.addi %i, %c1 : index
      nest.write %x into %a[%next] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}

// The array is needed when its place in the other one has been overwritten.
func.func @later(%a: memref<8xf32>, %x: f32, %i: index) -> f32 {
  %c8 = arith.constant 8 : index
  %new = memref.alloc() : memref<8xf32>
  nest.kernel {
    nest.loop %j to %c8 {
      nest.write %x into %new[%j] : memref<8xf32>
      nest.yield
    }
    nest.yield
  }
  memref.copy %new, %a : memref<8xf32> to memref<8xf32>
  nest.kernel {
    nest.write %x into %a[%i] : memref<8xf32>
    nest.yield
  }
  %y = memref.load %new[%i] : memref<8xf32>
  return %y : f32
}

func.func @again(%a: memref<8xf32>, %x: f32, %i: index) {
  %new = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%new : memref<8xf32>)
  memref.copy %new, %a : memref<8xf32> to memref<8xf32>
  nest.kernel {
    nest.write %x into %new[%i] : memref<8xf32>
    nest.yield
  }
  return
}

func.func @branch(%a: memref<8xf32>, %x: f32, %c: i1) {
  %new = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%new : memref<8xf32>)
  scf.if %c {
    memref.copy %new, %a : memref<8xf32> to memref<8xf32>
  }
  return
}

func.func @late(%a: memref<?xf32>, %x: f32, %b: memref<index>) {
  %c0 = arith.constant 0 : index
  %new = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%new : memref<8xf32>)
  %i = memref.load %b[] : memref<index>
  %part = memref.subview %a[%i] [8] [1] : memref<?xf32> to memref<8xf32, strided<[1], offset: ?>>
  memref.copy %new, %part : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
  return
}

func.func @late_check(%a: memref<8xf32>, %x: f32, %b: memref<i1>) {
  %new = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%new : memref<8xf32>)
  %c = memref.load %b[] : memref<i1>
  soac.check %c, "no"
  memref.copy %new, %a : memref<8xf32> to memref<8xf32>
  return
}

func.func private @print()

func.func @effects(%a: memref<8xf32>, %x: f32) {
  %new = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%new : memref<8xf32>)
  func.call @print() : () -> ()
  memref.copy %new, %a : memref<8xf32> to memref<8xf32>
  return
}

func.func @given(%a: memref<8xf32>, %x: f32) -> memref<8xf32> {
  %new = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%new : memref<8xf32>)
  memref.copy %new, %a : memref<8xf32> to memref<8xf32>
  return %new : memref<8xf32>
}

// The stride may be 0.
func.func @twice(%a: memref<?xf32>, %x: f32, %stride: index) {
  %c8 = arith.constant 8 : index
  %new = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%new : memref<8xf32>)
  nest.kernel {
    nest.loop %i to %c8 {
      %y = nest.read %new[%i] : memref<8xf32>
      %place = arith.muli %i, %stride : index
      nest.scatter %y into %a[%place] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return
}

// A caller may give the same memory twice.
func.func @arguments(%a: memref<8xf32>, %b: memref<8xf32>) {
  %c8 = arith.constant 8 : index
  %new = memref.alloc() : memref<8xf32>
  nest.kernel {
    nest.loop %i to %c8 {
      %x = nest.read %b[%i] : memref<8xf32>
      nest.write %x into %new[%i] : memref<8xf32>
      nest.yield
    }
    nest.yield
  }
  memref.copy %new, %a : memref<8xf32> to memref<8xf32>
  return
}

// Control that goes from block to block is not followed: there is no remark, and nothing is done.
// RUN: comb-opt %s --comb-short-circuit | FileCheck %s --check-prefix=BLOCKS
// BLOCKS-LABEL: func.func @blocks(
// BLOCKS: memref.copy
func.func @blocks(%a: memref<8xf32>, %x: f32) {
  %new = memref.alloc() : memref<8xf32>
  cf.br ^next(%a : memref<8xf32>)
^next(%b: memref<8xf32>):
  linalg.fill ins(%x : f32) outs(%new : memref<8xf32>)
  memref.copy %new, %b : memref<8xf32> to memref<8xf32>
  return
}

// The last element is the first one if there is one only.
func.func @maybe_one(%a: memref<?xf32>, %x: f32, %y: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %rest = arith.subi %n, %c1 : index
  %ok = arith.cmpi sge, %rest, %c0 : index
  soac.check %ok, "no"
  %whole = memref.alloc(%n) : memref<?xf32>
  %last = memref.alloc(%c1) : memref<?xf32>
  memref.store %x, %last[%c0] : memref<?xf32>
  memref.store %y, %whole[%c0] : memref<?xf32>
  nest.kernel {
    nest.loop %i to %c1 {
      %e = nest.read %last[%i] : memref<?xf32>
      %p = arith.addi %i, %rest : index
      nest.write %e into %whole[%p] : memref<?xf32>
      nest.yield
    }
    nest.yield
  }
  return %whole : memref<?xf32>
}

// A view of an array without dimensions has none.
func.func @one(%x: memref<?xf32>, %n: index, %sum: memref<f32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %new = memref.alloc() : memref<1xf32>
  memref.store %zero, %new[%c0] : memref<1xf32>
  nest.kernel {
    nest.loop %i to %n {
      %a = nest.read %x[%i] : memref<?xf32>
      nest.scatter %a into %new[%c0] : memref<1xf32> (%p: f32, %q: f32) {
        %s = arith.addf %p, %q : f32
        nest.yield %s : f32
      }
      nest.yield
    }
    nest.yield
  }
  nest.kernel {
    %a = nest.read %new[%c0] : memref<1xf32>
    nest.write %a into %sum[] : memref<f32>
    nest.yield
  }
  return
}
