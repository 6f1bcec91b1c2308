//===- NestReductions.cpp - What is tried of loop nests -------------------===//
//
// What is carried is used in turn, so that no op that changes it can just be
// erased: what it would have changed is carried on as it is.
//
// Upstream applies patterns to many ops at once, and ends if the program shows
// the fault no more. So a pattern asks before it changes anything.
//
//===----------------------------------------------------------------------===//

#include "NestReductions.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Reducer/Tester.h"
#include "nest/Nest.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

/// What takes the place of an op's results if it changes nothing; none if it is
/// no op that changes what is carried.
static std::optional<SmallVector<Value>> unchanged(Operation *op) {
  using Values = std::optional<SmallVector<Value>>;
  auto all = [](ValueRange first, ValueRange second = {}) {
    SmallVector<Value> values(first);
    values.append(second.begin(), second.end());
    return Values(values);
  };
  auto tensors = [&](ValueRange dests) {
    return op->getNumResults() == 0 ? all({}) : all(dests);
  };
  return llvm::TypeSwitch<Operation *, Values>(op)
      .Case<nest::KernelOp, nest::LoopOp>(
          [&](auto op) { return all(op.getInits()); })
      .Case([&](nest::KeepOp op) { return all(op.getCount(), op.getInits()); })
      .Case([&](nest::WriteOp op) { return tensors(op.getDest()); })
      .Case([&](nest::ScatterOp op) { return tensors(op.getDests()); })
      .Case([&](nest::FoldOp op) { return all(op.getAccumulators()); })
      .Case([&](nest::ScanOp op) {
        return all(op.getValues(), op.getAccumulators());
      })
      .Default([](Operation *) { return std::nullopt; });
}

namespace {

struct WithoutChange : public RewritePattern {
  WithoutChange(MLIRContext *context, const Tester &tester)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        tester(tester) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const final {
    auto values = unchanged(op);
    if (!values || !isInterestingWithout(op))
      return failure();
    rewriter.replaceOp(op, *values);
    return success();
  }

private:
  /// Whether the program still shows the fault.
  bool isInterestingWithout(Operation *op) const {
    IRMapping copies;
    Operation *top = op;
    while (Operation *parent = top->getParentOp())
      top = parent;
    OwningOpRef<ModuleOp> module = cast<ModuleOp>(top->clone(copies));
    Operation *copy = copies.lookup(op);
    copy->replaceAllUsesWith(*unchanged(copy));
    copy->erase();
    return tester.isInteresting(*module).first == Tester::Interestingness::True;
  }

  const Tester &tester;
};

struct NestReductions : public DialectReductionPatternInterface {
  NestReductions(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &) const final {}

  void populateReductionPatternsWithTester(RewritePatternSet &patterns,
                                           Tester &tester) const final {
    patterns.add<WithoutChange>(patterns.getContext(), tester);
  }
};

} // namespace

void comb::addNestReductions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, nest::NestDialect *dialect) {
    dialect->addInterfaces<NestReductions>();
  });
}
