// Rosenbrock's function of n variables, whose minimum optimisers look for:
//
//     Σ 100 (x[i+1] - x[i]²)² + (1 - x[i])²     for i < n - 1
//
// One loop reads the array at two places, and adds up.

func.func @rosenbrock(%x: tensor<?xf64>, %n: index) -> tensor<1xf64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %hundred = arith.constant 100.0 : f64
  %pairs = arith.subi %n, %c1 : index
  %as = soac.slice %x [0] [%pairs] [1] : (tensor<?xf64>) -> tensor<?xf64>
  %bs = soac.slice %x [1] [%pairs] [1] : (tensor<?xf64>) -> tensor<?xf64>
  %terms = soac.map %as, %bs : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      (%a: f64, %b: f64) {
    %aa = arith.mulf %a, %a fastmath<contract> : f64
    %far = arith.subf %b, %aa fastmath<contract> : f64
    %far2 = arith.mulf %far, %far fastmath<contract> : f64
    %scaled = arith.mulf %hundred, %far2 fastmath<contract> : f64
    %off = arith.subf %one, %a fastmath<contract> : f64
    %off2 = arith.mulf %off, %off fastmath<contract> : f64
    %term = arith.addf %scaled, %off2 fastmath<contract> : f64
    soac.yield %term : f64
  }
  %sum = soac.fold %terms neutral %zero : (tensor<?xf64>, f64) -> tensor<f64>
      (%a: f64, %b: f64) {
    %s = arith.addf %a, %b fastmath<contract> : f64
    soac.yield %s : f64
  }
  %result = soac.reshape %sum to [1] : (tensor<f64>) -> tensor<1xf64>
  return %result : tensor<1xf64>
}
