// On CPUs with AVX2 and without AVX-512, lanes that a filter keeps are packed by a table, and whole
// vectors are written, but for the last few elements of a chunk.

// RUN: comb-opt %s --comb-cpu=cpu=haswell --mlir-print-ir-after=nest-to-vectors -o /dev/null 2>&1 | FileCheck %s
// RUN: comb-fuzz same %s | FileCheck %s --check-prefix=CALL

// CHECK-LABEL: func.func @words(
// CHECK:         %[[RESULT:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi32>
// CHECK:         scf.parallel
// CHECK:           %[[KEPT:.*]] = scf.if %[[TELLS:.*]] -> (index)
// CHECK:           %[[FIRST:.*]] = memref.load
// CHECK:           %[[BEHIND:.*]] = arith.addi %[[FIRST]], %[[KEPT]]
// CHECK:           %[[OWN:.*]] = arith.select %[[TELLS]], %[[BEHIND]], %c9223372036854775807
// CHECK:           scf.for {{.*}} iter_args(%[[AT:.*]] = %[[FIRST]])
// CHECK:             %[[END:.*]] = arith.minsi %{{.*}}, %[[OWN]]
// CHECK:             %[[LAST:.*]] = arith.addi %[[AT]], %c16
// CHECK:             %[[HAS_ROOM:.*]] = arith.cmpi sle, %[[LAST]], %[[END]]
// CHECK:             scf.if %[[HAS_ROOM]] {
// CHECK:               vector.compressstore %[[RESULT]][%[[AT]]]{{.*}} {comb.has_room}
// CHECK:             } else {
// CHECK:               %[[PACKED:.*]] = memref.alloca() {{.*}} : memref<16xi32>
// CHECK:               vector.compressstore %[[PACKED]][%c0{{.*}} {comb.has_room}
// CHECK:               scf.for %[[LANE:.*]] =
// CHECK:                 %[[E:.*]] = memref.load %[[PACKED]][%[[LANE]]]
// CHECK:                 %[[INDEX:.*]] = arith.addi %[[AT]], %[[LANE]]
// CHECK:                 memref.store %[[E]], %[[RESULT]][%[[INDEX]]]

// RUN: comb build %s --entry words --cpu x86-64-v3 --emit asm -o - | FileCheck %s --check-prefix=AVX2
// RUN: comb build %s --entry words --cpu sandybridge --emit asm -o - | FileCheck %s --check-prefix=AVX
// AVX2: vpermd
// AVX-NOT: vpermd

// A few, all, or none are kept.

// CALL-LABEL: words random:i32(-10..10)[1000]:1
// CALL-LABEL: words random:i32(-1..100)[929]:2
// CALL-LABEL: words random:i32(-100..1)[777]:3
// CALL-LABEL: words zeros:i32[333]
// CALL-LABEL: words ones:i32[321]
func.func @words(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %y = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %k = arith.cmpi sgt, %a, %zero : i32
    soac.yield %k : i1
  }
  return %y : tensor<?xi32>
}

// Every type of elements, in chunks of 100 iterations, on a CPU with AVX2. Sizes are around those of
// vectors.

// DEFINE: %{inputs} =
// DEFINE: %{interpreted} = comb run %s --entry all --target interp %{inputs}
// DEFINE: %{compiled} = %t %{inputs}
// RUN: comb build %s --entry all --cpu x86-64-v3 --chunk 800 --emit executable -o %t

// REDEFINE: %{inputs} = -i f64=random:f64(-1..1)[1]:1 -i f32=random:f32(-1..1)[7]:2 -i f16=random:f16(-1..1)[8]:3 -i bf16=random:bf16(-1..1)[9]:4 -i index=random:index(0..9)[15]:5 -i i64=random:i64(-9..9)[16]:6 -i i32=random:i32(-9..9)[17]:7 -i i16=random:i16(-9..9)[31]:8 -i i8=random:i8(-9..9)[63]:9 -i i1=random:i1[64]:10
// RUN: %{interpreted} | grep -v -e ^load -e ^compile > %t.right
// RUN: %{compiled} --threads 1 | grep -v -e ^load -e ^compile | diff %t.right -
// RUN: %{compiled} --threads 8 | grep -v -e ^load -e ^compile | diff %t.right -

