// Functions of every kind of interface.
func.func @nothing(%x: f32) {
  return
}

func.func @scalar(%flag: i1) -> i1 {
  %true = arith.constant true
  %r = arith.xori %flag, %true : i1
  return %r : i1
}

func.func @same(%x: tensor<?x3xf16>) -> tensor<?x3xf16> {
  return %x : tensor<?x3xf16>
}

func.func @twice(%x: tensor<?xi8>) -> (tensor<?xi8>, tensor<?xi8> {soac.name = "again"}) {
  return %x, %x : tensor<?xi8>, tensor<?xi8>
}

func.func @constant() -> tensor<2x2xf64> {
  %c = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  return %c : tensor<2x2xf64>
}

func.func @everything(%a: i1, %b: i8, %c: i16, %d: i32, %e: i64, %f: index, %g: f16, %h: bf16,
                      %i: f32, %j: f64, %k: tensor<bf16>, %l: tensor<2xi1>)
    -> (tensor<2xi1>, tensor<bf16>, f64, f32, bf16, f16, index, i64, i32, i16, i8, i1) {
  return %l, %k, %j, %i, %h, %g, %f, %e, %d, %c, %b, %a
      : tensor<2xi1>, tensor<bf16>, f64, f32, bf16, f16, index, i64, i32, i16, i8, i1
}

// Rounds to half precision, for which few CPUs have instructions.
func.func @halves(%xs: tensor<?xf32>, %ys: tensor<?xf64>)
    -> (tensor<?xbf16>, tensor<?xbf16>, tensor<?xf16>) {
  %a = soac.map %xs : (tensor<?xf32>) -> tensor<?xbf16> (%x: f32) {
    %y = arith.truncf %x : f32 to bf16
    soac.yield %y : bf16
  }
  %b:2 = soac.map %ys : (tensor<?xf64>) -> (tensor<?xbf16>, tensor<?xf16>) (%x: f64) {
    %y = arith.truncf %x : f64 to bf16
    %z = arith.truncf %x : f64 to f16
    soac.yield %y, %z : bf16, f16
  }
  return %a, %b#0, %b#1 : tensor<?xbf16>, tensor<?xbf16>, tensor<?xf16>
}

// Named like a function of the C library, which it must not replace.
func.func @exp(%x: f64) -> f64 {
  %y = math.cosh %x : f64
  %z = math.exp %y : f64
  return %z : f64
}

func.func private @hidden(%0: i32, %named: i32 {soac.name = "a name"}) -> i32 {
  %r = arith.addi %0, %named : i32
  return %r : i32
}
