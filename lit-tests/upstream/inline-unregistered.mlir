// The inliner crashes at an op that is not registered and has a region.
// `comb-check-program` is there for that.

// RUN: not --crash %mlir_opt %s --allow-unregistered-dialect --inline
"mine.region"() ({
  "mine.yield"() : () -> ()
}) : () -> ()