// REDEFINE: %{inputs} = -i f64=random:f64(-1..1)[100]:11 -i f32=random:f32(-1..1)[101]:12 -i f16=random:f16(-1..1)[107]:13 -i bf16=random:bf16(-1..1)[108]:14 -i index=random:index(0..9)[116]:15 -i i64=random:i64(-9..9)[117]:16 -i i32=random:i32(-9..9)[132]:17 -i i16=random:i16(-9..9)[163]:18 -i i8=random:i8(-9..9)[164]:19 -i i1=random:i1[165]:20
// RUN: %{interpreted} | grep -v -e ^load -e ^compile > %t.right
// RUN: %{compiled} --threads 1 | grep -v -e ^load -e ^compile | diff %t.right -
// RUN: %{compiled} --threads 8 | grep -v -e ^load -e ^compile | diff %t.right -

// REDEFINE: %{inputs} = -i f64=random:f64(-1..1)[1000]:21 -i f32=random:f32(-1..1)[1000]:22 -i f16=random:f16(-1..1)[1000]:23 -i bf16=random:bf16(-1..1)[1000]:24 -i index=random:index(0..9)[999]:25 -i i64=random:i64(-9..9)[999]:26 -i i32=random:i32(-9..9)[999]:27 -i i16=random:i16(-9..9)[1001]:28 -i i8=random:i8(-9..9)[1001]:29 -i i1=random:i1[1001]:30
// RUN: %{interpreted} | grep -v -e ^load -e ^compile > %t.right
// RUN: %{compiled} --threads 1 | grep -v -e ^load -e ^compile | diff %t.right -
// RUN: %{compiled} --threads 8 | grep -v -e ^load -e ^compile | diff %t.right -

// REDEFINE: %{inputs} = -i f64=random:f64(0.5..1)[900]:31 -i f32=random:f32(0.5..1)[899]:32 -i f16=random:f16(0.5..1)[898]:33 -i bf16=random:bf16(0.5..1)[897]:34 -i index=random:index(5..9)[901]:35 -i i64=random:i64(1..9)[902]:36 -i i32=random:i32(1..9)[903]:37 -i i16=random:i16(1..9)[904]:38 -i i8=random:i8(1..9)[905]:39 -i i1=random:i1[906]:40
// RUN: %{interpreted} | grep -v -e ^load -e ^compile > %t.right
// RUN: %{compiled} --threads 1 | grep -v -e ^load -e ^compile | diff %t.right -
// RUN: %{compiled} --threads 8 | grep -v -e ^load -e ^compile | diff %t.right -

// REDEFINE: %{inputs} = -i f64=random:f64(-20..1)[900]:41 -i f32=random:f32(-20..1)[899]:42 -i f16=random:f16(-20..1)[898]:43 -i bf16=random:bf16(-20..1)[897]:44 -i index=random:index(0..6)[901]:45 -i i64=random:i64(-100..5)[902]:46 -i i32=random:i32(-100..5)[903]:47 -i i16=random:i16(-100..5)[904]:48 -i i8=random:i8(-100..5)[905]:49 -i i1=random:i1[906]:50
// RUN: %{interpreted} | grep -v -e ^load -e ^compile > %t.right
// RUN: %{compiled} --threads 1 | grep -v -e ^load -e ^compile | diff %t.right -
// RUN: %{compiled} --threads 8 | grep -v -e ^load -e ^compile | diff %t.right -

// REDEFINE: %{inputs} = -i f64=random:f64(-1..0)[300]:51 -i f32=random:f32(-1..0)[301]:52 -i f16=random:f16(-1..0)[302]:53 -i bf16=random:bf16(-1..0)[303]:54 -i index=random:index(0..1)[304]:55 -i i64=random:i64(-9..0)[305]:56 -i i32=random:i32(-9..0)[306]:57 -i i16=random:i16(-9..0)[307]:58 -i i8=random:i8(-9..0)[308]:59 -i i1=random:i1[309]:60
// RUN: %{interpreted} | grep -v -e ^load -e ^compile > %t.right
// RUN: %{compiled} --threads 1 | grep -v -e ^load -e ^compile | diff %t.right -
// RUN: %{compiled} --threads 8 | grep -v -e ^load -e ^compile | diff %t.right -

