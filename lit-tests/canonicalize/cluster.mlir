// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

// CHECK-LABEL: func.func @forwards(
// CHECK-NEXT: return %arg1, %arg0 : tensor<?xf32>, tensor<?xf32>
func.func @forwards(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r:2 = soac.cluster %x, %y reads [0, 1] : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
      (%a: tensor<?xf32>, %b: tensor<?xf32>) {
    soac.yield %b, %x : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @unused_results_and_inputs(
// CHECK-NEXT: %0 = soac.cluster %arg1 reads [1] writes [1] : (tensor<?xf32>) -> tensor<?xf32> (%arg2: tensor<?xf32>) {
// CHECK-NEXT: %1 = soac.reverse %arg2 dims [0] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: soac.yield %1 : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @unused_results_and_inputs(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r:2 = soac.cluster %x, %y reads [0, 1] writes [0, 1] : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
      (%a: tensor<?xf32>, %b: tensor<?xf32>) {
    %c = soac.reverse %b dims [0] : (tensor<?xf32>) -> tensor<?xf32>
    %d = soac.reverse %a dims [0] : (tensor<?xf32>) -> tensor<?xf32>
    soac.yield %d, %c : tensor<?xf32>, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @input_given_twice(
// CHECK-NEXT: %0:2 = soac.cluster %arg0 reads [0] : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) (%arg1: tensor<?xf32>) {
// CHECK-NEXT: %1 = soac.reverse %arg1 dims [0] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %2 = soac.rotate %arg1 by [1] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: soac.yield %2, %1 : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
func.func @input_given_twice(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r:2 = soac.cluster %x, %x reads [0, 0] : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
      (%a: tensor<?xf32>, %b: tensor<?xf32>) {
    %c = soac.reverse %b dims [0] : (tensor<?xf32>) -> tensor<?xf32>
    %d = soac.rotate %a by [1] : (tensor<?xf32>) -> tensor<?xf32>
    soac.yield %d, %c : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// The first argument is not used, the second one is.
// CHECK-LABEL: func.func @input_given_twice_and_used_once(
// CHECK-NEXT: %0 = soac.cluster %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg1: tensor<?xf32>) {
// CHECK-NEXT: %1 = soac.reverse %arg1 dims [0] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: soac.yield %1 : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @input_given_twice_and_used_once(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = soac.cluster %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%a: tensor<?xf32>, %b: tensor<?xf32>) {
    %c = soac.reverse %b dims [0] : (tensor<?xf32>) -> tensor<?xf32>
    soac.yield %c : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @not_input_read_in_two_orders(
// CHECK-NEXT: %0:2 = soac.cluster %arg0, %arg0 reads [0, 1] : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) (%arg1: tensor<?xf32>, %arg2: tensor<?xf32>) {
// CHECK-NEXT: %1 = soac.reverse %arg2 dims [0] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %2 = soac.rotate %arg1 by [1] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: soac.yield %2, %1 : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
func.func @not_input_read_in_two_orders(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r:2 = soac.cluster %x, %x reads [0, 1] : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
      (%a: tensor<?xf32>, %b: tensor<?xf32>) {
    %c = soac.reverse %b dims [0] : (tensor<?xf32>) -> tensor<?xf32>
    %d = soac.rotate %a by [1] : (tensor<?xf32>) -> tensor<?xf32>
    soac.yield %d, %c : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @without_uses(
// CHECK-NEXT: return
func.func @without_uses(%x: tensor<?xf32>) {
  %r = soac.cluster %x : (tensor<?xf32>) -> tensor<?xf32> (%a: tensor<?xf32>) {
    %c = soac.reverse %a dims [0] : (tensor<?xf32>) -> tensor<?xf32>
    soac.yield %c : tensor<?xf32>
  }
  return
}
