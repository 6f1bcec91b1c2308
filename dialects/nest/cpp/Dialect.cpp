//===- Dialect.cpp - The nest dialect -------------------------------------===//
//
// Assembly and memory effects. What is verified and rewritten is Rust (src).
//
//===----------------------------------------------------------------------===//

#include "Bufferization.h"
#include "nest/Nest.h"

#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/InliningUtils.h"
#include "soac/Assembly.h"
#include "soac/Soac.h"

using namespace mlir;

extern "C" {
bool nestRustVerify(MlirOperation op);
void nestRustPopulateCanonicalizations(MlirStringRef name, MlirContext context,
                                       MlirRewritePatternSet patterns);
}

namespace nest::bridge {
static LogicalResult verify(Operation *op) {
  return success(nestRustVerify(wrap(op)));
}

static void populateCanonicalizations(StringRef name,
                                      RewritePatternSet &patterns) {
  nestRustPopulateCanonicalizations(wrap(name), wrap(patterns.getContext()),
                                    wrap(&patterns));
}
} // namespace nest::bridge

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

using soac::parseLambda;
using soac::parseOptionalLambda;
using soac::printLambda;
using soac::printOptionalLambda;

using Operands = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;
using Types = SmallVectorImpl<Type>;

/// `(%a = %x : f32, %b = %y : i32)`
static ParseResult
parseCarried(OpAsmParser &parser, Operands &inits, Types &types,
             SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        auto &argument = arguments.emplace_back();
        if (parser.parseArgument(argument) || parser.parseEqual() ||
            parser.parseOperand(inits.emplace_back()) ||
            parser.parseColonType(argument.type))
          return failure();
        types.push_back(argument.type);
        return success();
      });
}

static void printCarried(OpAsmPrinter &printer, OperandRange inits,
                         Block::BlockArgListType arguments) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(arguments, inits), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " = " << std::get<1>(pair) << " : "
            << std::get<1>(pair).getType();
  });
  printer << ')';
}

/// A keyword and what is carried, if anything is; then the body.
static ParseResult
parseBody(OpAsmParser &parser, StringRef keyword, Operands &inits, Types &types,
          Types &results, Region &body,
          SmallVector<OpAsmParser::Argument> arguments = {}) {
  if (succeeded(parser.parseOptionalKeyword(keyword)) &&
      parseCarried(parser, inits, types, arguments))
    return failure();
  results.assign(types.begin(), types.end());
  return parser.parseRegion(body, arguments);
}

static void printBody(OpAsmPrinter &printer, StringRef keyword,
                      OperandRange inits, Region &body) {
  if (!inits.empty()) {
    printer << keyword;
    printCarried(printer, inits, body.getArguments().take_back(inits.size()));
    printer << ' ';
  }
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

static ParseResult parseOutputs(OpAsmParser &parser, Operands &inits,
                                Types &types, Types &results, Region &body) {
  return parseBody(parser, "outs", inits, types, results, body);
}

static void printOutputs(OpAsmPrinter &printer, Operation *, OperandRange inits,
                         TypeRange, TypeRange, Region &body) {
  printBody(printer, "outs", inits, body);
}

/// An argument of type `index`.
static ParseResult
parseIndex(OpAsmParser &parser,
           SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  auto &index = arguments.emplace_back();
  index.type = parser.getBuilder().getIndexType();
  return parser.parseArgument(index);
}

static ParseResult parseLoop(OpAsmParser &parser,
                             OpAsmParser::UnresolvedOperand &length,
                             Operands &inits, Types &types, Types &results,
                             Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parseIndex(parser, arguments) || parser.parseKeyword("to") ||
      parser.parseOperand(length))
    return failure();
  return parseBody(parser, "carry", inits, types, results, body,
                   std::move(arguments));
}

static void printLoop(OpAsmPrinter &printer, Operation *, Value length,
                      OperandRange inits, TypeRange, TypeRange, Region &body) {
  printer << body.getArgument(0) << " to " << length << ' ';
  printBody(printer, "carry", inits, body);
}

static ParseResult parseKeep(OpAsmParser &parser,
                             OpAsmParser::UnresolvedOperand &condition,
                             OpAsmParser::UnresolvedOperand &count,
                             Operands &inits, Types &types, Types &results,
                             Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parseIndex(parser, arguments) || parser.parseKeyword("if") ||
      parser.parseOperand(condition) || parser.parseKeyword("from") ||
      parser.parseOperand(count))
    return failure();
  return parseBody(parser, "carry", inits, types, results, body,
                   std::move(arguments));
}

static void printKeep(OpAsmPrinter &printer, Operation *, Value condition,
                      Value count, OperandRange inits, TypeRange, TypeRange,
                      Region &body) {
  printer << body.getArgument(0) << " if " << condition << " from " << count
          << ' ';
  printBody(printer, "carry", inits, body);
}