func.func @all(%f64: tensor<?xf64>, %f32: tensor<?xf32>, %f16: tensor<?xf16>, %bf16: tensor<?xbf16>, %index: tensor<?xindex>, %i64: tensor<?xi64>, %i32: tensor<?xi32>, %i16: tensor<?xi16>, %i8: tensor<?xi8>, %i1: tensor<?xi1>)
    -> (tensor<?xf64>, tensor<?xf32>, tensor<?xf16>, tensor<?xbf16>, tensor<?xindex>, tensor<?xi64>, tensor<?xi32>, tensor<?xi16>, tensor<?xi8>, tensor<?xi1>) {
  %zero_f64 = arith.constant 0.0 : f64
  %zero_f32 = arith.constant 0.0 : f32
  %zero_f16 = arith.constant 0.0 : f16
  %zero_bf16 = arith.constant 0.0 : bf16
  %zero_index = arith.constant 5 : index
  %zero_i64 = arith.constant 0 : i64
  %zero_i32 = arith.constant 0 : i32
  %zero_i16 = arith.constant 0 : i16
  %zero_i8 = arith.constant 0 : i8
  %kept_f64 = soac.filter %f64 : (tensor<?xf64>) -> tensor<?xf64> (%a: f64) {
    %k = arith.cmpf ogt, %a, %zero_f64 : f64
    soac.yield %k : i1
  }
  %kept_f32 = soac.filter %f32 : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %k = arith.cmpf ogt, %a, %zero_f32 : f32
    soac.yield %k : i1
  }
  %kept_f16 = soac.filter %f16 : (tensor<?xf16>) -> tensor<?xf16> (%a: f16) {
    %k = arith.cmpf ogt, %a, %zero_f16 : f16
    soac.yield %k : i1
  }
  %kept_bf16 = soac.filter %bf16 : (tensor<?xbf16>) -> tensor<?xbf16> (%a: bf16) {
    %k = arith.cmpf ogt, %a, %zero_bf16 : bf16
    soac.yield %k : i1
  }
  %kept_index = soac.filter %index : (tensor<?xindex>) -> tensor<?xindex> (%a: index) {
    %k = arith.cmpi sge, %a, %zero_index : index
    soac.yield %k : i1
  }
  %kept_i64 = soac.filter %i64 : (tensor<?xi64>) -> tensor<?xi64> (%a: i64) {
    %k = arith.cmpi sgt, %a, %zero_i64 : i64
    soac.yield %k : i1
  }
  %kept_i32 = soac.filter %i32 : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %k = arith.cmpi sgt, %a, %zero_i32 : i32
    soac.yield %k : i1
  }
  %kept_i16 = soac.filter %i16 : (tensor<?xi16>) -> tensor<?xi16> (%a: i16) {
    %k = arith.cmpi sgt, %a, %zero_i16 : i16
    soac.yield %k : i1
  }
  %kept_i8 = soac.filter %i8 : (tensor<?xi8>) -> tensor<?xi8> (%a: i8) {
    %k = arith.cmpi sgt, %a, %zero_i8 : i8
    soac.yield %k : i1
  }
  %kept_i1 = soac.filter %i1 : (tensor<?xi1>) -> tensor<?xi1> (%a: i1) {
    soac.yield %a : i1
  }
  return %kept_f64, %kept_f32, %kept_f16, %kept_bf16, %kept_index, %kept_i64, %kept_i32, %kept_i16, %kept_i8, %kept_i1
      : tensor<?xf64>, tensor<?xf32>, tensor<?xf16>, tensor<?xbf16>, tensor<?xindex>, tensor<?xi64>, tensor<?xi32>, tensor<?xi16>, tensor<?xi8>, tensor<?xi1>
}
