// When checks run.

// S3: the branch that is not taken does not fail.
// RUN: comb run %s --entry branch --target interp -i x=iota:i32[4] -i i=9 -i c=false | FileCheck %s --check-prefix=branch
// RUN: comb run %s --entry branch --target cpu -i x=iota:i32[4] -i i=9 -i c=false | FileCheck %s --check-prefix=branch
// RUN: not comb run %s --entry branch --target interp -i x=iota:i32[4] -i i=9 -i c=true 2>&1 | FileCheck %s --check-prefix=taken
// RUN: not comb run %s --entry branch --target cpu -i x=iota:i32[4] -i i=9 -i c=true 2>&1 | FileCheck %s --check-prefix=taken
// branch: result: i32 = -1
// taken: error: {{.*}}errors.mlir:[[@LINE+4]]:{{[0-9]+}}: 'tensor.extract' op index 9 is out of range [0, 4) in dimension 0
func.func @branch(%x: tensor<?xi32>, %i: index, %c: i1) -> i32 {
  %minus = arith.constant -1 : i32
  %r = scf.if %c -> i32 {
    %e = tensor.extract %x[%i] : tensor<?xi32>
    scf.yield %e : i32
  } else {
    scf.yield %minus : i32
  }
  return %r : i32
}

// S3: of several checks that fail, one is reported.
// RUN: not comb run %s --entry several --target interp -i x=iota:i32[4] -i i=9 -i zero=0 2>&1 | FileCheck %s --check-prefix=several
// RUN: not comb run %s --entry several --target cpu -i x=iota:i32[4] -i i=9 -i zero=0 2>&1 | FileCheck %s --check-prefix=several
// several: error: {{.*}}{{'tensor.extract' op index 9 is out of range|'arith.divsi' op division by zero}}
// several-NOT: error
func.func @several(%x: tensor<?xi32>, %i: index, %zero: i32) -> (i32, i32) {
  %e = tensor.extract %x[%i] : tensor<?xi32>
  %one = arith.constant 1 : i32
  %q = arith.divsi %one, %zero : i32
  return %e, %q : i32, i32
}

// S4: an op whose results are used keeps its errors, in the interpreter and
// compiled with any optimisation, even if its values do not matter.
// RUN: not comb run %s --entry used --target interp -i x=iota:i32[4] -i zero=0 2>&1 | FileCheck %s --check-prefix=used
// RUN: not comb run %s --entry used --target cpu -i x=iota:i32[4] -i zero=0 2>&1 | FileCheck %s --check-prefix=used
// RUN: not comb run %s --entry used --target interp -i x=iota:i32[4] -i zero=0 -O0 2>&1 | FileCheck %s --check-prefix=used
// RUN: not comb run %s --entry used --target cpu -i x=iota:i32[4] -i zero=0 -O0 2>&1 | FileCheck %s --check-prefix=used
// RUN: not comb run %s --entry used --target interp -i x=iota:i32[4] -i zero=0 -O3 2>&1 | FileCheck %s --check-prefix=used
// RUN: not comb run %s --entry used --target cpu -i x=iota:i32[4] -i zero=0 -O3 2>&1 | FileCheck %s --check-prefix=used
// RUN: comb run %s --entry used --target interp -i x=iota:i32[4] -i zero=2 | FileCheck %s --check-prefix=used_well
// RUN: comb run %s --entry used --target cpu -i x=iota:i32[4] -i zero=2 | FileCheck %s --check-prefix=used_well
// used: error: {{.*}}'arith.remsi' op {{.*}}zero
// used_well: result: tensor<4xi32> = [0 1 0 1]
func.func @used(%x: tensor<?xi32>, %zero: i32) -> tensor<?xi32> {
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %q = arith.remsi %a, %zero : i32
    soac.yield %q : i32
  }
  return %y : tensor<?xi32>
}

