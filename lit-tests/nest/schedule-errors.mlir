// RUN: comb-opt %s --split-input-file --verify-diagnostics

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'schedule' has no entry 'width': there are 'accumulators', 'ahead', 'blocks', 'buckets', 'buckets_over', 'chunk', 'fetch', 'jam', 'lanes', 'pack', 'pack_over', 'split', 'stream', 'tables' and 'wavefront'}}
    nest.loop attributes {schedule = {width = 4 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'schedule' has 12 : i64 for 'lanes', expected a power of two}}
    nest.loop attributes {schedule = {lanes = 12 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'schedule' has "many" for 'accumulators', expected a power of two}}
    nest.loop attributes {schedule = {accumulators = "many"}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'schedule' has 0 : i64 for 'chunk', expected a positive number}}
    nest.loop attributes {schedule = {chunk = 0 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'schedule' has 2048 lanes in all accumulators together, expected 1024 at most}}
    nest.loop attributes {schedule = {accumulators = 2 : i64, lanes = 1024 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'schedule' jams 100 iterations, expected 64 at most}}
    nest.loop attributes {schedule = {jam = 100 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'schedule' has -1 : i64 for 'stream', expected 0 or a positive number}}
    nest.loop attributes {schedule = {stream = -1 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'schedule' has 12 : i64 for 'buckets', expected a power of two}}
    nest.loop attributes {schedule = {buckets = 12 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'schedule' has buckets of 131072 places, expected 65536 at most}}
    nest.loop attributes {schedule = {buckets = 131072 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'schedule' has -1 : i64 for 'tables', expected 0 or a positive number}}
    nest.loop attributes {schedule = {tables = -1 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}
