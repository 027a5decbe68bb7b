//===- LLVM.h - everyday names of LLVM and MLIR, imported once --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Lets `tessera::ir` say `Value` and `StringRef`. Forward declarations only where that is enough; a file still includes
// the header of what it uses.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IRSUPPORT_LLVM_H
#define TESSERA_IRSUPPORT_LLVM_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tessera::ir {

using llvm::cast;
using llvm::cast_or_null;
using llvm::dyn_cast;
using llvm::dyn_cast_if_present;
using llvm::dyn_cast_or_null;
using llvm::isa;
using llvm::isa_and_nonnull;
using llvm::isa_and_present;

using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;
using llvm::ArrayRef;
using llvm::failed;
using llvm::failure;
using llvm::FailureOr;
using llvm::function_ref;
using llvm::LogicalResult;
using llvm::MutableArrayRef;
using llvm::raw_ostream;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;
using llvm::succeeded;
using llvm::success;
using llvm::Twine;

using mlir::ArrayAttr;
using mlir::Attribute;
using mlir::Block;
using mlir::BlockArgument;
using mlir::Builder;
using mlir::DenseElementsAttr;
using mlir::DictionaryAttr;
using mlir::FileLineColLoc;
using mlir::FloatAttr;
using mlir::FloatType;
using mlir::FusedLoc;
using mlir::InFlightDiagnostic;
using mlir::IntegerAttr;
using mlir::IntegerType;
using mlir::Location;
using mlir::MLIRContext;
using mlir::ModuleOp;
using mlir::NamedAttribute;
using mlir::NameLoc;
using mlir::OpAsmParser;
using mlir::OpAsmPrinter;
using mlir::OpBuilder;
using mlir::Operation;
using mlir::OperationState;
using mlir::OpFoldResult;
using mlir::OpOperand;
using mlir::OpResult;
using mlir::OpRewritePattern;
using mlir::OwningOpRef;
using mlir::ParseResult;
using mlir::PatternRewriter;
using mlir::RankedTensorType;
using mlir::Region;
using mlir::RewritePatternSet;
using mlir::StringAttr;
using mlir::Type;
using mlir::TypedAttr;
using mlir::TypeRange;
using mlir::UnitAttr;
using mlir::Value;
using mlir::ValueRange;

} // namespace tessera::ir

#endif // TESSERA_IRSUPPORT_LLVM_H
