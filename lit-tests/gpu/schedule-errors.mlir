// RUN: comb-opt %s --split-input-file --verify-diagnostics

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'gpu' needs a 'level': "grid", "team", "sequential" or "single"}}
    nest.loop attributes {gpu = {team = "warp"}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'gpu' has "device" for 'level', expected "grid", "team", "sequential" or "single"}}
    nest.loop attributes {gpu = {level = "device"}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'gpu' has 3 : i64 for 'axis', expected 0, 1 or 2}}
    nest.loop attributes {gpu = {level = "grid", axis = 3 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'gpu' has 2048 : i64 for 'threads', expected 1 to 1024}}
    nest.loop attributes {gpu = {level = "grid", threads = 2048 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'gpu' has "cluster" for 'team', expected "thread", "warp" or "block"}}
    nest.loop attributes {gpu = {level = "grid", team = "cluster"}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'gpu' has 'threads', which only a loop of level "grid" has}}
    nest.loop attributes {gpu = {level = "team", threads = 32 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'gpu' has no entry 'width': there are 'level', and for a grid 'axis', 'blocks', 'part', 'tables', 'team', 'threads', 'unroll' and 'warp'}}
    nest.loop attributes {gpu = {level = "grid", width = 4 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}

// -----

func.func @f(%n: index) {
  nest.kernel {
    // expected-error @below {{'nest.loop' op 'gpu' has 0 : i64 for 'unroll', expected 1 to 32}}
    nest.loop attributes {gpu = {level = "grid", unroll = 0 : i64}} %i to %n {
      nest.yield
    }
    nest.yield
  }
  return
}
