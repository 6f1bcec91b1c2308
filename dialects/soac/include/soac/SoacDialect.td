//===- SoacDialect.td - The soac dialect: types, enums, base classes ------===//
//
// What every op definition shares: the dialect itself, the array and element
// types, and base classes that route verification, shape and type inference,
// folding and canonicalisation to their implementation in Rust.
//
//===----------------------------------------------------------------------===//

#ifndef SOAC_DIALECT_TD
#define SOAC_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Soac_Dialect : Dialect {
  let name = "soac";
  let cppNamespace = "::soac";
  let summary = "Second-order array combinators";
  let description = [{
    Arrays are ranked tensors with value semantics; a combinator builds whole
    arrays from arrays, with its element function in a region ("lambda") of
    scalar code. Regions may capture scalars, and arrays that they index with
    `tensor.extract`.

    Every combinator takes and returns *several arrays of one shape* (structure
    of arrays): an array of pairs is two arrays, and zipping costs nothing.

    Shapes may be static or dynamic. Whatever is known statically is checked by
    the verifier; the rest is checked when the program runs, and reported with
    the op, its location and the shapes.

    Sizes, offsets and strides are lists that mix constants and `index` values:
    `[%n, 4]`.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let useDefaultAttributePrinterParser = 0;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Soac_Integer : Type<
    And<[CPred<"::llvm::isa<::mlir::IntegerType>($_self)">,
         CPred<"::llvm::cast<::mlir::IntegerType>($_self).isSignless()">,
         CPred<"::llvm::cast<::mlir::IntegerType>($_self).getWidth() >= 1">,
         CPred<"::llvm::cast<::mlir::IntegerType>($_self).getWidth() <= 64">]>,
    "signless integer of 1 to 64 bits">;

def Soac_Element : AnyTypeOf<[Soac_Integer, Index, F16, BF16, F32, F64],
    "i1 to i64, index, f16, bf16, f32 or f64">;

def Soac_NoEncoding : CPred<
    "!::llvm::cast<::mlir::RankedTensorType>($_self).getEncoding()">;

class Soac_ArrayOf<Type element, string what>
    : RankedTensorOf<[element], [Soac_NoEncoding], what>;

def Soac_Array : Soac_ArrayOf<Soac_Element,
    "array (ranked tensor without encoding)">;

def Soac_IndexElement : AnyTypeOf<[I8, I16, I32, I64, Index],
    "i8, i16, i32, i64 or index">;

def Soac_IndexArray : Soac_ArrayOf<Soac_IndexElement,
    "array (ranked tensor without encoding)">;

def Soac_CountableElement : AnyTypeOf<[Soac_Integer, Index],
    "i1 to i64 or index">;

def Soac_CountableArray : Soac_ArrayOf<Soac_CountableElement,
    "array (ranked tensor without encoding)">;

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

def Soac_ExternalEffects : I32EnumAttr<"ExternalEffects",
    "what an external function does besides computing its results", [
      I32EnumAttrCase<"none", 0>,
      I32EnumAttrCase<"read", 1>,
      I32EnumAttrCase<"write", 2>,
      I32EnumAttrCase<"any", 3>
    ]> {
  let cppNamespace = "::soac";
}

//===----------------------------------------------------------------------===//
// Base classes
//===----------------------------------------------------------------------===//

// Verification of every op is a Rust function (see src/verify.rs).
class Soac_Op<string mnemonic, list<Trait> traits = []>
    : Op<Soac_Dialect, mnemonic, traits> {
  let hasVerifier = 1;

  // Definitions that each base class adds to.
  code verifyDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::soac::bridge::verify(*this);
    }
  }];
  code shapeDefinition = [{
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &builder,
        ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return ::soac::bridge::reifyResultShapes(*this, builder, shapes);
    }
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return ::soac::bridge::getSpeculatability(*this);
    }
  }];
  code canonicalizationDefinition = [{
    void $cppClass::getCanonicalizationPatterns(
        ::mlir::RewritePatternSet &patterns, ::mlir::MLIRContext *) {
      ::soac::bridge::populateCanonicalizations(getOperationName(), patterns);
    }
  }];
  let extraClassDefinition = verifyDefinition;
}

def Soac_InferTypes : DeclareOpInterfaceMethods<InferTypeOpInterface>;
def Soac_ReifyShapes : DeclareOpInterfaceMethods<
    ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>;
def Soac_Speculation : DeclareOpInterfaceMethods<ConditionallySpeculatable>;
def Soac_LambdaControlFlow : DeclareOpInterfaceMethods<RegionBranchOpInterface>;

// An op that computes arrays: result types and shapes are a function of
// operands, attributes and lambda; speculatable only if it cannot fail.
class Soac_ArrayOp<string mnemonic, list<Trait> traits = []>
    : Soac_Op<mnemonic, !listconcat(
          [Soac_InferTypes, Soac_ReifyShapes, Soac_Speculation], traits)> {
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                        ::mlir::TypeRange actual);

    // Result types are compared in verify(), which has better words for it.
    static ::llvm::LogicalResult refineReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location>,
        ::mlir::ValueRange, ::mlir::DictionaryAttr, ::mlir::OpaqueProperties,
        ::mlir::RegionRange, ::llvm::SmallVectorImpl<::mlir::Type> &) {
      return ::llvm::success();
    }
  }];

  code inferenceDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context,
        ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::soac::bridge::inferReturnTypes<$cppClass>(
          context, location, operands, attributes, properties, regions, types);
    }
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                            ::mlir::TypeRange actual) {
      return ::soac::bridge::areCompatible(inferred, actual);
    }
  }];
  let extraClassDefinition = !strconcat(
      verifyDefinition, shapeDefinition, inferenceDefinition,
      canonicalizationDefinition);
}

// An array op that folds to its operands, or constants, when nothing remains
// to be done.
class Soac_FoldableArrayOp<string mnemonic, list<Trait> traits = []>
    : Soac_ArrayOp<mnemonic, !listconcat([NoMemoryEffect], traits)> {
  let hasFolder = 1;

  code foldDefinition = [{
    ::llvm::LogicalResult $cppClass::fold(
        FoldAdaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &results) {
      return ::soac::bridge::fold(*this, adaptor.getOperands(), results);
    }
  }];
  let extraClassDefinition =
      !strconcat(verifyDefinition, shapeDefinition, inferenceDefinition,
                 canonicalizationDefinition, foldDefinition);
}

// An array op with a lambda: its effects are those of the lambda, which runs
// any number of times.
class Soac_LambdaOp<string mnemonic, list<Trait> traits = []>
    : Soac_ArrayOp<mnemonic, !listconcat(
          [SingleBlock, RecursiveMemoryEffects, Soac_LambdaControlFlow],
          traits)> {
  code controlFlowDefinition = [{
    void $cppClass::getSuccessorRegions(
        ::mlir::RegionBranchPoint,
        ::llvm::SmallVectorImpl<::mlir::RegionSuccessor> &successors) {
      ::soac::bridge::lambdaSuccessors(*this, successors);
    }
  }];
  let extraClassDefinition = !strconcat(
      verifyDefinition, shapeDefinition, inferenceDefinition,
      canonicalizationDefinition, controlFlowDefinition);
}

#endif // SOAC_DIALECT_TD
