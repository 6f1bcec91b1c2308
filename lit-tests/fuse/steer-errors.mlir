// Wishes that cannot be fulfilled, or are none.

// RUN: comb-opt %s --comb-fuse -split-input-file -verify-diagnostics

// Something needs all of the first array before the second one is begun.
func.func @needs_all(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %ys = soac.map %xs {soac.together = "a"} : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %total = soac.fold %ys neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  %sum = tensor.extract %total[] : tensor<i32>
  // expected-error-re@+1 {{this wish for fusion cannot be fulfilled: 'soac.map' at {{.*}}steer-errors.mlir:8:9 and 'soac.map' at {{.*}}steer-errors.mlir:18:9 together}}
  %zs = soac.map %ys {soac.together = "a"} : (tensor<?xi32>) -> tensor<?xi32> (%y: i32) {
    %r = arith.addi %y, %sum : i32
    soac.yield %r : i32
  }
  return %zs : tensor<?xi32>
}

// -----

// Loops of different lengths.
func.func @lengths(%xs: tensor<4xi32>, %ys: tensor<5xi32>) -> (tensor<4xi32>, tensor<5xi32>) {
  %as = soac.map %xs {soac.together = "a"} : (tensor<4xi32>) -> tensor<4xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  // expected-error-re@+1 {{this wish for fusion cannot be fulfilled: 'soac.map' at {{.*}}steer-errors.mlir:29:9 and 'soac.map' at {{.*}}steer-errors.mlir:34:9 together}}
  %bs = soac.map %ys {soac.together = "a"} : (tensor<5xi32>) -> tensor<5xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  return %as, %bs : tensor<4xi32>, tensor<5xi32>
}

// -----

// Loops over no common array.
func.func @no_common_array(%xs: tensor<8xi32>, %ys: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %as = soac.map %xs {soac.together = "all"} : (tensor<8xi32>) -> tensor<8xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  // expected-error-re@+1 {{this wish for fusion cannot be fulfilled: 'soac.map' at {{.*}}steer-errors.mlir:45:9 and 'soac.map' at {{.*}}steer-errors.mlir:50:9 together}}
  %bs = soac.map %ys {soac.together = "all"} : (tensor<8xi32>) -> tensor<8xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  return %as, %bs : tensor<8xi32>, tensor<8xi32>
}


// -----

// A scan from the left and one from the right.
func.func @directions(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %ys = soac.scanl %xs neutral %zero {soac.together = "scans"}
      : (tensor<?xi32>, i32) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  // expected-error-re@+1 {{this wish for fusion cannot be fulfilled: 'soac.scanl' at {{.*}}steer-errors.mlir:63:9 and 'soac.scanr' at {{.*}}steer-errors.mlir:69:9 together}}
  %zs = soac.scanr %ys neutral %zero {soac.together = "scans"}
      : (tensor<?xi32>, i32) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  return %zs : tensor<?xi32>
}

// -----
// Two wishes that contradict a third.
func.func @contradiction(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %ys = soac.map %xs {soac.together = "a", soac.apart = "c"}
      : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  // expected-error-re@+1 {{these wishes for fusion cannot be fulfilled together: 'soac.map' at {{.*}}steer-errors.mlir:80:9 and 'soac.map' at {{.*}}steer-errors.mlir:86:9 together; 'soac.map' at {{.*}}steer-errors.mlir:86:9 and 'soac.map' at {{.*}}steer-errors.mlir:90:9 together; 'soac.map' at {{.*}}steer-errors.mlir:80:9 and 'soac.map' at {{.*}}steer-errors.mlir:90:9 apart}}
  %zs = soac.map %ys {soac.together = "a"} : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  %ws = soac.map %zs {soac.together = "a", soac.apart = "c"}
      : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.shli %x, %x : i32
    soac.yield %r : i32
  }
  return %ws : tensor<?xi32>
}

// -----

func.func @number(%xs: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error@+1 {{'soac.map' op has soac.together = 1 : i64; a string in quotes is expected}}
  %ys = soac.map %xs {soac.together = 1} : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %zs = soac.map %ys : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  return %zs : tensor<?xi32>
}

// -----

func.func @nameless(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %ys = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  // expected-error@+1 {{'soac.map' op has soac.apart = unit; a string in quotes is expected}}
  %zs = soac.map %ys {soac.apart} : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  return %zs : tensor<?xi32>
}
