// Rows of a stencil are jammed: what one reads is not read again for the next.
//
// RUN: comb-opt %s --nest-schedule | FileCheck %s
// RUN: comb-opt %s --nest-schedule --nest-jam --canonicalize --cse | FileCheck %s --check-prefix=JAM

// Four rows of cells read 18 vectors, and not 36.
// CHECK-LABEL: func.func @life
// CHECK: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, jam = 4 : i64, lanes = 1 : i64}} %i
// CHECK: nest.loop attributes {schedule = {fetch = 1 : i64, lanes = 64 : i64, stream = {{[0-9]+}} : i64}} %j
// JAM-LABEL: func.func @life
// JAM: nest.loop attributes {schedule = {chunk
// Each of four rows has a last row that it reads.
// JAM: nest.loop attributes {schedule = {fetch = 4 : i64, lanes = 64
// JAM-COUNT-18: nest.read
// JAM-NOT: nest.read
// JAM-COUNT-4: nest.write
// What is left over.
// JAM: nest.loop %i
// JAM: nest.loop attributes {schedule = {fetch = 1 : i64, lanes = 64
// JAM-COUNT-9: nest.read
// JAM: nest.write
func.func @life(%a: memref<?x?xi8>, %b: memref<?x?xi8>, %m: index, %n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  nest.kernel {
    nest.loop %i to %m {
      nest.loop %j to %n {
        %i1 = arith.addi %i, %c1 : index
        %i2 = arith.addi %i, %c2 : index
        %j1 = arith.addi %j, %c1 : index
        %j2 = arith.addi %j, %c2 : index
        %r0 = nest.read %a[%i, %j] : memref<?x?xi8>
        %r1 = nest.read %a[%i, %j1] : memref<?x?xi8>
        %r2 = nest.read %a[%i, %j2] : memref<?x?xi8>
        %r3 = nest.read %a[%i1, %j] : memref<?x?xi8>
        %r4 = nest.read %a[%i1, %j1] : memref<?x?xi8>
        %r5 = nest.read %a[%i1, %j2] : memref<?x?xi8>
        %r6 = nest.read %a[%i2, %j] : memref<?x?xi8>
        %r7 = nest.read %a[%i2, %j1] : memref<?x?xi8>
        %r8 = nest.read %a[%i2, %j2] : memref<?x?xi8>
        %s0 = arith.addi %r0, %r1 : i8
        %s1 = arith.addi %s0, %r2 : i8
        %s2 = arith.addi %s1, %r3 : i8
        %s3 = arith.addi %s2, %r4 : i8
        %s4 = arith.addi %s3, %r5 : i8
        %s5 = arith.addi %s4, %r6 : i8
        %s6 = arith.addi %s5, %r7 : i8
        %s7 = arith.addi %s6, %r8 : i8
        nest.write %s7 into %b[%i, %j] : memref<?x?xi8>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// What is written in the loop is read as often as it was.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT: jam
// JAM-LABEL: func.func @in_place
func.func @in_place(%a: memref<?x?xf32>, %m: index, %n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  nest.kernel {
    nest.loop %i to %m {
      nest.loop %j to %n {
        %i1 = arith.addi %i, %c1 : index
        %i2 = arith.addi %i, %c2 : index
        %j1 = arith.addi %j, %c1 : index
        %r0 = nest.read %a[%i, %j] : memref<?x?xf32>
        %r1 = nest.read %a[%i1, %j] : memref<?x?xf32>
        %r2 = nest.read %a[%i2, %j] : memref<?x?xf32>
        %r3 = nest.read %a[%i1, %j1] : memref<?x?xf32>
        %r4 = nest.read %a[%i2, %j1] : memref<?x?xf32>
        %s0 = arith.addf %r0, %r1 : f32
        %s1 = arith.addf %s0, %r2 : f32
        %s2 = arith.addf %s1, %r3 : f32
        %s3 = arith.addf %s2, %r4 : f32
        nest.write %s3 into %a[%i, %j] : memref<?x?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}

// Rows that read little, but compute much of what they read in common, are jammed in pairs.
// CHECK-LABEL: func.func @flows
// CHECK: nest.loop attributes {schedule = {chunk = {{[0-9]+}} : i64, jam = 2 : i64, lanes = 1 : i64}} %i
// JAM-LABEL: func.func @flows
// JAM: nest.loop attributes {schedule = {chunk
// JAM-COUNT-3: nest.read
// JAM-NOT: nest.read
// JAM: nest.write
// JAM: nest.write
func.func @flows(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %m: index, %n: index) {
  %c1 = arith.constant 1 : index
  nest.kernel {
    nest.loop %i to %m {
      nest.loop %j to %n {
        %i1 = arith.addi %i, %c1 : index
        %x = nest.read %a[%i, %j] : memref<?x?xf32>
        %y = nest.read %a[%i1, %j] : memref<?x?xf32>
        %x1 = math.exp %x : f32
        %y1 = math.exp %y : f32
        %x2 = math.sin %x1 : f32
        %y2 = math.sin %y1 : f32
        %d = arith.subf %x2, %y2 : f32
        nest.write %d into %b[%i, %j] : memref<?x?xf32>
        nest.yield
      }
      nest.yield
    }
    nest.yield
  }
  return
}
