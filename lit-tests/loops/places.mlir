// Where arrays are read and written stays as it is until bufferization: cse does not merge two
// reads, and other simplifications are errors.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton --convert-soac-to-loops --cse \
// RUN:   --convert-soac-to-linalg --cse --comb-separate-arrays \
// RUN:   | FileCheck %s
// RUN: not comb-opt %s --comb-fuse=algorithm=singleton --convert-soac-to-loops --canonicalize \
// RUN:   --convert-soac-to-linalg 2>&1 | FileCheck %s --check-prefix=CHANGED
// RUN: not comb-opt %s --comb-fuse=algorithm=singleton --convert-soac-to-loops \
// RUN:   --convert-soac-to-linalg --canonicalize --comb-separate-arrays 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHANGED
// RUN: comb-opt %s --comb-fuse=algorithm=singleton --convert-soac-to-loops --cse \
// RUN:   --convert-soac-to-linalg \
// RUN:   | not comb run - -i arg0=iota:i32[8] -i arg1=iota:i32[3] -i arg2=ones:i32[3] 2>&1 \
// RUN:   | FileCheck %s --check-prefix=AGAIN
// RUN: comb-opt %s --comb-fuse=algorithm=singleton --convert-soac-to-loops --cse \
// RUN:   --convert-soac-to-linalg --comb-separate-arrays \
// RUN:   --one-shot-bufferize=allow-return-allocs-from-loops \
// RUN:   | sed -E 's/(bufferization\.to_tensor %[a-z0-9_]+) :/\1 restrict :/' \
// RUN:   | comb run - -i arg0=iota:i32[8] -i arg1=iota:i32[3] -i arg2=ones:i32[3] \
// RUN:   | FileCheck %s --check-prefix=RESULT
// AGAIN: <stdin>:{{.*}}: error: 'bufferization.to_buffer' op is for writing to an array in place
// RESULT: result0: tensor<8xi32> = [1 1 1 4 5 6 7 8]
// RESULT: result1: tensor<8xi32> = [2 3 4 5 6 7 8 9]
// RESULT: result2: tensor<8xi32> = [10 20 30 40 50 60 70 80]
// CHANGED: places.mlir:{{.*}}: error: a pass changed where arrays are read or written

// CHECK-LABEL: func.func @f(
// CHECK-COUNT-6: bufferization.to_buffer {{.*}}comb.place
func.func @f(%x: tensor<8xi32>, %at: tensor<3xi32>, %v: tensor<3xi32>)
    -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  %a = soac.map %x : (tensor<8xi32>) -> tensor<8xi32> (%e: i32) {
    %m = arith.addi %e, %one : i32
    soac.yield %m : i32
  }
  %f = soac.force %a : tensor<8xi32>
  %h = soac.map %f : (tensor<8xi32>) -> tensor<8xi32> (%e: i32) {
    %m = arith.muli %e, %ten : i32
    soac.yield %m : i32
  }
  %s = soac.scatter %v into %f at %at : (tensor<3xi32>, tensor<8xi32>, tensor<3xi32>) -> tensor<8xi32>
  %k = tensor.extract %s[%c0] : tensor<8xi32>
  %g = soac.map %f : (tensor<8xi32>) -> tensor<8xi32> (%e: i32) {
    %m = arith.addi %e, %k : i32
    soac.yield %m : i32
  }
  return %s, %g, %h : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}
