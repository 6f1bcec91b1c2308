// Sorts: stable, in each row, of any size.

// S49: elements of which neither goes before the other keep their order. The places of numbers below n,
// all of which are sorted by their remainder alone, rise among those with one remainder.
// DEFINE: %{stable} = FileCheck %s --check-prefix=stable
// RUN: comb run %s --entry stable --target interp -i n=3000 | %{stable}
// RUN: comb run %s --entry stable --target cpu -i n=3000 --threads 1 | %{stable}
// RUN: comb run %s --entry stable --target cpu -i n=300000 --threads 1 | %{stable}
// RUN: comb run %s --entry stable --target cpu -i n=300000 --threads 3 | %{stable}
// RUN: comb run %s --entry stable --target cpu -i n=300000 -O0 --unchecked | %{stable}
// RUN: comb run %s --entry stable --target cpu -i n=0 | %{stable}
// RUN: comb run %s --entry stable --target cpu -i n=1 | %{stable}
// RUN: comb run %s --entry stable --target cpu -i n=17 | %{stable}
// stable: result: tensor<i1> = true
func.func @stable(%n: index) -> tensor<i1> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %factor = arith.constant 7919 : index
  %true = arith.constant true
  %places = soac.iota [%n] dim 0 : tensor<?xindex>
  %keys = soac.map %places : (tensor<?xindex>) -> tensor<?xindex> (%a: index) {
    %p = arith.muli %a, %factor : index
    %r = arith.remui %p, %seven : index
    soac.yield %r : index
  }
  %k, %p = soac.sort %keys, %places : (tensor<?xindex>, tensor<?xindex>) -> (tensor<?xindex>, tensor<?xindex>)
      (%a: index, %i: index, %b: index, %j: index) {
    // As `<`, said otherwise.
    %after = arith.cmpi uge, %a, %b : index
    %before = arith.xori %after, %true : i1
    soac.yield %before : i1
  }
  %empty = arith.cmpi eq, %n, %zero : index
  %least = arith.select %empty, %zero, %one : index
  %rest_k = soac.drop %k [%least] : (tensor<?xindex>) -> tensor<?xindex>
  %rest_p = soac.drop %p [%least] : (tensor<?xindex>) -> tensor<?xindex>
  %count = tensor.dim %rest_k, %zero : tensor<?xindex>
  %first_k = soac.take %k [%count] : (tensor<?xindex>) -> tensor<?xindex>
  %first_p = soac.take %p [%count] : (tensor<?xindex>) -> tensor<?xindex>
  %rise = soac.map %first_k, %first_p, %rest_k, %rest_p
      : (tensor<?xindex>, tensor<?xindex>, tensor<?xindex>, tensor<?xindex>) -> tensor<?xi1>
      (%a: index, %i: index, %b: index, %j: index) {
    %less = arith.cmpi ult, %a, %b : index
    %same = arith.cmpi eq, %a, %b : index
    %behind = arith.cmpi ult, %i, %j : index
    %stays = arith.andi %same, %behind : i1
    %rises = arith.ori %less, %stays : i1
    soac.yield %rises : i1
  }
  %all = soac.fold %rise neutral %true : (tensor<?xi1>, i1) -> tensor<i1> (%a: i1, %b: i1) {
    %c = arith.andi %a, %b : i1
    soac.yield %c : i1
  }
  return %all : tensor<i1>
}

// S49: what is no order gives a permutation.
// RUN: comb run %s --entry none --target interp -i n=1000 | FileCheck %s --check-prefix=none
// RUN: comb run %s --entry none --target cpu -i n=1000 | FileCheck %s --check-prefix=none
// RUN: comb run %s --entry none --target cpu -i n=100000 | FileCheck %s --check-prefix=none
// none: result: tensor<i1> = true
func.func @none(%n: index) -> tensor<i1> {
  %true = arith.constant true
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %zeros = soac.fill %zero [%n] : (index) -> tensor<?xindex>
  %ones = soac.fill %one [%n] : (index) -> tensor<?xindex>
  %x = soac.iota [%n] dim 0 : tensor<?xindex>
  %y = soac.sort %x : (tensor<?xindex>) -> tensor<?xindex> (%a: index, %b: index) {
    %s = arith.muli %a, %b : index
    %r = arith.andi %s, %one : index
    %before = arith.cmpi eq, %r, %zero : index
    soac.yield %before : i1
  }
  %counts = soac.scatter %ones into %zeros at %y
      : (tensor<?xindex>, tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex> (%a: index, %b: index) {
    %s = arith.addi %a, %b : index
    soac.yield %s : index
  }
  %once = soac.map %counts : (tensor<?xindex>) -> tensor<?xi1> (%a: index) {
    %e = arith.cmpi eq, %a, %one : index
    soac.yield %e : i1
  }
  %all = soac.fold %once neutral %true : (tensor<?xi1>, i1) -> tensor<i1> (%a: i1, %b: i1) {
    %c = arith.andi %a, %b : i1
    soac.yield %c : i1
  }
  return %all : tensor<i1>
}