// S6: a recursion without end, called by several threads, in an executable, and from a lambda.
// RUN: not comb run %s --entry endless --target interp -i x=iota:i32[9] -i down=0 2>&1 | FileCheck %s --check-prefix=too_deep
// RUN: not comb run %s --entry endless --target cpu -i x=iota:i32[9] -i down=0 2>&1 | FileCheck %s --check-prefix=endless
// RUN: not comb run %s --entry endless --target cpu -i x=iota:i32[90000] -i down=0 --threads 3 2>&1 | FileCheck %s --check-prefix=endless
// RUN: comb build %s --entry endless --emit executable -o %t-endless > %t.built
// RUN: not %t-endless -i x=iota:i32[9] -i down=0 2>&1 | FileCheck %s --check-prefix=endless
// RUN: comb run %s --entry endless --target interp -i x=iota:i32[9] -i down=1 | FileCheck %s --check-prefix=ends
// RUN: comb run %s --entry endless --target cpu -i x=iota:i32[9] -i down=1 | FileCheck %s --check-prefix=ends
// too_deep: error: {{.*}}errors.mlir:[[@LINE+4]]:{{[0-9]+}}: more than 10000 calls and regions in each other
// endless: error: {{.*}}errors.mlir:[[@LINE+12]]:{{[0-9]+}}: 'func.call' op recursion is too deep for the stack
// endless-NOT: error
// ends: result: tensor<9xi32> = [ 0  1  3  6 10 15 21 28 36]
func.func private @sum(%n: i32, %down: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %is_zero = arith.cmpi eq, %n, %zero : i32
  %flag = arith.cmpi ne, %down, %zero : i32
  %ends = arith.andi %is_zero, %flag : i1
  %r = scf.if %ends -> i32 {
    scf.yield %zero : i32
  } else {
    %m = arith.subi %n, %down : i32
    %s = func.call @sum(%m, %down) : (i32, i32) -> i32
    %t = arith.addi %s, %n : i32
    scf.yield %t : i32
  }
  return %r : i32
}
func.func @endless(%x: tensor<?xi32>, %down: i32) -> tensor<?xi32> {
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %s = func.call @sum(%a, %down) : (i32, i32) -> i32
    soac.yield %s : i32
  }
  return %y : tensor<?xi32>
}

// S41
// RUN: comb run %s --entry loop --target interp -i from=-3 -i to=4 -i step=2 | FileCheck %s --check-prefix=loop
// RUN: comb run %s --entry loop --target cpu -i from=-3 -i to=4 -i step=2 | FileCheck %s --check-prefix=loop
// RUN: comb run %s --entry loop --target interp -i from=4 -i to=-3 -i step=2 | FileCheck %s --check-prefix=no_rounds
// RUN: comb run %s --entry loop --target cpu -i from=4 -i to=-3 -i step=2 | FileCheck %s --check-prefix=no_rounds
// RUN: not comb run %s --entry loop --target interp -i from=0 -i to=4 -i step=0 2>&1 | FileCheck %s --check-prefix=step_zero
// RUN: not comb run %s --entry loop --target cpu -i from=0 -i to=4 -i step=0 2>&1 | FileCheck %s --check-prefix=step_zero
// RUN: not comb run %s --entry loop --target interp -i from=4 -i to=0 -i step=-1 2>&1 | FileCheck %s --check-prefix=step_back
// RUN: not comb run %s --entry loop --target cpu -i from=4 -i to=0 -i step=-1 2>&1 | FileCheck %s --check-prefix=step_back
// loop: result: index = 4
// no_rounds: result: index = 0
// step_zero: error: {{.*}}'scf.for' op step 0 is not positive
// step_back: error: {{.*}}'scf.for' op step -1 is not positive
func.func @loop(%from: index, %to: index, %step: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = scf.for %i = %from to %to step %step iter_args(%count = %zero) -> index {
    %next = arith.addi %count, %one : index
    scf.yield %next : index
  }
  return %n : index
}
