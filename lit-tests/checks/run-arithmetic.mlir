// S28, S30, S31, S32, S34: What arithmetic gives where C and LLVM leave it open.

// RUN: comb-opt %s -comb-cpu | mlir-runner -e main --entry-point-result=void --shared-libs=%shlibs | FileCheck %s

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @show(%x: tensor<?xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %x, %zero : tensor<?xi64>
  scf.for %i = %zero to %n step %one {
    %e = tensor.extract %x[%i] : tensor<?xi64>
    func.call @printI64(%e) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  return
}

func.func private @show_i8(%x: tensor<?xi8>) {
  %wide = arith.extsi %x : tensor<?xi8> to tensor<?xi64>
  call @show(%wide) : (tensor<?xi64>) -> ()
  return
}

func.func private @show_i32(%x: tensor<?xi32>) {
  %wide = arith.extsi %x : tensor<?xi32> to tensor<?xi64>
  call @show(%wide) : (tensor<?xi64>) -> ()
  return
}

// Private functions are not inlined before LLVM sees them, so that nothing is
// computed when the program is compiled.
func.func private @divide(%a: tensor<?xi8>, %b: tensor<?xi8>) {
  %0 = arith.divsi %a, %b : tensor<?xi8>
  call @show_i8(%0) : (tensor<?xi8>) -> ()
  %1 = arith.remsi %a, %b : tensor<?xi8>
  call @show_i8(%1) : (tensor<?xi8>) -> ()
  %2 = arith.ceildivsi %a, %b : tensor<?xi8>
  call @show_i8(%2) : (tensor<?xi8>) -> ()
  %3 = arith.floordivsi %a, %b : tensor<?xi8>
  call @show_i8(%3) : (tensor<?xi8>) -> ()
  return
}

func.func private @shift(%a: tensor<?xi8>, %b: tensor<?xi8>) {
  %0 = arith.shli %a, %b : tensor<?xi8>
  call @show_i8(%0) : (tensor<?xi8>) -> ()
  %1 = arith.shrui %a, %b : tensor<?xi8>
  call @show_i8(%1) : (tensor<?xi8>) -> ()
  %2 = arith.shrsi %a, %b : tensor<?xi8>
  call @show_i8(%2) : (tensor<?xi8>) -> ()
  return
}

func.func private @convert(%x: tensor<?xf32>) {
  %0 = arith.fptosi %x : tensor<?xf32> to tensor<?xi8>
  call @show_i8(%0) : (tensor<?xi8>) -> ()
  %1 = arith.fptoui %x : tensor<?xf32> to tensor<?xi8>
  call @show_i8(%1) : (tensor<?xi8>) -> ()
  %2 = arith.fptosi %x : tensor<?xf32> to tensor<?xi64>
  call @show(%2) : (tensor<?xi64>) -> ()
  %3 = arith.fptoui %x : tensor<?xf32> to tensor<?xi64>
  call @show(%3) : (tensor<?xi64>) -> ()
  return
}

func.func private @convert_half(%x: tensor<?xf16>) {
  %0 = arith.fptosi %x : tensor<?xf16> to tensor<?xi32>
  call @show_i32(%0) : (tensor<?xi32>) -> ()
  return
}

func.func private @one_bit(%a: tensor<?xi1>) {
  %0 = arith.divsi %a, %a : tensor<?xi1>
  %1 = arith.extsi %0 : tensor<?xi1> to tensor<?xi8>
  call @show_i8(%1) : (tensor<?xi8>) -> ()
  %2 = arith.remsi %a, %a : tensor<?xi1>
  %3 = arith.extsi %2 : tensor<?xi1> to tensor<?xi8>
  call @show_i8(%3) : (tensor<?xi8>) -> ()
  return
}

func.func @main() {
  %a = arith.constant dense<[-128, -128, -7, 7]> : tensor<4xi8>
  %b = arith.constant dense<[-1, 1, 2, -2]> : tensor<4xi8>
  %ad = tensor.cast %a : tensor<4xi8> to tensor<?xi8>
  %bd = tensor.cast %b : tensor<4xi8> to tensor<?xi8>
  // CHECK: -128
  // CHECK-NEXT: -128
  // CHECK-NEXT: -3
  // CHECK-NEXT: -3
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: -1
  // CHECK-NEXT: 1
  // CHECK-NEXT: -128
  // CHECK-NEXT: -128
  // CHECK-NEXT: -3
  // CHECK-NEXT: -3
  // CHECK-NEXT: -128
  // CHECK-NEXT: -128
  // CHECK-NEXT: -4
  // CHECK-NEXT: -4
  call @divide(%ad, %bd) : (tensor<?xi8>, tensor<?xi8>) -> ()

  %c = arith.constant dense<[-128, -127, 127, -1, 1]> : tensor<5xi8>
  %n = arith.constant dense<[7, 8, 100, -1, 3]> : tensor<5xi8>
  %cd = tensor.cast %c : tensor<5xi8> to tensor<?xi8>
  %nd = tensor.cast %n : tensor<5xi8> to tensor<?xi8>
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 8
  // CHECK-NEXT: 1
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: -1
  // CHECK-NEXT: -1
  // CHECK-NEXT: 0
  // CHECK-NEXT: -1
  // CHECK-NEXT: 0
  call @shift(%cd, %nd) : (tensor<?xi8>, tensor<?xi8>) -> ()

  // NaN, both infinities, beyond i64 and u64, just inside and outside of i8.
  %x = arith.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 1.0e+19, -128.9, 127.9, -0.9, 300.5]> : tensor<8xf32>
  %xd = tensor.cast %x : tensor<8xf32> to tensor<?xf32>
  // CHECK-NEXT: 0
  // CHECK-NEXT: 127
  // CHECK-NEXT: -128
  // CHECK-NEXT: 127
  // CHECK-NEXT: -128
  // CHECK-NEXT: 127
  // CHECK-NEXT: 0
  // CHECK-NEXT: 127
  //
  // Printed as signed numbers, so that -1 is 255.
  // CHECK-NEXT: 0
  // CHECK-NEXT: -1
  // CHECK-NEXT: 0
  // CHECK-NEXT: -1
  // CHECK-NEXT: 0
  // CHECK-NEXT: 127
  // CHECK-NEXT: 0
  // CHECK-NEXT: -1
  //
  // CHECK-NEXT: 0
  // CHECK-NEXT: 9223372036854775807
  // CHECK-NEXT: -9223372036854775808
  // CHECK-NEXT: 9223372036854775807
  // CHECK-NEXT: -128
  // CHECK-NEXT: 127
  // CHECK-NEXT: 0
  // CHECK-NEXT: 300
  //
  // CHECK-NEXT: 0
  // CHECK-NEXT: -1
  // CHECK-NEXT: 0
  // CHECK-NEXT: -8446744093203103744
  // CHECK-NEXT: 0
  // CHECK-NEXT: 127
  // CHECK-NEXT: 0
  // CHECK-NEXT: 300
  call @convert(%xd) : (tensor<?xf32>) -> ()

  %h = arith.constant dense<[0x7E00, 0x7C00, 0xFC00, 65504.0, -65504.0]> : tensor<5xf16>
  %hd = tensor.cast %h : tensor<5xf16> to tensor<?xf16>
  // CHECK-NEXT: 0
  // CHECK-NEXT: 2147483647
  // CHECK-NEXT: -2147483648
  // CHECK-NEXT: 65504
  // CHECK-NEXT: -65504
  call @convert_half(%hd) : (tensor<?xf16>) -> ()

  %t = arith.constant dense<true> : tensor<1xi1>
  %td = tensor.cast %t : tensor<1xi1> to tensor<?xi1>
  // CHECK-NEXT: -1
  // CHECK-NEXT: 0
  call @one_bit(%td) : (tensor<?xi1>) -> ()
  return
}
