// Reads memory, which was perhaps written before.
func.func @main(%written: i1) -> (i32 {soac.name = "r"}) {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %room = memref.alloc() : memref<16xi32>
  scf.if %written {
    memref.store %seven, %room[%c0] : memref<16xi32>
  }
  %r = memref.load %room[%c0] : memref<16xi32>
  return %r : i32
}
