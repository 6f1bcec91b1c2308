// RUN: split-file %s %t
// RUN: not comb run %t/types.mlir --entry float -i x=[1] 2>&1 | FileCheck %s --check-prefix=FLOAT
// RUN: not comb build %t/types.mlir --entry result -o %t.so 2>&1 | FileCheck %s --check-prefix=RESULT
// FLOAT: types.mlir:2:18: error: parameter 'x' of @float has soac.unsigned, but type tensor<?xf32>; only i8, i16, i32 and i64 may be unsigned
// RESULT: types.mlir:6:1: error: result 'result' of @result has soac.unsigned, but type index;

//--- types.mlir

func.func @float(%x: tensor<?xf32> {soac.unsigned}) {
  return
}

func.func @result(%x: index) -> (index {soac.unsigned}) {
  return %x : index
}
