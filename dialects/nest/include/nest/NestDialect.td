//===- NestDialect.td - The nest dialect: types and base classes ----------===//

#ifndef NEST_DIALECT_TD
#define NEST_DIALECT_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "soac/SoacDialect.td"

def Nest_Dialect : Dialect {
  let name = "nest";
  let cppNamespace = "::nest";
  let summary = "Loop nests of combinators, for no machine";
  let description = [{
    What one cluster of combinators does, as explicit loops over scalars. It is the
    level between fusion and machine code: which loops there are, what each reads and
    writes, and what goes from one iteration to the next is explicit; how a machine
    runs them (threads, vectors, blocks) is not.

    A `nest.kernel` holds loops. An element of an array is read by `nest.read` and
    written by `nest.write`. What goes from one iteration of a `nest.loop` to the next
    is *carried*, and only ops that combine may change it: `nest.fold` and `nest.scan`
    (with operator and neutral element), `nest.keep` (the number of elements that a
    filter has kept), `nest.write` and `nest.scatter` (arrays that are being made), and
    loops inside. So no loop has dependences but those that a target knows how to
    break: every loop may be cut into parts that run at once, whose folds and scans are
    combined, and whose writes are to different places.

    **Forms.** In the *value form*, arrays are tensors: a write gives a new array, and
    the arrays that a kernel makes are carried in destination style. In the *memory
    form*, what is written is a memref: a write gives nothing, and nothing carries it.
    The ops are the same.

    **Carried values** are used in turn: a block argument for something carried, and
    each value that is made of it, is used by exactly one op that changes it, or by the
    `nest.yield` that hands it on, at the same place. Before that use, and not after it,
    the elements of an array may be read.

    The reference semantics is sequential: iterations run in the order of their index.
  }];
  let useDefaultAttributePrinterParser = 0;
}

defvar Nest_Scalar = Soac_Element;

def Nest_Array : AnyTypeOf<[Soac_Array, MemRefOf<[Soac_Element]>],
    "array (ranked tensor without encoding, or memref)">;

def Nest_Carried : AnyTypeOf<[Soac_Element, Soac_Array],
    "scalar or array (ranked tensor without encoding)">;

// Verification of every op is a Rust function (see src/verify.rs).
class Nest_Op<string mnemonic, list<Trait> traits = []>
    : Op<Nest_Dialect, mnemonic, traits> {
  let hasVerifier = 1;
  code verifyDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::nest::bridge::verify(*this);
    }
  }];
  code verifyRegionsDefinition = [{
    ::llvm::LogicalResult $cppClass::verifyRegions() {
      return ::nest::bridge::verify(*this);
    }
  }];
  code canonicalizationDefinition = [{
    void $cppClass::getCanonicalizationPatterns(
        ::mlir::RewritePatternSet &patterns, ::mlir::MLIRContext *) {
      ::nest::bridge::populateCanonicalizations(getOperationName(), patterns);
    }
  }];
  let extraClassDefinition = verifyDefinition;
}

// Printed programs call the indices of loops i, j, k, ….
def Nest_ArgumentNames : DeclareOpInterfaceMethods<OpAsmOpInterface,
    ["getAsmBlockArgumentNames"]>;

// An op that reads or writes memory if its arrays are memrefs.
class Nest_AccessOp<string mnemonic, list<Trait> traits = []>
    : Nest_Op<mnemonic, !listconcat(
          [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)>;

// An op whose effects are those of its body. What is in the body is verified first, so that the
// verifier of the op may look at it.
class Nest_BodyOp<string mnemonic, list<Trait> traits = []>
    : Nest_Op<mnemonic, !listconcat(
          [SingleBlock, RecursiveMemoryEffects], traits)> {
  let hasVerifier = 0;
  let hasRegionVerifier = 1;
  let extraClassDefinition = verifyRegionsDefinition;
}

// An op whose body carries values.
class Nest_CarryingOp<string mnemonic, list<Trait> traits = []>
    : Nest_BodyOp<mnemonic, traits> {
  let hasCanonicalizer = 1;
  let extraClassDefinition =
      !strconcat(verifyRegionsDefinition, canonicalizationDefinition);
}

#endif // NEST_DIALECT_TD
