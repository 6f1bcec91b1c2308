// An error that one of comb's passes finds is a located diagnostic, and mlir-opt
// ends with status 1.

// RUN: %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s \
// RUN:   --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(comb-cpu)'
// RUN: sh -c '%mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s \
// RUN:   --split-input-file --pass-pipeline="builtin.module(comb-cpu)" >%t.out 2>&1; echo status $?' \
// RUN:   | FileCheck %s --check-prefix=STATUS
// STATUS: status 1
// RUN: FileCheck %s --check-prefix=ERROR <%t.out
// ERROR: errors.mlir:[[@LINE+20]]:8: error: 'arith.divui' op is not defined on arrays

// Options that a pass or a pipeline does not have.
// RUN: not %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s \
// RUN:   --pass-pipeline='builtin.module(convert-soac-to-linalg{no-such-option=1})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PASS
// PASS: <Pass-Options-Parser>: no such option no-such-option
// RUN: not %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s \
// RUN:   --pass-pipeline='builtin.module(comb-cpu{no-such-option=1})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: no such option no-such-option

// A pass on the wrong kind of op.
// RUN: not %mlir_opt --load-dialect-plugin=%comb_plugin --load-pass-plugin=%comb_plugin %s \
// RUN:   --pass-pipeline='builtin.module(func.func(convert-soac-to-linalg))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: Can't add pass 'ConvertSoacToLinalg' restricted to 'builtin.module' on a PassManager intended to run on 'func.func'

func.func @other_elements(%x: tensor<4xi128>) -> tensor<4xi128> {
  // expected-error @below {{'arith.divui' op is not defined on arrays}}
  %y = arith.divui %x, %x : tensor<4xi128>
  return %y : tensor<4xi128>
}

// -----

// A function that takes the name of one of the runtime library's.
// expected-error @below {{'comb_runtime_fail' is a name of the runtime library}}
module {
  func.func @comb_runtime_fail(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
    %z = soac.map %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        (%a: f32, %b: f32) {
      soac.yield %a : f32
    }
    return %z : tensor<?xf32>
  }
}
