// A jammed loop gives what the loop gives, what is left over as well.
//
// RUN: comb run %s -i a=iota:f32[5,3] -i b=iota:f32[3] | FileCheck %s
// RUN: comb-opt %s --nest-jam --verify-diagnostics

// CHECK: result: tensor<5xf32> = [ 5.0 14.0 23.0 32.0 41.0]
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m) : tensor<?xf32>
  // expected-error @below {{'nest.kernel' op is in value form, but loops are jammed in memory form: 'one-shot-bufferize' comes first}}
  %made = nest.kernel outs(%c = %e : tensor<?xf32>) {
    %w = nest.loop attributes {schedule = {jam = 2 : i64}} %i to %m carry(%c0v = %c : tensor<?xf32>) {
      %s = nest.loop %j to %n carry(%t = %zero : f32) {
        %x = nest.read %a[%i, %j] : tensor<?x?xf32>
        %y = nest.read %b[%j] : tensor<?xf32>
        %p = arith.mulf %x, %y : f32
        %u = nest.fold %p into %t neutral %zero : f32 (%l: f32, %r: f32) {
          %v = arith.addf %l, %r : f32
          nest.yield %v : f32
        }
        nest.yield %u : f32
      }
      %c1v = nest.write %s into %c0v[%i] : tensor<?xf32>
      nest.yield %c1v : tensor<?xf32>
    }
    nest.yield %w : tensor<?xf32>
  }
  return %made : tensor<?xf32>
}
