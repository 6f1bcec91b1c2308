//===- Assembly.h - Custom assembly directives ----------------------------===//
//
// Lambdas are written `(%a: f32, %b: f32) { … }`.
//
//===----------------------------------------------------------------------===//

#ifndef SOAC_ASSEMBLY_H
#define SOAC_ASSEMBLY_H

#include "mlir/IR/OpImplementation.h"

namespace soac {

inline mlir::ParseResult parseLambda(mlir::OpAsmParser &parser,
                                     mlir::Region &region) {
  llvm::SmallVector<mlir::OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, mlir::AsmParser::Delimiter::Paren,
                               /*allowType=*/true))
    return mlir::failure();
  return parser.parseRegion(region, arguments);
}

inline void printLambda(mlir::OpAsmPrinter &printer, mlir::Operation *,
                        mlir::Region &region) {
  printer << '(';
  if (!region.empty())
    llvm::interleaveComma(region.getArguments(), printer,
                          [&](mlir::BlockArgument argument) {
                            printer.printRegionArgument(argument);
                          });
  printer << ") ";
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

inline mlir::ParseResult parseOptionalLambda(mlir::OpAsmParser &parser,
                                             mlir::Region &region) {
  llvm::SmallVector<mlir::OpAsmParser::Argument> arguments;
  if (parser.parseOptionalLParen())
    return mlir::success();
  if (parser.parseArgumentList(arguments, mlir::AsmParser::Delimiter::None,
                               /*allowType=*/true) ||
      parser.parseRParen())
    return mlir::failure();
  return parser.parseRegion(region, arguments);
}

inline void printOptionalLambda(mlir::OpAsmPrinter &printer,
                                mlir::Operation *op, mlir::Region &region) {
  if (region.empty())
    return;
  printer << ' ';
  printLambda(printer, op, region);
}

} // namespace soac

#endif // SOAC_ASSEMBLY_H
