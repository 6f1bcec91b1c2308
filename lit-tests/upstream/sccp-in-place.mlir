// Every iteration extracts the element of the first one.
// RUN: %mlir_opt %s --sccp | FileCheck %s

// CHECK: vector.extract %{{.*}}[0] : i32 from vector<4xi32>
func.func private @use(i32)
func.func @f(%a: i32, %b: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = vector.from_elements %a, %b, %b, %a : vector<4xi32>
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  %goes_on = arith.cmpi slt, %i, %c4 : index
  cf.cond_br %goes_on, ^body, ^end
^body:
  %e = vector.extract %v[%i] : i32 from vector<4xi32>
  call @use(%e) : (i32) -> ()
  %next = arith.addi %i, %c1 : index
  cf.br ^loop(%next : index)
^end:
  return
}
