// Sorts non-negative 32-bit integers, and gives the permutation that does it:
// one stable split for each bit. A split puts elements whose bit is 0 first;
// two exclusive scans say where each element goes, and a scatter takes it there.

func.func @sort(%keys: tensor<?xi32>)
    -> (tensor<?xi32> {soac.name = "sorted"}, tensor<?xindex> {soac.name = "permutation"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bits = arith.constant 31 : index
  %n = tensor.dim %keys, %c0 : tensor<?xi32>
  %identity = soac.iota [%n] dim 0 : tensor<?xindex>
  %sorted, %permutation = scf.for %bit = %c0 to %bits step %c1
      iter_args(%k = %keys, %p = %identity) -> (tensor<?xi32>, tensor<?xindex>) {
    %split_keys, %split_permutation = func.call @split(%k, %p, %bit)
        : (tensor<?xi32>, tensor<?xindex>, index) -> (tensor<?xi32>, tensor<?xindex>)
    scf.yield %split_keys, %split_permutation : tensor<?xi32>, tensor<?xindex>
  }
  return %sorted, %permutation : tensor<?xi32>, tensor<?xindex>
}

func.func private @split(%keys: tensor<?xi32>, %permutation: tensor<?xindex>, %bit: index)
    -> (tensor<?xi32>, tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %shift = arith.index_cast %bit : index to i32
  %is_one, %is_zero = soac.map %keys : (tensor<?xi32>) -> (tensor<?xindex>, tensor<?xindex>)
      (%key: i32) {
    %shifted = arith.shrui %key, %shift : i32
    %digit = arith.andi %shifted, %one : i32
    %set = arith.index_cast %digit : i32 to index
    %clear = arith.subi %c1, %set : index
    soac.yield %set, %clear : index, index
  }
  %zeros_before, %ones_before = soac.scanl %is_zero, %is_one neutral %c0, %c0 exclusive
      : (tensor<?xindex>, tensor<?xindex>, index, index) -> (tensor<?xindex>, tensor<?xindex>)
      (%a: index, %b: index, %c: index, %d: index) {
    %ac = arith.addi %a, %c : index
    %bd = arith.addi %b, %d : index
    soac.yield %ac, %bd : index, index
  }
  %count = soac.fold %is_zero neutral %c0 : (tensor<?xindex>, index) -> tensor<index>
      (%a: index, %b: index) {
    %s = arith.addi %a, %b : index
    soac.yield %s : index
  }
  %zeros = tensor.extract %count[] : tensor<index>
  %targets = soac.map %is_one, %zeros_before, %ones_before
      : (tensor<?xindex>, tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex>
      (%set: index, %z: index, %o: index) {
    %is_set = arith.cmpi eq, %set, %c1 : index
    %behind = arith.addi %zeros, %o : index
    %target = arith.select %is_set, %behind, %z : index
    soac.yield %target : index
  }
  %new_keys, %new_permutation =
      soac.scatter %keys, %permutation into %keys, %permutation at %targets
      : (tensor<?xi32>, tensor<?xindex>, tensor<?xi32>, tensor<?xindex>, tensor<?xindex>)
      -> (tensor<?xi32>, tensor<?xindex>)
  return %new_keys, %new_permutation : tensor<?xi32>, tensor<?xindex>
}
