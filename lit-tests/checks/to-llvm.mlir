// RUN: comb-opt %s -convert-soac-checks-to-llvm | FileCheck %s

// A check is a branch to a function that does not return; one constant for each
// message.

// CHECK: llvm.mlir.global private constant @comb_message_0("unknown location: one {} two {} three\00")
// CHECK-SAME: dso_local
// CHECK: llvm.mlir.global private constant @comb_message_2("unknown location: {{[{][{]}}x} \\ \22{}\22 {{[{][{]}}\00")
// CHECK: llvm.func @comb_runtime_fail(!llvm.ptr, !llvm.ptr, i64) attributes {no_inline, passthrough = ["cold", "noreturn"]}

// CHECK: llvm.func private @comb_fail_with_1
// CHECK: llvm.func private @comb_fail_with_2(%[[MESSAGE:.*]]: !llvm.ptr, %[[FIRST:.*]]: i64, %[[SECOND:.*]]: i64) attributes {no_inline, passthrough = ["cold", "noreturn"]}
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: %[[VALUES:.*]] = llvm.alloca %[[COUNT]] x i64
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[VALUES]][0]
// CHECK: llvm.store %[[FIRST]], %[[SLOT]]
// CHECK: llvm.getelementptr %[[VALUES]][1]
// CHECK: llvm.call @comb_runtime_fail(%[[MESSAGE]], %[[VALUES]], %[[COUNT]])
// CHECK: llvm.unreachable

llvm.func @comb_message_1()

// CHECK-LABEL: func @checks
// CHECK-SAME: %[[C:.*]]: i1, %[[N:.*]]: index
func.func @checks(%c: i1, %n: index) {
  // CHECK: %[[FAILS:.*]] = arith.xori %[[C]]
  // CHECK: scf.if %[[FAILS]] {
  // CHECK: %[[TEXT:.*]] = llvm.mlir.addressof @comb_message_0
  // CHECK: %[[A:.*]] = arith.index_cast %[[N]] : index to i64
  // CHECK: %[[B:.*]] = arith.index_cast %[[N]] : index to i64
  // CHECK: llvm.call @comb_fail_with_2(%[[TEXT]], %[[A]], %[[B]])
  // CHECK: }
  soac.check %c, "one {} two {} three" (%n, %n) loc(unknown)
  // CHECK: llvm.mlir.addressof @comb_message_0
  soac.check %c, "one {} two {} three" (%n, %n) loc(unknown)
  // The name comb_message_1 is taken. Braces that are not placeholders are
  // doubled.
  // CHECK: llvm.mlir.addressof @comb_message_2
  // CHECK: llvm.call @comb_fail_with_1
  soac.check %c, "{x} \\ \"{}\" {" (%n) loc(unknown)
  return
}

// CHECK-NOT: soac.check
