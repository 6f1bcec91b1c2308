//===- Bufferization.cpp - From value form to memory form -----------------===//
//
// What is carried is used in turn, which the verifier makes sure of. So inside
// a kernel everything is written in place, and each array that a body carries
// is one piece of memory: the body of the memory form uses it, and carries it
// no more. Only at a kernel's outputs there is something to decide, which
// upstream's analysis does: whether the array that is given is needed later.
//
//===----------------------------------------------------------------------===//

#include "Bufferization.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "nest/Nest.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace {

/// Where an op has what it carries: the first operand, result and block
/// argument. The others follow.
template <typename Op> struct Carried;
template <> struct Carried<nest::KernelOp> {
  static constexpr unsigned operand = 0, result = 0, argument = 0;
};
template <> struct Carried<nest::LoopOp> {
  static constexpr unsigned operand = 1, result = 0, argument = 1;
};
template <> struct Carried<nest::KeepOp> {
  static constexpr unsigned operand = 2, result = 1, argument = 1;
};

bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

/// An op whose body carries arrays.
template <typename Op>
struct BodyModel
    : public BufferizableOpInterface::ExternalModel<BodyModel<Op>, Op> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return true;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    unsigned number = operand.getOperandNumber() - Carried<Op>::operand;
    return {{op->getResult(Carried<Op>::result + number),
             BufferRelation::Equivalent}};
  }
  bool isWritable(Operation *, Value, const AnalysisState &) const {
    return true;
  }
  bool isRepetitiveRegion(Operation *, unsigned) const {
    return std::is_same_v<Op, nest::LoopOp>;
  }

  /// A block argument is in the memory of what is given for it.
  FailureOr<BufferLikeType> getBufferType(Operation *op, Value value,
                                          const BufferizationOptions &options,
                                          const BufferizationState &state,
                                          SmallVector<Value> &stack) const {
    unsigned number =
        isa<BlockArgument>(value)
            ? cast<BlockArgument>(value).getArgNumber() - Carried<Op>::argument
            : cast<OpResult>(value).getResultNumber() - Carried<Op>::result;
    return bufferization::getBufferType(
        op->getOperand(Carried<Op>::operand + number), options, state, stack);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    SmallVector<Value> operands, results(op->getNumResults());
    SmallVector<Type> types;
    Block &body = op->getRegion(0).front();
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isTensor(operand.get())) {
        operands.push_back(operand.get());
        continue;
      }
      auto buffer = getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      unsigned number = operand.getOperandNumber() - Carried<Op>::operand;
      results[Carried<Op>::result + number] = *buffer;
    }
    for (Value result : op->getResults())
      if (!isTensor(result))
        types.push_back(result.getType());
    useMemory(body, results, rewriter);
    OperationState made(op->getLoc(), op->getName(), operands, types,
                        op->getAttrs());
    made.addRegion()->takeBody(op->getRegion(0));
    auto scalars = rewriter.create(made)->getResults().begin();
    for (auto [result, value] : llvm::zip(op->getResults(), results))
      if (!isTensor(result))
        value = *scalars++;
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }

private:
  /// The body uses memory instead of the arguments that are arrays.
  static void useMemory(Block &body, ArrayRef<Value> results,
                        RewriterBase &rewriter) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&body);
    for (unsigned number = body.getNumArguments(); number-- > 0;) {
      BlockArgument argument = body.getArgument(number);
      if (!isTensor(argument))
        continue;
      unsigned place = number - Carried<Op>::argument;
      auto array =
          ToTensorOp::create(rewriter, argument.getLoc(), argument.getType(),
                             results[Carried<Op>::result + place]);
      rewriter.replaceAllUsesWith(argument, array.getResult());
      body.eraseArgument(number);
    }
  }
};

struct LocalModel
    : public BufferizableOpInterface::ExternalModel<LocalModel, nest::LocalOp> {
  bool bufferizesToAllocation(Operation *, Value) const { return true; }
  bool resultBufferizesToMemoryWrite(Operation *, OpResult,
                                     const AnalysisState &) const {
    return false; // Its elements are not defined.
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  FailureOr<BufferLikeType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return cast<BufferLikeType>(memory(value));
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &,
                          BufferizationState &) const {
    auto local = cast<nest::LocalOp>(op);
    replaceOpWithNewBufferizedOp<nest::LocalOp>(
        rewriter, op, memory(local), local.getSizes(), local.getStaticSizes());
    return success();
  }

private:
  static MemRefType memory(Value array) {
    auto type = cast<RankedTensorType>(array.getType());
    return MemRefType::get(type.getShape(), type.getElementType());
  }
};

struct ReadModel
    : public BufferizableOpInterface::ExternalModel<ReadModel, nest::ReadOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto read = cast<nest::ReadOp>(op);
    auto buffer = getBuffer(rewriter, read.getArray(), options, state);
    if (failed(buffer))
      return failure();
    rewriter.replaceOpWithNewOp<nest::ReadOp>(op, read.getType(), *buffer,
                                              read.getIndices());
    return success();
  }
};

/// An op that writes to arrays, which are its operands from the first one on.
template <typename Op>
struct WriterModel
    : public BufferizableOpInterface::ExternalModel<WriterModel<Op>, Op> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true; // The other elements stay.
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return true;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    unsigned number = operand.getOperandNumber() - first(cast<Op>(op));
    return {{op->getResult(number), BufferRelation::Equivalent}};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    SmallVector<Value> operands, buffers;
    for (Value operand : op->getOperands()) {
      if (isTensor(operand)) {
        auto buffer = getBuffer(rewriter, operand, options, state);
        if (failed(buffer))
          return failure();
        operand = buffers.emplace_back(*buffer);
      }
      operands.push_back(operand);
    }
    OperationState made(op->getLoc(), op->getName(), operands, TypeRange(),
                        op->getAttrs());
    for (Region &region : op->getRegions())
      made.addRegion()->takeBody(region);
    rewriter.create(made);
    replaceOpWithBufferizedValues(rewriter, op, buffers);
    return success();
  }

private:
  static unsigned first(nest::WriteOp) { return 1; }
  static unsigned first(nest::ScatterOp op) {
    return op.getDests().getBeginOperandIndex();
  }
};

/// Hands on no array: each is where it belongs already.
struct YieldModel
    : public BufferizableOpInterface::ExternalModel<YieldModel, nest::YieldOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  bool mustBufferizeInPlace(Operation *, OpOperand &,
                            const AnalysisState &) const {
    return true;
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &,
                          BufferizationState &) const {
    rewriter.modifyOpInPlace(op, [&] {
      for (unsigned number = op->getNumOperands(); number-- > 0;)
        if (isTensor(op->getOperand(number)))
          op->eraseOperand(number);
    });
    return success();
  }
};

} // namespace

void nest::attachBufferization(MLIRContext &context) {
  KernelOp::attachInterface<BodyModel<KernelOp>>(context);
  LoopOp::attachInterface<BodyModel<LoopOp>>(context);
  KeepOp::attachInterface<BodyModel<KeepOp>>(context);
  LocalOp::attachInterface<LocalModel>(context);
  ReadOp::attachInterface<ReadModel>(context);
  WriteOp::attachInterface<WriterModel<WriteOp>>(context);
  ScatterOp::attachInterface<WriterModel<ScatterOp>>(context);
  YieldOp::attachInterface<YieldModel>(context);
}
