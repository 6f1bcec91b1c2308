// A part of LocVolCalib: a tridiagonal system for each row, by Thomas' algorithm; forwards in two new arrays, and backwards in one of
// them. All elements of a diagonal are the same in each row.
func.func @tridiagonal(%lower: tensor<?xf64>, %diagonal: tensor<?xf64>, %y: tensor<?x?xf64>, %m: index, %n: index)
    -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %result = soac.map %lower, %diagonal, %y outer 1 inner(%n)
      : (tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
      (%a: f64, %b: f64, %row: tensor<?xf64>) {
    %no_pivots = tensor.empty(%n) : tensor<?xf64>
    %no_values = tensor.empty(%n) : tensor<?xf64>
    %first = tensor.extract %row[%c0] : tensor<?xf64>
    %pivots_0 = tensor.insert %b into %no_pivots[%c0] : tensor<?xf64>
    %values_0 = tensor.insert %first into %no_values[%c0] : tensor<?xf64>
    %pivots, %values = scf.for %k = %c1 to %n step %c1 iter_args(%p = %pivots_0, %v = %values_0)
        -> (tensor<?xf64>, tensor<?xf64>) {
      %before = arith.subi %k, %c1 : index
      %old = tensor.extract %p[%before] : tensor<?xf64>
      %old_value = tensor.extract %v[%before] : tensor<?xf64>
      %own = tensor.extract %row[%k] : tensor<?xf64>
      %factor = arith.divf %a, %old : f64
      %less = arith.mulf %factor, %a : f64
      %pivot = arith.subf %b, %less : f64
      %less_value = arith.mulf %factor, %old_value : f64
      %value = arith.subf %own, %less_value : f64
      %next_p = tensor.insert %pivot into %p[%k] : tensor<?xf64>
      %next_v = tensor.insert %value into %v[%k] : tensor<?xf64>
      scf.yield %next_p, %next_v : tensor<?xf64>, tensor<?xf64>
    }
    %end_value = tensor.extract %values[%last] : tensor<?xf64>
    %end_pivot = tensor.extract %pivots[%last] : tensor<?xf64>
    %end = arith.divf %end_value, %end_pivot : f64
    %begun = tensor.insert %end into %values[%last] : tensor<?xf64>
    %solved = scf.for %step = %c1 to %n step %c1 iter_args(%x = %begun) -> tensor<?xf64> {
      %k = arith.subi %last, %step : index
      %next = arith.addi %k, %c1 : index
      %known = tensor.extract %x[%next] : tensor<?xf64>
      %value = tensor.extract %x[%k] : tensor<?xf64>
      %pivot = tensor.extract %pivots[%k] : tensor<?xf64>
      %less = arith.mulf %a, %known : f64
      %difference = arith.subf %value, %less : f64
      %quotient = arith.divf %difference, %pivot : f64
      %inserted = tensor.insert %quotient into %x[%k] : tensor<?xf64>
      scf.yield %inserted : tensor<?xf64>
    }
    soac.yield %solved : tensor<?xf64>
  }
  return %result : tensor<?x?xf64>
}
