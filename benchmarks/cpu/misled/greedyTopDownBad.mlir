// examples/suite/greedyTopDownBad.mlir with the loops that the paper's greedy algorithm
// makes, by wishes: b with c, which is written to memory, and then d with the sum. comb
// by itself computes b[0] apart from the loops, and then nothing keeps c from the sum.

func.func @greedyTopDownBad(%a: tensor<?xf64>, %n: index) -> tensor<1xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %bs = soac.map %a {soac.together = "first"} : (tensor<?xf64>) -> tensor<?xf64> (%x: f64) {
    %b = arith.mulf %two, %x fastmath<contract> : f64
    soac.yield %b : f64
  }
  %cs = soac.map %bs {soac.together = "first", soac.apart = "c and sum"} : (tensor<?xf64>) -> tensor<?xf64> (%b: f64) {
    %c = arith.addf %b, %one fastmath<contract> : f64
    soac.yield %c : f64
  }
  %ds = soac.generate [%n] : tensor<?xf64> (%i: index) {
    %first = tensor.extract %bs[%c0] : tensor<?xf64>
    %integer = arith.index_cast %i : index to i64
    %float = arith.sitofp %integer : i64 to f64
    %d = arith.addf %float, %first fastmath<contract> : f64
    soac.yield %d : f64
  }
  %es = soac.map %cs, %ds {soac.apart = "c and sum"}
      : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64> (%c: f64, %d: f64) {
    %e = arith.addf %c, %d fastmath<contract> : f64
    soac.yield %e : f64
  }
  %sum = soac.fold %es neutral %zero : (tensor<?xf64>, f64) -> tensor<f64> (%p: f64, %q: f64) {
    %s = arith.addf %p, %q fastmath<contract> : f64
    soac.yield %s : f64
  }
  %result = soac.reshape %sum to [1] : (tensor<f64>) -> tensor<1xf64>
  return %result : tensor<1xf64>
}
