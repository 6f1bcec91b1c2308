// RUN: comb-opt %s --split-input-file --allow-unregistered-dialect --comb-parallel-to-openmp | FileCheck %s

// The body becomes a function. What it uses is stored in the region, behind the
// runtime library's word; constants are repeated. The runtime library calls the function, and
// is told where OpenMP's functions are.

// CHECK-DAG: func.func private @comb_runtime_run_chunks(!llvm.ptr, !llvm.ptr, index, i32, !llvm.ptr)
// CHECK-DAG: func.func private @comb_runtime_run_share(!llvm.ptr)
// CHECK-DAG: func.func private @omp_get_max_threads() -> i32
// CHECK-DAG: func.func private @omp_get_num_threads() -> i32
// CHECK-DAG: func.func private @omp_get_thread_num() -> i32

// CHECK-LABEL: func.func private @comb_openmp_team(
// CHECK-SAME:    %[[WORK:.*]]: !llvm.ptr)
// CHECK:         omp.parallel {
// CHECK:           func.call @comb_runtime_run_share(%[[WORK]])
// CHECK:           omp.terminator

// CHECK:       llvm.mlir.global internal constant @comb_openmp()
// CHECK-SAME:    !llvm.array<4 x ptr> {
// CHECK:         %[[TEAM:.*]] = func.constant @comb_openmp_team
// CHECK:         %[[ADDRESS:.*]] = builtin.unrealized_conversion_cast %[[TEAM]]
// CHECK:         llvm.insertvalue %[[ADDRESS]], %{{.*}}[0]
// CHECK:         func.constant @omp_get_max_threads
// CHECK:         func.constant @omp_get_num_threads
// CHECK:         func.constant @omp_get_thread_num
// CHECK:         llvm.return

// CHECK-LABEL: func.func private @doubled_chunk(
// CHECK-SAME:    %[[REGION:.*]]: !llvm.ptr, %[[CHUNK:.*]]: index)
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2.0
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         llvm.getelementptr %[[REGION]][0, 1]
// CHECK-SAME:      !llvm.struct<(ptr, i64, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)>
// CHECK:         %[[SIZE:.*]] = builtin.unrealized_conversion_cast {{.*}} : i64 to index
// CHECK:         %[[FIELD:.*]] = llvm.getelementptr %[[REGION]][0, 2]
// CHECK:         %[[STORED:.*]] = llvm.load %[[FIELD]]
// CHECK:         %[[ARRAY:.*]] = builtin.unrealized_conversion_cast %[[STORED]] {{.*}} to memref<?xf32>
// CHECK:         arith.muli %[[CHUNK]], %[[SIZE]]
// CHECK:         scf.for
// CHECK:           memref.load %[[ARRAY]]
// CHECK:           arith.mulf {{.*}}, %[[TWO]]
// CHECK:         return

// CHECK-LABEL: func.func @doubled(
// CHECK-SAME:    %[[ARRAY:.*]]: memref<?xf32>, %[[CHUNKS:.*]]: index, %[[SIZE:.*]]: index)
// CHECK:         %[[REGION:.*]] = llvm.alloca
// CHECK:         %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:         llvm.store %[[NULL]], %[[REGION]]
// CHECK:         %[[FUNCTION:.*]] = constant @doubled_chunk
// CHECK:         %[[ADDRESS:.*]] = builtin.unrealized_conversion_cast %[[FUNCTION]]
// CHECK:         %[[STATIC:.*]] = arith.constant 0 : i32
// CHECK:         %[[OPENMP:.*]] = llvm.mlir.addressof @comb_openmp
// CHECK:         call @comb_runtime_run_chunks(%[[ADDRESS]], %[[REGION]], %[[CHUNKS]], %[[STATIC]], %[[OPENMP]])
// CHECK-NOT:     scf.parallel
func.func @doubled(%array: memref<?xf32>, %chunks: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  scf.parallel (%chunk) = (%c0) to (%chunks) step (%c1) {
    %begin = arith.muli %chunk, %size : index
    %end = arith.addi %begin, %size : index
    scf.for %i = %begin to %end step %c1 {
      %x = memref.load %array[%i] : memref<?xf32>
      %y = arith.mulf %x, %two : f32
      memref.store %y, %array[%i] : memref<?xf32>
    }
    scf.reduce
  } {comb.schedule = "contiguous"}
  return
}

// -----

// The runtime library is told if chunks are interleaved. The region's memory is taken at the
// start of the function, not in the loop.

// CHECK-LABEL: func.func @steps(
// CHECK-NEXT:    llvm.mlir.constant
// CHECK-NEXT:    llvm.alloca
// CHECK:         scf.for
// CHECK:           %[[INTERLEAVED:.*]] = arith.constant 1 : i32
// CHECK:           func.call @comb_runtime_run_chunks(%{{.*}}, %{{.*}}, %{{.*}}, %[[INTERLEAVED]], %{{.*}})
func.func @steps(%array: memref<4xindex>, %steps: index, %chunks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %step = %c0 to %steps step %c1 {
    scf.parallel (%chunk) = (%c0) to (%chunks) step (%c1) {
      memref.store %step, %array[%chunk] : memref<4xindex>
      scf.reduce
    } {comb.schedule = "interleaved"}
  }
  return
}

// -----

// Names that are taken stay. Loops inside loops are regions of their own.

// CHECK-LABEL: func.func private @nested_chunk_2_chunk(
// CHECK:         vector<4xi64> to vector<4xindex>
// CHECK:         "test.use"
// CHECK-LABEL: func.func private @nested_chunk_2(
// CHECK:         call @comb_runtime_run_chunks
// CHECK-LABEL: func.func @nested(
func.func @nested_chunk() {
  return
}
func.func @nested(%array: memref<index>, %x: vector<4xindex>, %y: f16, %chunks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%chunks) step (%c1) {
    scf.parallel (%j) = (%c0) to (%i) step (%c1) {
      "test.use"(%x, %y, %array, %j) : (vector<4xindex>, f16, memref<index>, index) -> ()
      scf.reduce
    } {comb.schedule = "contiguous"}
    scf.reduce
  } {comb.schedule = "contiguous"}
  return
}

// -----

// Other loops stay as they are.

// CHECK-LABEL: func.func @other(
// CHECK-NOT:     @comb_runtime_run_chunks
// CHECK:         scf.parallel
// CHECK-NOT:     @comb_runtime_run_chunks
func.func @other(%array: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %i, %array[%i] : memref<?xindex>
    scf.reduce
  }
  return
}
