// An example of "Fusing Gathers with Integer Linear Programming" (van Balen et al.,
// FProPer 2024) with a scatter. Every x of xs adds x to element 2x of xs + 1:
//
//     result = xs + 1;  result[2x] += x  for all x of xs
//
// The scatter can share a loop with the map that computes its places, but not with
// the one that computes its destination: that has to be complete before.

func.func @scatterExample(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %places = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %place = arith.muli %two, %e : i32
    soac.yield %place : i32
  }
  %destination = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %next = arith.addi %e, %one : i32
    soac.yield %next : i32
  }
  %result = soac.scatter %x into %destination at %places
      : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      (%old: i32, %new: i32) {
    %sum = arith.addi %old, %new : i32
    soac.yield %sum : i32
  }
  return %result : tensor<?xi32>
}
