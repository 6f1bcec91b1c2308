// Indices that wrap around, in a result that is written past the caches: where vectors begin behind a place
// at which indices wrap, they need not fill lines.

// RUN: comb run %s --large 1 --threads 2 -i x=iota:f64[64] -i n=70 -i m=104 -o result0=%t.a.npy -o result1=%t.b.npy
// RUN: comb run %s --target interp -i x=iota:f64[64] -i n=70 -i m=104 -o result0=%t.c.npy -o result1=%t.d.npy
// RUN: cmp %t.a.npy %t.c.npy
// RUN: cmp %t.b.npy %t.d.npy

func.func @kept(%x: tensor<?xf64>, %n: index, %m: index) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %mask = arith.subi %size, %c1 : index
  %places = soac.generate [%n, %m] : tensor<?x?xindex> (%i: index, %j: index) {
    %sum = arith.addi %i, %j : index
    %place = arith.andi %sum, %mask : index
    soac.yield %place : index
  }
  %large = soac.gather %x at %places unchecked : (tensor<?xf64>, tensor<?x?xindex>) -> tensor<?x?xf64>
  %sums = soac.fold %large neutral %zero : (tensor<?x?xf64>, f64) -> tensor<?xf64> (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  return %large, %sums : tensor<?x?xf64>, tensor<?xf64>
}
