// The dot product of two arrays, for tiny-compiler.

// tiny-compiler knows the ops of the dialect:
// CHECK: dot-product.mlir:[[@LINE+17]]:15: remark: a map of 2 arrays

// The code that tiny-compiler writes is LLVM IR, with the C interface. The loop is
// made of vectors, in a function of its own, which every thread calls:
// CHECK: define {{.*}} @dot_chunk({{.*}} {
// CHECK: fmul <{{[0-9]+}} x float>
// CHECK: fadd <{{[0-9]+}} x float>
// CHECK: define {{.*}} @dot({{.*}} {
// CHECK: define {{.*}} @_mlir_ciface_dot(ptr {{.*}}, ptr {{.*}})

// c-compiler writes the LLVM dialect:
// DIALECT: llvm.func @dot_chunk(
// DIALECT: llvm.fmul
// DIALECT: llvm.func @dot(
// DIALECT-NOT: soac.

func.func @dot(%x: tensor<?xf32>, %y: tensor<?xf32>) -> f32 {
  %products = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      (%a: f32, %b: f32) {
    %product = arith.mulf %a, %b : f32
    soac.yield %product : f32
  }
  %zero = arith.constant 0.0 : f32
  %sum = soac.fold %products neutral %zero : (tensor<?xf32>, f32) -> tensor<f32>
      (%a: f32, %b: f32) {
    %sum = arith.addf %a, %b : f32
    soac.yield %sum : f32
  }
  %result = tensor.extract %sum[] : tensor<f32>
  return %result : f32
}
