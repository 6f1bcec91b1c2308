// S2: Checks that fail when the program runs: one line with the place, exit code 1.

// RUN: comb-opt %s -comb-cpu -o %t
// RUN: not mlir-runner %t -e shapes --entry-point-result=void --shared-libs=%shlibs 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: not mlir-runner %t -e index --entry-point-result=void --shared-libs=%shlibs 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: not mlir-runner %t -e in_a_lambda --entry-point-result=void --shared-libs=%shlibs 2>&1 | FileCheck %s --check-prefix=LAMBDA
// RUN: not mlir-runner %t -e wraps --entry-point-result=void --shared-libs=%shlibs 2>&1 | FileCheck %s --check-prefix=WRAPS
// RUN: not mlir-runner %t -e huge --entry-point-result=void --shared-libs=%shlibs 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not mlir-runner %t -e huge_product --entry-point-result=void --shared-libs=%shlibs 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not mlir-runner %t -e inner --entry-point-result=void --shared-libs=%shlibs 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: not mlir-runner %t -e asserts --entry-point-result=void --shared-libs=%shlibs 2>&1 | FileCheck %s --check-prefix=ASSERTS
// RUN: not mlir-runner %t -e asserts_without_words --entry-point-result=void --shared-libs=%shlibs 2>&1 | FileCheck %s --check-prefix=WORDLESS
// RUN: not comb run %s --target interp --entry asserts 2>&1 | FileCheck %s --check-prefix=ASSERTS
// RUN: not comb run %s --target interp --entry asserts_without_words 2>&1 | FileCheck %s --check-prefix=WORDLESS
// RUN: not comb run %s --unchecked --entry asserts 2>&1 | FileCheck %s --check-prefix=ASSERTS
// RUN: mlir-runner %t -e nothing_fails --entry-point-result=i64 --shared-libs=%shlibs | FileCheck %s --check-prefix=NOTHING

func.func private @any(%n: index) -> index {
  return %n : index
}

func.func private @keep(%x: tensor<?xindex>) {
  return
}

func.func private @printI64(i64)

// SHAPES: error: {{.*}}run-failures.mlir:[[@LINE+6]]:{{[0-9]+}}: 'soac.map' op operands 0 and 1 have different shapes: [3] and [4]
func.func @shapes() {
  %three = arith.constant 3 : index
  %n = call @any(%three) : (index) -> index
  %x = soac.iota [%n] dim 0 : tensor<?xindex>
  %y = soac.iota [4] dim 0 : tensor<4xindex>
  %z = soac.map %x, %y : (tensor<?xindex>, tensor<4xindex>) -> tensor<?xindex>
      (%a: index, %b: index) {
    soac.yield %b : index
  }
  call @keep(%z) : (tensor<?xindex>) -> ()
  return
}

// INDEX: 'tensor.extract' op index -1 is out of range [0, 4) in dimension 0
func.func @index() {
  %minus = arith.constant -1 : index
  %n = call @any(%minus) : (index) -> index
  %y = soac.iota [4] dim 0 : tensor<4xindex>
  %e = tensor.extract %y[%n] : tensor<4xindex>
  %wide = arith.index_cast %e : index to i64
  call @printI64(%wide) : (i64) -> ()
  return
}

// LAMBDA: 'arith.divui' op division by zero
func.func @in_a_lambda() {
  %five = arith.constant 5 : index
  %n = call @any(%five) : (index) -> index
  %y = soac.iota [%n] dim 0 : tensor<?xindex>
  %z = soac.map %y : (tensor<?xindex>) -> tensor<?xindex> (%a: index) {
    %q = arith.divui %n, %a : index
    soac.yield %q : index
  }
  call @keep(%z) : (tensor<?xindex>) -> ()
  return
}

// S19: 2 * 2^63 is 0 with 64 bits, which would be inside.
// WRAPS: 'soac.lmad_slice' op the LMAD with offset 0, sizes [3] and strides [{{-?[0-9]+}}] leaves the array of shape [4]
func.func @wraps() {
  %least = arith.constant -9223372036854775808 : index
  %n = call @any(%least) : (index) -> index
  %x = soac.iota [4] dim 0 : tensor<4xindex>
  %y = soac.lmad_slice %x offset [0] sizes [3] strides [%n] : tensor<4xindex> -> tensor<3xindex>
  %z = tensor.cast %y : tensor<3xindex> to tensor<?xindex>
  call @keep(%z) : (tensor<?xindex>) -> ()
  return
}

