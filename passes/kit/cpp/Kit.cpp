//===- Kit.cpp - What MLIR's C API lacks ----------------------------------===//
//
// Effects of ops, the interface ExpandsToSoac, and remarks, for passes in Rust.
//
//===----------------------------------------------------------------------===//

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "soac/Soac.h"

using namespace mlir;

/// Whether the op, or one inside it, reads or writes memory, or may.
extern "C" bool combHasEffects(MlirOperation op) {
  return !isMemoryEffectFree(unwrap(op));
}

/// Whether the op has no effects, and MLIR takes it to be harmless where the
/// program does not get to.
extern "C" bool combIsSpeculatable(MlirOperation op) {
  return isMemoryEffectFree(unwrap(op)) && isSpeculatable(unwrap(op));
}

/// Whether the op says how it is made of combinators.
extern "C" bool combExpandsToSoac(MlirOperation op) {
  return isa<soac::ExpandsToSoac>(unwrap(op));
}

/// Has the op build its results in front of it; returns whether it did.
extern "C" bool combExpandToSoac(MlirOperation op,
                                 void (*push)(MlirValue, void *),
                                 void *values) {
  OpBuilder builder(unwrap(op));
  auto results = cast<soac::ExpandsToSoac>(unwrap(op)).expandToSoac(builder);
  if (failed(results) || llvm::is_contained(*results, Value()))
    return false;
  for (Value result : *results)
    push(wrap(result), values);
  return true;
}

//===----------------------------------------------------------------------===//
// Remarks, which the C API does not have
//===----------------------------------------------------------------------===//

/// Emits a remark of a pass: what was done (0), missed (1), or found out (2).
/// Its text is asked for only if somebody wants such remarks; returns
/// whether.
extern "C" bool combEmitRemark(int32_t kind, MlirStringRef pass,
                               MlirLocation location, MlirStringRef name,
                               MlirStringRef function,
                               void (*text)(void *, MlirStringCallback, void *),
                               void *data) {
  auto options = remark::RemarkOpts::name(unwrap(name))
                     .category(unwrap(pass))
                     .function(unwrap(function));
  Location place = unwrap(location);
  auto emitted = kind == 0   ? remark::passed(place, options)
                 : kind == 1 ? remark::missed(place, options)
                             : remark::analysis(place, options);
  bool wanted = false;
  auto write = [&] {
    wanted = true;
    std::string written;
    auto add = [](MlirStringRef part, void *written) {
      static_cast<std::string *>(written)->append(part.data, part.length);
    };
    text(data, add, &written);
    return written;
  };
  emitted << remark::detail::LazyTextBuild{"Remark", write};
  return wanted;
}

extern "C" void combReport(MlirLocation location, MlirStringRef message) {
  emitRemark(unwrap(location)) << unwrap(message);
}
