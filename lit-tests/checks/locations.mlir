// RUN: comb-opt %s -convert-soac-checks-to-llvm | FileCheck %s

// A message starts with the place in the program that the check comes from.

func.func @locations(%c: i1) {
  // CHECK: @comb_message_0("a.mlir:1:2: file
  soac.check %c, "file" loc("a.mlir":1:2)
  // CHECK: @comb_message_1("a.mlir:3:4 ('x'): name
  soac.check %c, "name" loc("x"("a.mlir":3:4))
  // CHECK: @comb_message_2("callee.mlir:5:6: call
  soac.check %c, "call" loc(callsite("callee.mlir":5:6 at "caller.mlir":7:8))
  // CHECK: @comb_message_3("caller.mlir:7:8: unknown callee
  soac.check %c, "unknown callee" loc(callsite(unknown at "caller.mlir":7:8))
  // CHECK: @comb_message_4("b.mlir:9:10: fused
  soac.check %c, "fused" loc(fused["x", "b.mlir":9:10, "c.mlir":1:1])
  // CHECK: @comb_message_5("unknown location: nowhere
  soac.check %c, "nowhere" loc(unknown)
  // A file name is no template.
  // CHECK: @comb_message_6("{{[{][{]}}}.mlir:1:1: braces
  soac.check %c, "braces" loc("{}.mlir":1:1)
  return
}
