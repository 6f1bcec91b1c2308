// RUN: comb-opt %s -convert-soac-checks-to-llvm -split-input-file -verify-diagnostics

// expected-error @below {{'comb_runtime_fail' is a name of the runtime library}}
module {
  func.func private @comb_runtime_fail()
  func.func @check(%c: i1) {
    soac.check %c, "something"
    return
  }
}
