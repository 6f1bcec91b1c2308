// What files and the interface of functions know.

// S43, S44: every element type of the interface goes through a file, and
// `bf16` is read from and written to two raw bytes.
// RUN: comb run %s --entry all -i a=iota:i8[3] -i b=iota:bf16[3] -i c=ones:i1[3] -i d=iota:index[3] -i e=iota:f16[3] -o result0=%t.a.npy -o result1=%t.b.npy -o result2=%t.c.npy -o result3=%t.d.npy -o result4=%t.e.npy
// RUN: comb run %s --entry all --target cpu -i a=%t.a.npy -i b=%t.b.npy -i c=%t.c.npy -i d=%t.d.npy -i e=%t.e.npy | FileCheck %s --check-prefix=all
// RUN: comb run %s --entry all --target interp -i a=%t.a.npy -i b=%t.b.npy -i c=%t.c.npy -i d=%t.d.npy -i e=%t.e.npy | FileCheck %s --check-prefix=all
// RUN: not comb run %s --entry all -i a=%t.b.npy -i b=%t.b.npy -i c=%t.c.npy -i d=%t.d.npy -i e=%t.e.npy 2>&1 | FileCheck %s --check-prefix=wrong
// RUN: grep -a -c "'|i1'" %t.a.npy
// RUN: grep -a -c "'<V2'" %t.b.npy
// RUN: grep -a -c "'|b1'" %t.c.npy
// RUN: grep -a -c "'<i8'" %t.d.npy
// RUN: grep -a -c "'<f2'" %t.e.npy
// all: result0: tensor<3xi8> = [0 1 2]
// all-NEXT: result1: tensor<3xbf16> = [0.0 1.0 2.0]
// all-NEXT: result2: tensor<3xi1> = [true true true]
// all-NEXT: result3: tensor<3xindex> = [0 1 2]
// all-NEXT: result4: tensor<3xf16> = [0.0 1.0 2.0]
// wrong: error: {{.*}}b.npy
func.func @all(%a: tensor<?xi8>, %b: tensor<?xbf16>, %c: tensor<?xi1>, %d: tensor<?xindex>, %e: tensor<?xf16>)
    -> (tensor<?xi8>, tensor<?xbf16>, tensor<?xi1>, tensor<?xindex>, tensor<?xf16>) {
  return %a, %b, %c, %d, %e : tensor<?xi8>, tensor<?xbf16>, tensor<?xi1>, tensor<?xindex>, tensor<?xf16>
}

// S43: other widths are for the inside of a program.
// RUN: not comb run %s --entry @odd -i x=1 2>&1 | FileCheck %s --check-prefix=odd
// RUN: not comb run %s --entry @odd --target interp -i x=1 2>&1 | FileCheck %s --check-prefix=odd
// odd: error: {{.*}}i3
func.func private @odd(%x: i3) -> i3 {
  return %x : i3
}
