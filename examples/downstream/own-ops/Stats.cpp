// A dialect with array ops of its own, as a plugin for mlir-opt. They say how
// they are made of combinators, and so take part in fusion.

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "soac/Soac.h"

#include "StatsDialect.h.inc"
#define GET_OP_CLASSES
#include "StatsOps.h.inc"

#include "StatsDialect.cpp.inc"
#define GET_OP_CLASSES
#include "StatsOps.cpp.inc"

using namespace mlir;

void stats::StatsDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "StatsOps.cpp.inc"
      >();
}

/// Fills the lambda of a combinator.
static void fill(OpBuilder &builder, Location location, Region &lambda,
                 TypeRange arguments,
                 function_ref<Value(ValueRange arguments)> compute) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(arguments.size(), location);
  Block *block = builder.createBlock(&lambda, {}, arguments, locations);
  soac::YieldOp::create(builder, location, compute(block->getArguments()));
}

FailureOr<SmallVector<Value>>
stats::SumOfSquaresOp::expandToSoac(OpBuilder &builder) {
  Location location = getLoc();
  Type f32 = builder.getF32Type();
  auto squares =
      soac::MapOp::create(builder, location, getX().getType(), getX(),
                          /*inner_sizes=*/{}, /*outer=*/nullptr);
  fill(builder, location, squares.getBody(), {f32}, [&](ValueRange x) -> Value {
    return arith::MulFOp::create(builder, location, x[0], x[0]);
  });
  Value zero = arith::ConstantOp::create(builder, location,
                                         builder.getF32FloatAttr(0.0));
  auto sum =
      soac::FoldOp::create(builder, location, RankedTensorType::get({}, f32),
                           squares.getResults(), zero);
  fill(builder, location, sum.getBody(), {f32, f32},
       [&](ValueRange x) -> Value {
         return arith::AddFOp::create(builder, location, x[0], x[1]);
       });
  Value result = tensor::ExtractOp::create(builder, location, sum.getResult(0));
  return SmallVector<Value>{result};
}

/// What is built may have such ops, too.
FailureOr<SmallVector<Value>> stats::NormOp::expandToSoac(OpBuilder &builder) {
  Value sum =
      SumOfSquaresOp::create(builder, getLoc(), builder.getF32Type(), getX());
  Value root = math::SqrtOp::create(builder, getLoc(), sum);
  return SmallVector<Value>{root};
}

FailureOr<SmallVector<Value>>
stats::MistakenOp::expandToSoac(OpBuilder &builder) {
  // The result is a number, not an array.
  if (getMistake() == "type")
    return SmallVector<Value>{getX()};
  if (getMistake() == "number")
    return SmallVector<Value>{};
  if (getMistake() == "endless")
    return SmallVector<Value>{builder.clone(*getOperation())->getResult(0)};
  return emitOpError("has no mistake");
}

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "stats", LLVM_VERSION_STRING,
          [](DialectRegistry *registry) {
            registry->insert<stats::StatsDialect>();
          }};
}
