// Code is for the CPU that is named, but passes take the machine to be what the program says.

// RUN: split-file %s %t

// A CPU can be named to run for, too. What this one has no instructions for is refused before anything is
// compiled: no CPU has had XOP since 2017.
// RUN: comb run %t/plain.mlir --cpu x86-64 -i x=[3,1,4,1,5] | FileCheck %s --check-prefix=SHOWN
// RUN: comb run %t/plain.mlir --cpu native -i x=[3,1,4,1,5] | FileCheck %s --check-prefix=SHOWN
// RUN: comb run %t/plain.mlir --cpu x86-64 -i x=[3,1,4,1,5] --print-asm=%t/narrow.s
// RUN: FileCheck %s --check-prefix=NARROW --input-file %t/narrow.s
// RUN: not comb run %t/plain.mlir --cpu bdver1 -i x=[1] 2>&1 | FileCheck %s --check-prefix=NOT-HERE
// RUN: not comb run %t/plain.mlir --cpu z80 -i x=[1] 2>&1 | FileCheck %s --check-prefix=NO-CPU
// RUN: not comb build %t/plain.mlir --cpu z80 -o %t/plain.o 2>&1 | FileCheck %s --check-prefix=NO-CPU

// RUN: comb build %t/plain.mlir --cpu haswell -o %t/plain.ll
// RUN: FileCheck %s --check-prefix=TABLE --input-file %t/plain.ll
// RUN: comb build %t/given.mlir --cpu haswell -o %t/given.ll
// RUN: FileCheck %s --check-prefix=NO-TABLE --input-file %t/given.ll
// RUN: comb run %t/given.mlir -i x=[3,1,4,1,5] | FileCheck %s --check-prefix=SHOWN
// RUN: comb build %t/plain.mlir --cpu haswell --emit mlir -o - | FileCheck %s --check-prefix=MLIR

// Fewer registers, and tiles are smaller, whatever the options say.
// RUN: comb-opt %t/product.mlir --comb-cpu=cpu=znver4 --mlir-print-ir-after=nest-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=EIGHT-ROWS
// RUN: comb-opt %t/fewer.mlir --comb-cpu=cpu=znver4 --mlir-print-ir-after=nest-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOUR-ROWS

// What the program wants to be used has to be there.
// RUN: not comb build %t/beyond.mlir --cpu x86-64 -o %t/beyond.o 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not comb run %t/invalid.mlir -i x=[1] 2>&1 | FileCheck %s --check-prefix=INVALID

// SHOWN: result: tensor<3xi32> = [3 4 5]
// NARROW-NOT: {{[yz]mm}}
// NOT-HERE: error: code for the CPU 'bdver1' does not run here: this one, {{.*}}, has no {{.*}}xop; leave out --cpu, name one whose instructions it has, or make a file by comb build --cpu
// EIGHT-ROWS: schedule = {chunk = {{.*}}, jam = 8 :
// FOUR-ROWS: schedule = {chunk = {{.*}}, jam = 4 :
// NO-CPU: error: LLVM has no CPU 'z80' for {{.*}}; `llc -march={{.*}} -mcpu=help` lists them
// TABLE: llvm.x86.avx2.permd
// NO-TABLE-NOT: llvm.x86.avx2.permd
// MLIR: comb.machine = {{{.*}}cpu = "haswell",
// BEYOND: beyond.mlir:1:1: error: 'comb.machine' has 'permutes', but 'x86-64', which code is made for, has no such instructions; name another one by --cpu, or set 'permutes' to false
// INVALID: invalid.mlir:1:1: error: 'comb.machine': there is no fact 'registers'; there are

//--- plain.mlir
module {
  func.func @large(%x: tensor<?xi32>) -> tensor<?xi32> {
    %c2 = arith.constant 2 : i32
    %y = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
      %is = arith.cmpi sgt, %a, %c2 : i32
      soac.yield %is : i1
    }
    return %y : tensor<?xi32>
  }
}

//--- given.mlir
module attributes {comb.machine = {cpu = "haswell", permutes = false}} {
  func.func @large(%x: tensor<?xi32>) -> tensor<?xi32> {
    %c2 = arith.constant 2 : i32
    %y = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
      %is = arith.cmpi sgt, %a, %c2 : i32
      soac.yield %is : i1
    }
    return %y : tensor<?xi32>
  }
}

//--- beyond.mlir
module attributes {comb.machine = {cpu = "haswell"}} {
  func.func @f(%x: tensor<?xi32>) -> tensor<?xi32> {
    return %x : tensor<?xi32>
  }
}

//--- invalid.mlir
module attributes {comb.machine = {cpu = "haswell", registers = 8}} {
  func.func @f(%x: tensor<?xi32>) -> tensor<?xi32> {
    return %x : tensor<?xi32>
  }
}

//--- product.mlir
module {
  func.func @product(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
    %ab = linalg.matmul ins(%a, %b : tensor<?x?xi32>, tensor<?x?xi32>)
        outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
    return %ab : tensor<?x?xi32>
  }
}

//--- fewer.mlir
module attributes {comb.machine = {cpu = "znver4", vector_registers = 8}} {
  func.func @product(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
    %ab = linalg.matmul ins(%a, %b : tensor<?x?xi32>, tensor<?x?xi32>)
        outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
    return %ab : tensor<?x?xi32>
  }
}