// S11: 2^61 elements of 8 bytes are 0 bytes with 64 bits.
// HUGE: 'soac.iota' op gives an array of shape [2305843009213693952], which has too many elements
func.func @huge() {
  %many = arith.constant 2305843009213693952 : index
  %n = call @any(%many) : (index) -> index
  %x = soac.iota [%n] dim 0 : tensor<?xindex>
  call @keep(%x) : (tensor<?xindex>) -> ()
  return
}

// PRODUCT: 'soac.iota' op gives an array of shape [4294967296, 4294967296, 4], which has too many elements
func.func @huge_product() {
  %many = arith.constant 4294967296 : index
  %n = call @any(%many) : (index) -> index
  %m = call @any(%many) : (index) -> index
  %x = soac.iota [%n, %m, 4] dim 0 : tensor<?x?x4xindex>
  %zero = arith.constant 0 : index
  %e = tensor.extract %x[%zero, %zero, %zero] : tensor<?x?x4xindex>
  %wide = arith.index_cast %e : index to i64
  call @printI64(%wide) : (i64) -> ()
  return
}

// INNER: 'soac.map' op yields array 0 with size 1 in dimension 0, but 'inner' says 2
func.func @inner() {
  %two = arith.constant 2 : index
  %n = call @any(%two) : (index) -> index
  %x = soac.iota [4] dim 0 : tensor<4xindex>
  %y = soac.map %x outer 1 inner (%n) : (tensor<4xindex>) -> tensor<4x?xindex> (%i: index) {
    %one = arith.constant 1 : index
    %m = arith.addi %i, %one : index
    %row = soac.iota [%m] dim 0 : tensor<?xindex>
    soac.yield %row : tensor<?xindex>
  }
  %zero = arith.constant 0 : index
  %e = tensor.extract %y[%zero, %zero] : tensor<4x?xindex>
  %wide = arith.index_cast %e : index to i64
  call @printI64(%wide) : (i64) -> ()
  return
}

// ASSERTS: error: {{.*}}run-failures.mlir:[[@LINE+7]]:{{[0-9]+}}: set {1} has no element {0, 7
func.func @asserts() {
  %ten = arith.constant 10 : index
  %x = soac.iota [%ten] dim 0 : tensor<?xindex>
  %y = soac.map %x : (tensor<?xindex>) -> tensor<?xindex> (%a: index) {
    %seven = arith.constant 7 : index
    %other = arith.cmpi ne, %a, %seven : index
    cf.assert %other, "set {1} has no element {0, 7"
    soac.yield %a : index
  }
  call @keep(%y) : (tensor<?xindex>) -> ()
  return
}

// WORDLESS: error: {{.*}}run-failures.mlir:[[@LINE+5]]:{{[0-9]+}}: 'cf.assert' op does not hold
func.func @asserts_without_words() {
  %zero = arith.constant 0 : index
  %n = call @any(%zero) : (index) -> index
  %holds = arith.cmpi sgt, %n, %zero : index
  cf.assert %holds, ""
  return
}

// NOTHING: 6
func.func @nothing_fails() -> i64 {
  %three = arith.constant 3 : index
  %n = call @any(%three) : (index) -> index
  %x = soac.iota [%n] dim 0 : tensor<?xindex>
  %zero = arith.constant 0 : index
  %least = arith.constant -9223372036854775808 : index
  %far = call @any(%least) : (index) -> index
  %none = soac.lmad_slice %x offset [%far] sizes [0] strides [%far] : tensor<?xindex> -> tensor<0xindex>
  %empty = tensor.cast %none : tensor<0xindex> to tensor<?xindex>
  %both = soac.concat %x, %empty dim 0 : (tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex>
  %y = tensor.cast %both : tensor<?xindex> to tensor<3xindex>
  %z = soac.map %x, %y : (tensor<?xindex>, tensor<3xindex>) -> tensor<3xindex>
      (%a: index, %b: index) {
    %s = arith.addi %a, %b : index
    soac.yield %s : index
  }
  %sum = soac.fold %z neutral %zero : (tensor<3xindex>, index) -> tensor<index>
      (%a: index, %b: index) {
    %s = arith.addi %a, %b : index
    soac.yield %s : index
  }
  %e = tensor.extract %sum[] : tensor<index>
  %wide = arith.index_cast %e : index to i64
  return %wide : i64
}
