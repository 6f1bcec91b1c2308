// Sizes choose how threads share a scatter. Whatever they choose, and on any number of threads, the
// bits are those of one thread: also of floating-point sums, and where the last element wins.

// DEFINE: %{n} =
// DEFINE: %{places} =
// DEFINE: %{threads} =
// DEFINE: %{sizes} = -i n=%{n} -i places=%{places} --threads %{threads}
// DEFINE: %{in-order} = comb run %s %{sizes} -o sums=%t.0.npy -o counts=%t.1.npy -o last=%t.2.npy
// DEFINE: %{chosen} = comb run %t.mlir %{sizes} -o sums=%t.3.npy -o counts=%t.4.npy -o last=%t.5.npy
// DEFINE: %{same} = cmp %t.0.npy %t.3.npy && cmp %t.1.npy %t.4.npy && cmp %t.2.npy %t.5.npy
// RUN: sed 's/soac.scatter = "sequential"//; s/{soac.alone, /{soac.alone/' %s > %t.mlir

// A large destination is cut into buckets.

// REDEFINE: %{n} = 1500000
// REDEFINE: %{places} = 3000000
// REDEFINE: %{threads} = 1
// RUN: %{in-order}
// RUN: %{chosen} && %{same}
// REDEFINE: %{threads} = 3
// RUN: %{chosen} && %{same}

// For a small one, counts are in tables.

// REDEFINE: %{places} = 1000
// REDEFINE: %{threads} = 1
// RUN: %{in-order}
// RUN: %{chosen} && %{same}
// REDEFINE: %{threads} = 4
// RUN: %{chosen} && %{same}

// Few elements, or none, are not worth either.

// REDEFINE: %{n} = 100
// RUN: %{in-order}
// RUN: %{chosen} && %{same}
// REDEFINE: %{n} = 0
// REDEFINE: %{places} = 3000000
// RUN: %{in-order}
// RUN: %{chosen} && %{same}

func.func @choose(%n: index {soac.name = "n"}, %places: index {soac.name = "places"})
    -> (tensor<?xf32> {soac.name = "sums"}, tensor<?xi64> {soac.name = "counts"},
        tensor<?xi64> {soac.name = "last"}) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %factor = arith.constant 7919 : index
  %zeros = soac.fill %zero [%places] : (f32) -> tensor<?xf32>
  %nones = soac.fill %none [%places] : (i64) -> tensor<?xi64>
  %at, %number, %fraction, %ones = soac.generate [%n]
      : tensor<?xindex>, tensor<?xi64>, tensor<?xf32>, tensor<?xi64> (%i: index) {
    %far = arith.muli %i, %factor : index
    %square = arith.muli %far, %i : index
    %place = arith.remui %square, %places : index
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f32
    %root = math.sqrt %f : f32
    soac.yield %place, %k, %root, %one : index, i64, f32, i64
  }
  %sums = soac.scatter %fraction into %zeros at %at {soac.scatter = "sequential"}
      : (tensor<?xf32>, tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  %counts = soac.scatter %ones into %nones at %at {soac.alone, soac.scatter = "sequential"}
      : (tensor<?xi64>, tensor<?xi64>, tensor<?xindex>) -> tensor<?xi64> (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  %last = soac.scatter %number into %nones at %at {soac.scatter = "sequential"}
      : (tensor<?xi64>, tensor<?xi64>, tensor<?xindex>) -> tensor<?xi64>
  return %sums, %counts, %last : tensor<?xf32>, tensor<?xi64>, tensor<?xi64>
}
