// RUN: not comb run %s --entry number -i x=[1] 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not comb run %s --entry float -i x=[1] 2>&1 | FileCheck %s --check-prefix=FLOAT
// RUN: not comb build %s --entry result -o %t.so 2>&1 | FileCheck %s --check-prefix=RESULT
// NUMBER: unsigned-invalid.mlir:[[@LINE+4]]:19: error: parameter 'x' of @number has soac.unsigned = 1 : i64; write soac.unsigned alone, or with true or false
// FLOAT: unsigned-invalid.mlir:[[@LINE+7]]:18: error: parameter 'x' of @float has soac.unsigned, but type tensor<?xf32>; only i8, i16, i32 and i64 may be unsigned
// RESULT: unsigned-invalid.mlir:[[@LINE+10]]:1: error: result 'result' of @result has soac.unsigned, but type index;

func.func @number(%x: tensor<?xi8> {soac.unsigned = 1}) {
  return
}

func.func @float(%x: tensor<?xf32> {soac.unsigned}) {
  return
}

func.func @result(%x: index) -> (index {soac.unsigned}) {
  return %x : index
}

// RUN: not comb run %s --entry misspelt -i x=[1] 2>&1 | FileCheck %s --check-prefix=MISSPELT
// RUN: not comb run %s --entry unnamed -i x=[1] 2>&1 | FileCheck %s --check-prefix=UNNAMED
// MISSPELT: error: parameter 'x' of @misspelt has the attribute soac.unsinged, which is unknown; soac.name, soac.unsigned and, for parameters, soac.extent are known
// UNNAMED: error: result 'result' of @unnamed has soac.name = 3 : i64; a name in quotes is expected

func.func @misspelt(%x: tensor<?xi8> {soac.unsinged}) {
  return
}

func.func @unnamed(%x: tensor<?xi8>) -> (tensor<?xi8> {soac.name = 3}) {
  return %x : tensor<?xi8>
}
