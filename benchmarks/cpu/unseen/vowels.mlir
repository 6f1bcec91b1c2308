// How many letters are vowels, and how many words begin with one; words have spaces between them.
func.func @vowels(%text: tensor<?xi8>, %n: index) -> tensor<2xi64> {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %space = arith.constant 32 : i8
  %a = arith.constant 97 : i8
  %e = arith.constant 101 : i8
  %i = arith.constant 105 : i8
  %o = arith.constant 111 : i8
  %u = arith.constant 117 : i8
  %last = arith.subi %n, %c1 : index
  %first = soac.fill %space [1] : (i8) -> tensor<1xi8>
  %rest = soac.take %text [%last] : (tensor<?xi8>) -> tensor<?xi8>
  %before = soac.concat %first, %rest dim 0 : (tensor<1xi8>, tensor<?xi8>) -> tensor<?xi8>
  %vowels, %beginnings = soac.map %text, %before
      : (tensor<?xi8>, tensor<?xi8>) -> (tensor<?xi64>, tensor<?xi64>) (%letter: i8, %previous: i8) {
    %is_a = arith.cmpi eq, %letter, %a : i8
    %is_e = arith.cmpi eq, %letter, %e : i8
    %is_i = arith.cmpi eq, %letter, %i : i8
    %is_o = arith.cmpi eq, %letter, %o : i8
    %is_u = arith.cmpi eq, %letter, %u : i8
    %ae = arith.ori %is_a, %is_e : i1
    %io = arith.ori %is_i, %is_o : i1
    %aeio = arith.ori %ae, %io : i1
    %vowel = arith.ori %aeio, %is_u : i1
    %after_space = arith.cmpi eq, %previous, %space : i8
    %begins = arith.andi %vowel, %after_space : i1
    %p = arith.extui %vowel : i1 to i64
    %q = arith.extui %begins : i1 to i64
    soac.yield %p, %q : i64, i64
  }
  %vowel_count, %word_count = soac.fold %vowels, %beginnings neutral %none, %none
      : (tensor<?xi64>, tensor<?xi64>, i64, i64) -> (tensor<i64>, tensor<i64>)
      (%p: i64, %q: i64, %r: i64, %s: i64) {
    %t = arith.addi %p, %r : i64
    %v = arith.addi %q, %s : i64
    soac.yield %t, %v : i64, i64
  }
  %all = tensor.extract %vowel_count[] : tensor<i64>
  %words = tensor.extract %word_count[] : tensor<i64>
  %result = tensor.from_elements %all, %words : tensor<2xi64>
  return %result : tensor<2xi64>
}
