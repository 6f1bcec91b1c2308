// Arrays on the command line, through standard input and output, and in archives.

// RUN: comb run %s -i 'x=[[1, -2.5], [nan, inf]]' -i 'b=[true, false]' | FileCheck %s --check-prefix=LITERAL
// LITERAL:      result0: tensor<2x2xf32> =
// LITERAL-NEXT: {{\[\[}} 1.0 -2.5]
// LITERAL-NEXT: [ nan inf]]
// LITERAL-NEXT: result1: tensor<2xi1> = [ true false]
// RUN: comb run %s -i 'x=[[], []]' -i 'b=[]' | FileCheck %s --check-prefix=EMPTY
// EMPTY:      result0: tensor<2x0xf32> = []
// EMPTY-NEXT: result1: tensor<0xi1> = []

// RUN: comb run %s -i 'x=[[1, 2]]' -i b=[true] -o result0=- 2>%t.err > %t.npy
// RUN: FileCheck %s --check-prefix=REPORT --input-file %t.err
// REPORT: result0: tensor<1x2xf32> written
// REPORT: result1: tensor<1xi1> = [true]
// RUN: comb run %s -i x=- -i b=[true] < %t.npy | FileCheck %s --check-prefix=STREAM
// RUN: cat %t.npy | comb run %s -i x=- -i b=[true] --target interp | FileCheck %s --check-prefix=STREAM
// RUN: comb build %s -o %t.exe --emit executable
// RUN: cat %t.npy | %t.exe -i x=- -i b=[true] -o result0=- 2>/dev/null | %t.exe -i x=- -i b=[true] | FileCheck %s --check-prefix=STREAM
// STREAM: result0: tensor<1x2xf32> = {{\[\[}}1.0 2.0]]
// RUN: not comb run %s -i x=- -i b=- < %t.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not comb run - -i x=- -i b=[true] < %s 2>&1 | FileCheck %s --check-prefix=PROGRAM
// TWICE: error: standard input can be read once: for 'x', or for 'b'
// PROGRAM: error: standard input can be read once: for 'the program', or for 'x'
// RUN: not comb run %s -i x=- -i b=[true] < %s 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: '-' is not a .npy file

// RUN: %python %S/Inputs/archive.py %t %t.npy
// RUN: comb run %s -i x=%t.stored.npz:x -i b=[true] | FileCheck %s --check-prefix=STREAM
// RUN: comb run %s -i x=%t.packed.npz:x.npy -i b=[true] | FileCheck %s --check-prefix=STREAM
// RUN: %t.exe -i x=%t.one.npz -i b=[true] | FileCheck %s --check-prefix=STREAM
// RUN: not comb run %s -i x=%t.stored.npz -i b=[true] 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not comb run %s -i x=%t.stored.npz:z -i b=[true] 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not comb run %s -i x=%t.damaged.npz -i b=[true] 2>&1 | FileCheck %s --check-prefix=DAMAGED
// RUN: not comb run %s -i x=%t.cut.npz -i b=[true] 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: not comb run %s -i x=%t.missing.npz:x -i b=[true] 2>&1 | FileCheck %s --check-prefix=MISSING
// WHICH: error: '{{.*}}.stored.npz' is an archive; write {{.*}}.stored.npz:NAME, where NAME is one of: x, y
// NONE: error: '{{.*}}.stored.npz' has no array 'z'; its arrays are: x, y
// DAMAGED: error: cannot read '{{.*}}.damaged.npz:x': Invalid checksum
// CUT: error: '{{.*}}.cut.npz' is no .npz archive that can be read: it is damaged or cut short (Could not find EOCD)
// MISSING: error: cannot read '{{.*}}.missing.npz': No such file or directory

func.func @main(%x: tensor<?x?xf32>, %b: tensor<?xi1>) -> (tensor<?x?xf32>, tensor<?xi1>) {
  return %x, %b : tensor<?x?xf32>, tensor<?xi1>
}
