// Of each matrix a, in one array: r on and above the diagonal, and below it, by columns, the vectors
// of the reflections that q is the product of, without their first element, which is 1. The second
// result is how far each reflects: a reflection is 1 - factor v transposed(v).
//
// Householder's method, by rows: inner loops go along rows. Norms are of columns over their largest
// element, so that they do not overflow. 2 n^2 (m - n / 3) operations.
func.func private @qr(%a: !matrices) -> (!matrices, !factors) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %count = tensor.dim %a, %c0 : !matrices
  %m = tensor.dim %a, %c1 : !matrices
  %n = tensor.dim %a, %c2 : !matrices
  %steps = arith.minui %m, %n : index
  %zero = arith.constant 0.0 : !element
  %one = arith.constant 1.0 : !element
  %no_factors = tensor.empty() : !factors
  %no_sums = tensor.empty() : !row
  %all:3 = scf.for %x = %c0 to %count step %c1 iter_args(%a0 = %a, %factors0 = %no_factors, %sums0 = %no_sums) -> (!matrices, !factors, !row) {
    %each:3 = scf.for %k = %c0 to %steps step %c1 iter_args(%a1 = %a0, %factors1 = %factors0, %sums1 = %sums0) -> (!matrices, !factors, !row) {
      %next = arith.addi %k, %c1 : index
      %first = tensor.extract %a1[%x, %k, %k] : !matrices
      %first_size = math.absf %first : !element
      %below = scf.for %i = %next to %m step %c1 iter_args(%size = %zero) -> (!element) {
        %v = tensor.extract %a1[%x, %i, %k] : !matrices
        %v_size = math.absf %v : !element
        %size1 = arith.maximumf %size, %v_size : !element
        scf.yield %size1 : !element
      }
      %is_done = arith.cmpf oeq, %below, %zero : !element
      %size = arith.maximumf %below, %first_size : !element
      %scale = arith.select %is_done, %one, %size : !element
      %first_part = arith.divf %first, %scale : !element
      %first_square = arith.mulf %first_part, %first_part : !element
      %square = scf.for %i = %next to %m step %c1 iter_args(%sum = %first_square) -> (!element) {
        %v = tensor.extract %a1[%x, %i, %k] : !matrices
        %part = arith.divf %v, %scale : !element
        %part_square = arith.mulf %part, %part : !element
        %sum1 = arith.addf %sum, %part_square : !element
        scf.yield %sum1 : !element
      }
      %root = math.sqrt %square : !element
      %norm = arith.mulf %root, %scale : !element
      %same_sign = math.copysign %norm, %first : !element
      %opposite = arith.negf %same_sign : !element
      %r = arith.select %is_done, %first, %opposite : !element
      %difference = arith.subf %r, %first : !element
      %quotient = arith.divf %difference, %r : !element
      %factor = arith.select %is_done, %zero, %quotient : !element
      %factors2 = tensor.insert %factor into %factors1[%x, %k] : !factors
      %divisor = arith.subf %first, %r : !element
      %safe_divisor = arith.select %is_done, %one, %divisor : !element
      %a2 = tensor.insert %r into %a1[%x, %k, %k] : !matrices
      %sums2 = scf.for %j = %next to %n step %c1 iter_args(%s = %sums1) -> (!row) {
        %v = tensor.extract %a2[%x, %k, %j] : !matrices
        %s1 = tensor.insert %v into %s[%j] : !row
        scf.yield %s1 : !row
      }
      %scaled:2 = scf.for %i = %next to %m step %c1 iter_args(%b = %a2, %s = %sums2) -> (!matrices, !row) {
        %v = tensor.extract %b[%x, %i, %k] : !matrices
        %part = arith.divf %v, %safe_divisor : !element
        %b1 = tensor.insert %part into %b[%x, %i, %k] : !matrices
        %s1 = scf.for %j = %next to %n step %c1 iter_args(%t = %s) -> (!row) {
          %w = tensor.extract %b1[%x, %i, %j] : !matrices
          %sum = tensor.extract %t[%j] : !row
          %product = arith.mulf %part, %w : !element
          %new = arith.addf %sum, %product : !element
          %t1 = tensor.insert %new into %t[%j] : !row
          scf.yield %t1 : !row
        }
        scf.yield %b1, %s1 : !matrices, !row
      }
      %a3 = scf.for %j = %next to %n step %c1 iter_args(%b = %scaled#0) -> (!matrices) {
        %old = tensor.extract %b[%x, %k, %j] : !matrices
        %sum = tensor.extract %scaled#1[%j] : !row
        %product = arith.mulf %factor, %sum : !element
        %new = arith.subf %old, %product : !element
        %b1 = tensor.insert %new into %b[%x, %k, %j] : !matrices
        scf.yield %b1 : !matrices
      }
      %a4 = scf.for %i = %next to %m step %c1 iter_args(%b = %a3) -> (!matrices) {
        %v = tensor.extract %b[%x, %i, %k] : !matrices
        %far = arith.mulf %factor, %v : !element
        %b1 = scf.for %j = %next to %n step %c1 iter_args(%c = %b) -> (!matrices) {
          %old = tensor.extract %c[%x, %i, %j] : !matrices
          %sum = tensor.extract %scaled#1[%j] : !row
          %product = arith.mulf %far, %sum : !element
          %new = arith.subf %old, %product : !element
          %d = tensor.insert %new into %c[%x, %i, %j] : !matrices
          scf.yield %d : !matrices
        }
        scf.yield %b1 : !matrices
      }
      scf.yield %a4, %factors2, %scaled#1 : !matrices, !factors, !row
    }
    scf.yield %each#0, %each#1, %each#2 : !matrices, !factors, !row
  }
  return %all#0, %all#1 : !matrices, !factors
}
