// Prices of European call and put options by Black and Scholes' formula, for
// arrays of spot prices, strike prices, and times to maturity in years.
// One map with three inputs and two results.
//
//     d1 = (ln(s/k) + (r + v²/2) t) / (v √t)        d2 = d1 - v √t
//     call = s Φ(d1) - k e^(-rt) Φ(d2)              put = call - s + k e^(-rt)
//
// with Φ(x) = (1 + erf(x/√2)) / 2.

func.func @black_scholes(%spot: tensor<?xf64>, %strike: tensor<?xf64>, %years: tensor<?xf64>,
                         %rate: f64, %volatility: f64)
    -> (tensor<?xf64> {soac.name = "call"}, tensor<?xf64> {soac.name = "put"}) {
  %half = arith.constant 0.5 : f64
  %variance = arith.mulf %volatility, %volatility : f64
  %half_variance = arith.mulf %variance, %half : f64
  %drift = arith.addf %rate, %half_variance : f64
  %call, %put = soac.map %spot, %strike, %years
      : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
      (%s: f64, %k: f64, %t: f64) {
    %ratio = arith.divf %s, %k : f64
    %log = math.log %ratio : f64
    %drifted = arith.mulf %drift, %t : f64
    %numerator = arith.addf %log, %drifted : f64
    %root_t = math.sqrt %t : f64
    %deviation = arith.mulf %volatility, %root_t : f64
    %d1 = arith.divf %numerator, %deviation : f64
    %d2 = arith.subf %d1, %deviation : f64
    %phi1 = func.call @normal_distribution(%d1) : (f64) -> f64
    %phi2 = func.call @normal_distribution(%d2) : (f64) -> f64
    %rt = arith.mulf %rate, %t : f64
    %minus_rt = arith.negf %rt : f64
    %discount = math.exp %minus_rt : f64
    %discounted = arith.mulf %k, %discount : f64
    %gain = arith.mulf %s, %phi1 : f64
    %loss = arith.mulf %discounted, %phi2 : f64
    %c = arith.subf %gain, %loss : f64
    %c_minus_s = arith.subf %c, %s : f64
    %p = arith.addf %c_minus_s, %discounted : f64
    soac.yield %c, %p : f64, f64
  }
  return %call, %put : tensor<?xf64>, tensor<?xf64>
}

// Φ, the standard normal distribution function.
func.func private @normal_distribution(%x: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %root_half = arith.constant 0.70710678118654752 : f64
  %scaled = arith.mulf %x, %root_half : f64
  %erf = math.erf %scaled : f64
  %shifted = arith.addf %erf, %one : f64
  %phi = arith.mulf %shifted, %half : f64
  return %phi : f64
}
