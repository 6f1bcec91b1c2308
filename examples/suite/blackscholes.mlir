// The mean price of European call options by Black and Scholes' formula, for `it` times
// to maturity, T = 1/365, 2/365, … years. S are the n prices of the stock, all positive;
// the strike price is 65, the rate of interest 8 %, the volatility 0.3 (so half its square
// 0.045).
//
//     d1 = (ln(S/65) + (0.08 + 0.045) T) / (0.3 √T)        d2 = d1 - 0.3 √T
//     result[i] = Σ (S Φ(d1) - 65 e^(-0.08 T) Φ(d2)) / n
//
// Φ is the normal distribution, by the polynomial of Abramowitz and Stegun (26.2.17).
// What depends only on T is computed once for each T, and the logarithms once for all:
// one is dearer than to read a number. Divisions are dear as well, so the two in Φ(d1) and
// Φ(d2) are one, and others are products with an inverse. Prices are not stored, only
// added up.

func.func @blackscholes(%S: tensor<?xf64>, %n: index, %it: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %year = arith.constant 365.0 : f64
  %strike = arith.constant 65.0 : f64
  %minus_rate = arith.constant -0.08 : f64
  %drift = arith.constant 0.125 : f64
  %volatility = arith.constant 0.3 : f64
  %count = func.call @float(%n) : (index) -> f64
  %inverse_strike = arith.divf %one, %strike : f64
  %logs = soac.map %S : (tensor<?xf64>) -> tensor<?xf64> (%s: f64) {
    %ratio = arith.mulf %s, %inverse_strike fastmath<contract> : f64
    %log = math.log %ratio : f64
    soac.yield %log : f64
  }
  %no_means = soac.fill %zero [%it] : (f64) -> tensor<?xf64>
  %result = scf.for %i = %c0 to %it step %c1 iter_args(%means = %no_means) -> tensor<?xf64> {
    %next = arith.addi %i, %c1 : index
    %day = func.call @float(%next) : (index) -> f64
    %t = arith.divf %day, %year : f64
    %root = math.sqrt %t : f64
    %deviation = arith.mulf %volatility, %root fastmath<contract> : f64
    %inverse_deviation = arith.divf %one, %deviation : f64
    %drifted = arith.mulf %drift, %t fastmath<contract> : f64
    %shift = arith.mulf %drifted, %inverse_deviation fastmath<contract> : f64
    %minus_rt = arith.mulf %minus_rate, %t fastmath<contract> : f64
    %discount = math.exp %minus_rt : f64
    %discounted = arith.mulf %strike, %discount fastmath<contract> : f64
    %prices = soac.map %S, %logs : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
        (%s: f64, %log: f64) {
      %scaled_log = arith.mulf %log, %inverse_deviation fastmath<contract> : f64
      %d1 = arith.addf %scaled_log, %shift fastmath<contract> : f64
      %d2 = arith.subf %d1, %deviation fastmath<contract> : f64
      // One division gives the inverses of both.
      %below1 = func.call @denominator(%d1) : (f64) -> f64
      %below2 = func.call @denominator(%d2) : (f64) -> f64
      %product = arith.mulf %below1, %below2 fastmath<contract> : f64
      %both = arith.divf %one, %product : f64
      %k1 = arith.mulf %both, %below2 fastmath<contract> : f64
      %k2 = arith.mulf %both, %below1 fastmath<contract> : f64
      %phi1 = func.call @normal_distribution(%d1, %k1) : (f64, f64) -> f64
      %phi2 = func.call @normal_distribution(%d2, %k2) : (f64, f64) -> f64
      %gain = arith.mulf %s, %phi1 fastmath<contract> : f64
      %loss = arith.mulf %discounted, %phi2 fastmath<contract> : f64
      %price = arith.subf %gain, %loss fastmath<contract> : f64
      soac.yield %price : f64
    }
    %total = soac.fold %prices neutral %zero : (tensor<?xf64>, f64) -> tensor<f64>
        (%a: f64, %b: f64) {
      %sum = arith.addf %a, %b fastmath<contract> : f64
      soac.yield %sum : f64
    }
    %sum = tensor.extract %total[] : tensor<f64>
    %mean = arith.divf %sum, %count : f64
    %new = tensor.insert %mean into %means[%i] : tensor<?xf64>
    scf.yield %new : tensor<?xf64>
  }
  return %result : tensor<?xf64>
}

// 1 + 0.2316419 |x|, whose inverse is the k of the polynomial.
func.func private @denominator(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %scale = arith.constant 0.2316419 : f64
  %size = math.absf %x : f64
  %scaled = arith.mulf %scale, %size fastmath<contract> : f64
  %denominator = arith.addf %one, %scaled fastmath<contract> : f64
  return %denominator : f64
}

// Φ(x), given k = 1 / (1 + 0.2316419 |x|): it is 1 - e^(-x²/2) / √(2π) times a polynomial
// in k if x is not negative, and 1 - Φ(-x) otherwise.
func.func private @normal_distribution(%x: f64, %k: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %minus_half = arith.constant -0.5 : f64
  %inverse_root = arith.constant 0.3989422804014327 : f64
  %a1 = arith.constant 0.31938153 : f64
  %a2 = arith.constant -0.356563782 : f64
  %a3 = arith.constant 1.781477937 : f64
  %a4 = arith.constant -1.821255978 : f64
  %a5 = arith.constant 1.330274429 : f64
  // The polynomial, by Horner's rule.
  %k5 = arith.mulf %k, %a5 fastmath<contract> : f64
  %h4 = arith.addf %a4, %k5 fastmath<contract> : f64
  %k4 = arith.mulf %k, %h4 fastmath<contract> : f64
  %h3 = arith.addf %a3, %k4 fastmath<contract> : f64
  %k3 = arith.mulf %k, %h3 fastmath<contract> : f64
  %h2 = arith.addf %a2, %k3 fastmath<contract> : f64
  %k2 = arith.mulf %k, %h2 fastmath<contract> : f64
  %h1 = arith.addf %a1, %k2 fastmath<contract> : f64
  %polynomial = arith.mulf %k, %h1 fastmath<contract> : f64
  %square = arith.mulf %x, %x fastmath<contract> : f64
  %exponent = arith.mulf %minus_half, %square fastmath<contract> : f64
  %power = math.exp %exponent : f64
  %density = arith.mulf %inverse_root, %power fastmath<contract> : f64
  %tail = arith.mulf %density, %polynomial fastmath<contract> : f64
  %rest = arith.subf %one, %tail fastmath<contract> : f64
  %negative = arith.cmpf olt, %x, %zero : f64
  %phi = arith.select %negative, %tail, %rest : f64
  return %phi : f64
}

func.func private @float(%i: index) -> f64 {
  %integer = arith.index_cast %i : index to i64
  %float = arith.sitofp %integer : i64 to f64
  return %float : f64
}
