// π by Leibniz' series, n terms: 4 (1 - 1/3 + 1/5 - 1/7 + …). One loop, and no array.

func.func @leibniz(%n: index) -> tensor<1xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %minus_one = arith.constant -1.0 : f64
  %two = arith.constant 2.0 : f64
  %four = arith.constant 4.0 : f64
  %terms = soac.generate [%n] : tensor<?xf64> (%i: index) {
    %parity = arith.andi %i, %c1 : index
    %is_even = arith.cmpi eq, %parity, %c0 : index
    %sign = arith.select %is_even, %one, %minus_one : f64
    %integer = arith.index_cast %i : index to i64
    %float = arith.sitofp %integer : i64 to f64
    %twice = arith.mulf %two, %float fastmath<contract> : f64
    %denominator = arith.addf %twice, %one fastmath<contract> : f64
    %term = arith.divf %sign, %denominator : f64
    soac.yield %term : f64
  }
  %sum = soac.fold %terms neutral %zero : (tensor<?xf64>, f64) -> tensor<f64>
      (%a: f64, %b: f64) {
    %s = arith.addf %a, %b fastmath<contract> : f64
    soac.yield %s : f64
  }
  %quarter = tensor.extract %sum[] : tensor<f64>
  %pi = arith.mulf %four, %quarter fastmath<contract> : f64
  %result = soac.fill %pi [1] : (f64) -> tensor<1xf64>
  return %result : tensor<1xf64>
}
