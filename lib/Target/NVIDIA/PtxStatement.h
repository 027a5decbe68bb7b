//===- PtxStatement.h - one instruction of PTX inside LLVM IR --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_NVIDIA_PTXSTATEMENT_H
#define TESSERA_TARGET_NVIDIA_PTXSTATEMENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <string>

namespace tessera::ir::nvidia {

/// What LLVM must know of a statement.
struct PtxEffects {
  bool touchesMemory = false;
  bool isConvergent = false;
};

/// Builds `@predicate opcode results, operands;` piece by piece and emits it as inline assembly. Values are registers:
/// i1 predicates, integers and floats of 16, 32 and 64 bits, pointers.
class PtxStatement {
public:
  PtxStatement(llvm::IRBuilderBase &builder, const llvm::DataLayout &layout) : b(builder), layout(layout) {}

  /// The statement happens where \p condition, an i1, holds. Called first, if at all.
  void predicate(llvm::Value *condition);
  PtxStatement &text(llvm::StringRef words) { return body += words, *this; }
  /// A result of type \p type, which has the value \p otherwise before and where the predicate fails; or an unspecified
  /// one, if that is null.
  PtxStatement &result(llvm::Type *type, llvm::Value *otherwise = nullptr);
  /// A result that has \p value before and is not written into the statement.
  PtxStatement &carry(llvm::Value *value);
  /// An operand: a register, or the number itself for constant integers.
  PtxStatement &operand(llvm::Value *value);
  /// A register, whatever the value is.
  PtxStatement &reg(llvm::Value *value) { return input(value), *this; }
  /// `[address]`, with the constant part of the address written out.
  PtxStatement &address(llvm::Value *pointer);
  /// Registers in braces: `{a, b}`; \p each adds one.
  template <class Range, class Each> PtxStatement &group(Range &&range, Each each) {
    const char *separator = "{";
    for (auto &&item : range) {
      text(separator);
      each(item);
      separator = ", ";
    }
    return text("}");
  }

  /// Emits the statement. The results in order; none for a statement without.
  llvm::SmallVector<llvm::Value *> emit(const PtxEffects &effects);

private:
  void reference(std::size_t place) { body += "$" + std::to_string(place); }
  void input(llvm::Value *value);
  void addResult(llvm::Type *type, llvm::Value *before);

  llvm::IRBuilderBase &b;
  const llvm::DataLayout &layout;
  std::string body;
  llvm::SmallVector<llvm::Type *> resultTypes;
  llvm::SmallVector<llvm::Value *> ties;   ///< of the results; may be null
  llvm::SmallVector<llvm::Value *> inputs; ///< referred to as `%I<number>` until the number of results is known
};

/// The letter of a register class in constraints of inline assembly; 0 if no register holds such values.
char registerClass(llvm::Type *type, const llvm::DataLayout &layout);

} // namespace tessera::ir::nvidia

#endif // TESSERA_TARGET_NVIDIA_PTXSTATEMENT_H
