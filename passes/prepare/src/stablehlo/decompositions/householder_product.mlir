// The first columns of q, the product of reflections whose vectors are below the diagonal of each
// matrix a, as the decomposition into q and r leaves them; !matrices are as wide as the result.
//
// From the last reflection to the first, applied to columns of the identity, by rows: inner loops
// go along rows. 4 m n^2 operations at most.
func.func private @householder_product(%a: !matrices, %factors: !factors) -> !matrices {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %count = tensor.dim %a, %c0 : !matrices
  %m = tensor.dim %a, %c1 : !matrices
  %n = tensor.dim %a, %c2 : !matrices
  %steps = tensor.dim %factors, %c1 : !factors
  %last = arith.subi %steps, %c1 : index
  %zero = arith.constant 0.0 : !element
  %one = arith.constant 1.0 : !element
  %no_q = tensor.empty() : !matrices
  %no_sums = tensor.empty() : !row
  %all:2 = scf.for %x = %c0 to %count step %c1 iter_args(%q0 = %no_q, %sums0 = %no_sums) -> (!matrices, !row) {
    %identity = scf.for %i = %c0 to %m step %c1 iter_args(%b = %q0) -> (!matrices) {
      %b1 = scf.for %j = %c0 to %n step %c1 iter_args(%c = %b) -> (!matrices) {
        %is_diagonal = arith.cmpi eq, %i, %j : index
        %number = arith.select %is_diagonal, %one, %zero : !element
        %d = tensor.insert %number into %c[%x, %i, %j] : !matrices
        scf.yield %d : !matrices
      }
      scf.yield %b1 : !matrices
    }
    %each:2 = scf.for %step = %c0 to %steps step %c1 iter_args(%q1 = %identity, %sums1 = %sums0) -> (!matrices, !row) {
      %k = arith.subi %last, %step : index
      %next = arith.addi %k, %c1 : index
      %factor = tensor.extract %factors[%x, %k] : !factors
      %sums2 = scf.for %j = %k to %n step %c1 iter_args(%s = %sums1) -> (!row) {
        %v = tensor.extract %q1[%x, %k, %j] : !matrices
        %s1 = tensor.insert %v into %s[%j] : !row
        scf.yield %s1 : !row
      }
      %sums3 = scf.for %i = %next to %m step %c1 iter_args(%s = %sums2) -> (!row) {
        %v = tensor.extract %a[%x, %i, %k] : !matrices
        %s1 = scf.for %j = %k to %n step %c1 iter_args(%t = %s) -> (!row) {
          %w = tensor.extract %q1[%x, %i, %j] : !matrices
          %sum = tensor.extract %t[%j] : !row
          %product = arith.mulf %v, %w : !element
          %new = arith.addf %sum, %product : !element
          %t1 = tensor.insert %new into %t[%j] : !row
          scf.yield %t1 : !row
        }
        scf.yield %s1 : !row
      }
      %q2 = scf.for %j = %k to %n step %c1 iter_args(%b = %q1) -> (!matrices) {
        %old = tensor.extract %b[%x, %k, %j] : !matrices
        %sum = tensor.extract %sums3[%j] : !row
        %product = arith.mulf %factor, %sum : !element
        %new = arith.subf %old, %product : !element
        %b1 = tensor.insert %new into %b[%x, %k, %j] : !matrices
        scf.yield %b1 : !matrices
      }
      %q3 = scf.for %i = %next to %m step %c1 iter_args(%b = %q2) -> (!matrices) {
        %v = tensor.extract %a[%x, %i, %k] : !matrices
        %far = arith.mulf %factor, %v : !element
        %b1 = scf.for %j = %k to %n step %c1 iter_args(%c = %b) -> (!matrices) {
          %old = tensor.extract %c[%x, %i, %j] : !matrices
          %sum = tensor.extract %sums3[%j] : !row
          %product = arith.mulf %far, %sum : !element
          %new = arith.subf %old, %product : !element
          %d = tensor.insert %new into %c[%x, %i, %j] : !matrices
          scf.yield %d : !matrices
        }
        scf.yield %b1 : !matrices
      }
      scf.yield %q3, %sums3 : !matrices, !row
    }
    scf.yield %each#0, %each#1 : !matrices, !row
  }
  return %all#0 : !matrices
}