/// What an op gives that writes to arrays of these types.
static void appendTensors(Types &results, TypeRange dests) {
  llvm::copy_if(dests, std::back_inserter(results),
                [](Type type) { return isa<TensorType>(type); });
}

static ParseResult parseWritten(OpAsmParser &parser, Type &value, Type &dest,
                                Types &results) {
  if (parser.parseType(dest))
    return failure();
  value = getElementTypeOrSelf(dest);
  appendTensors(results, dest);
  return success();
}

static void printWritten(OpAsmPrinter &printer, Operation *, Type, Type dest,
                         TypeRange) {
  printer << dest;
}

static ParseResult parseScattered(OpAsmParser &parser, Types &values,
                                  Types &dests, Types &results) {
  if (parser.parseTypeList(dests))
    return failure();
  for (Type dest : dests)
    values.push_back(getElementTypeOrSelf(dest));
  appendTensors(results, dests);
  return success();
}

static void printScattered(OpAsmPrinter &printer, Operation *, TypeRange,
                           TypeRange dests, TypeRange) {
  printer << dests;
}

static ParseResult parseAccumulated(OpAsmParser &parser, Types &values,
                                    Types &accumulators, Types &neutrals,
                                    Types &results) {
  if (parser.parseTypeList(values))
    return failure();
  for (Types *types : {&accumulators, &neutrals, &results})
    types->assign(values.begin(), values.end());
  return success();
}

static void printAccumulated(OpAsmPrinter &printer, Operation *,
                             TypeRange values, TypeRange, TypeRange,
                             TypeRange) {
  printer << values;
}

static ParseResult parseScanned(OpAsmParser &parser, Types &values,
                                Types &accumulators, Types &neutrals,
                                Types &prefixes, Types &results) {
  prefixes.clear();
  if (parseAccumulated(parser, values, accumulators, neutrals, results))
    return failure();
  prefixes.assign(values.begin(), values.end());
  return success();
}

static void printScanned(OpAsmPrinter &printer, Operation *, TypeRange values,
                         TypeRange, TypeRange, TypeRange, TypeRange) {
  printer << values;
}

/// Indices are called after how many loops they are in.
void nest::LoopOp::getAsmBlockArgumentNames(Region &body,
                                            OpAsmSetValueNameFn name) {
  static constexpr StringLiteral names[] = {"i", "j", "k", "l", "m", "n"};
  size_t depth = 0;
  for (auto outer = (*this)->getParentOfType<LoopOp>(); outer;
       outer = outer->getParentOfType<LoopOp>())
    ++depth;
  name(body.getArgument(0), names[std::min(depth, std::size(names) - 1)]);
}

void nest::KeepOp::getAsmBlockArgumentNames(Region &body,
                                            OpAsmSetValueNameFn name) {
  name(body.getArgument(0), "position");
}

#include "nest/NestDialect.cpp.inc"

#define GET_OP_CLASSES
#include "nest/NestOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Memory effects
//===----------------------------------------------------------------------===//

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

static void add(Effects &effects, OpOperand &array,
                MemoryEffects::Effect *effect) {
  if (isa<BaseMemRefType>(array.get().getType()))
    effects.emplace_back(effect, &array);
}

/// In value form, too: two arrays are never one.
void nest::LocalOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       cast<OpResult>(getResult()));
}

void nest::ReadOp::getEffects(Effects &effects) {
  add(effects, getArrayMutable(), MemoryEffects::Read::get());
}

void nest::WriteOp::getEffects(Effects &effects) {
  add(effects, getDestMutable(), MemoryEffects::Write::get());
}

void nest::ScatterOp::getEffects(Effects &effects) {
  for (OpOperand &dest : getDestsMutable()) {
    if (!getOperator().empty())
      add(effects, dest, MemoryEffects::Read::get());
    add(effects, dest, MemoryEffects::Write::get());
  }
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

namespace {

/// Functions with kernels can be inlined anywhere but into kernels.
struct NestInliner : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *region, Region *, bool,
                       IRMapping &) const final {
    return !isa<nest::KernelOp>(region->getParentOp());
  }
};

} // namespace

void nest::NestDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "nest/NestOps.cpp.inc"
      >();
  addInterfaces<NestInliner>();
  attachBufferization(*getContext());
}

extern "C" void nestRegisterDialect(MlirDialectRegistry registry) {
  // Another copy of the dialect in the process may be registered already, and
  // MLIR aborts if a second one is inserted.
  if (!unwrap(registry)->getDialectAllocator(
          nest::NestDialect::getDialectNamespace()))
    unwrap(registry)->insert<nest::NestDialect>();
}

extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Nest, nest);
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Nest, nest, ::nest::NestDialect)
