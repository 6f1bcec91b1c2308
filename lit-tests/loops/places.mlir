// Kernels read and overwrite arrays so that bufferization knows what is still needed, however
// simplification merges and moves what it can. Such a program may also be lowered from the beginning again.

// RUN: comb-opt %s --comb-fuse=algorithm=singleton --soac-to-nest --canonicalize --cse \
// RUN:   --convert-soac-to-linalg --loop-invariant-code-motion --canonicalize --comb-separate-arrays --cse \
// RUN:   --one-shot-bufferize=allow-return-allocs-from-loops \
// RUN:   | sed -E 's/(bufferization\.to_tensor %[a-z0-9_]+) :/\1 restrict :/' \
// RUN:   | comb run - --entry f -i arg0=iota:i32[8] -i arg1=iota:i32[3] -i arg2=ones:i32[3] \
// RUN:   | FileCheck %s --check-prefix=RESULT
// RUN: comb-opt %s --comb-fuse=algorithm=singleton --soac-to-nest --cse \
// RUN:   --convert-soac-to-linalg \
// RUN:   | comb run - --entry f -i arg0=iota:i32[8] -i arg1=iota:i32[3] -i arg2=ones:i32[3] \
// RUN:   | FileCheck %s --check-prefix=RESULT
// RUN: comb-opt %s --comb-fuse=algorithm=singleton --soac-to-nest --cse \
// RUN:   --convert-soac-to-linalg --comb-separate-arrays \
// RUN:   --one-shot-bufferize=allow-return-allocs-from-loops \
// RUN:   | sed -E 's/(bufferization\.to_tensor %[a-z0-9_]+) :/\1 restrict :/' \
// RUN:   | comb run - --entry f -i arg0=iota:i32[8] -i arg1=iota:i32[3] -i arg2=ones:i32[3] \
// RUN:   | FileCheck %s --check-prefix=RESULT
// RESULT: result0: tensor<8xi32> = [1 1 1 4 5 6 7 8]
// RESULT: result1: tensor<8xi32> = [2 3 4 5 6 7 8 9]
// RESULT: result2: tensor<8xi32> = [10 20 30 40 50 60 70 80]

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

// Two updates of one array by functions of equal text.
// RUN: comb-opt %s --comb-fuse=algorithm=singleton --soac-to-nest --cse \
// RUN:   --convert-soac-to-linalg --cse \
// RUN:   | comb run - --entry twice -i arg0=[1,2,3,4,5,6,7,8] -i arg1=iota:i32[3] -i arg2=zeros:i32[3] \
// RUN:   | FileCheck %s --check-prefix=TWICE
// TWICE: result0: tensor<8xi32> = [0 0 0 4 5 6 7 8]
// TWICE: result1: tensor<8xi32> = [9 2 3 4 5 6 7 8]
// TWICE: result2: tensor<8xi32> = [1 2 3 4 5 6 7 8]
func.func @twice(%x: tensor<8xi32>, %at: tensor<3xi32>, %v: tensor<3xi32>)
    -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9 : i32
  %f = soac.force %x : tensor<8xi32>
  %s = soac.scatter %v into %f at %at : (tensor<3xi32>, tensor<8xi32>, tensor<3xi32>) -> tensor<8xi32>
  %t = soac.scatter %v into %f at %at : (tensor<3xi32>, tensor<8xi32>, tensor<3xi32>) -> tensor<8xi32>
  %u = tensor.insert %nine into %t[%c0] : tensor<8xi32>
  %i = tensor.extract_slice %u[0] [1] [1] : tensor<8xi32> to tensor<1xi32>
  %w = tensor.insert_slice %i into %f[0] [1] [1] : tensor<1xi32> into tensor<8xi32>
  return %s, %w, %f : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}
