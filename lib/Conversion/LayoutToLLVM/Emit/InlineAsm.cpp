//===- InlineAsm.cpp - a target's own instructions ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What may touch memory is evaluated once for each element, by the thread that acts for it.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Copies.h"
#include "Conversion/LayoutToLLVM/Emit/Core.h"
#include "Conversion/LayoutToLLVM/Emit/Families.h"

#include "Conversion/Common/InlineAsmCode.h"

#include <optional>

namespace tessera::ir::gpu {

using ::tessera::layout::Dim;

namespace {

/// The registers of each run of \p pack neighbours on the last axis, copies left out; nothing if threads do not hold
/// whole runs.
std::optional<SmallVector<SmallVector<unsigned>>> runsOf(const TileLayout &layout, unsigned pack) {
  SmallVector<unsigned> steps; // the register bits that count up
  for (unsigned bit = 1; bit != pack; bit *= 2) {
    const auto bases = layout.bases(Dim::Register);
    const auto found = std::ranges::find(bases, bit);
    if (found == bases.end())
      return std::nullopt;
    steps.push_back(1U << (found - bases.begin()));
  }
  // Nothing else may decide where in a run an element lies.
  unsigned taken = 0;
  for (const Dim dim : ::tessera::layout::kDims)
    for (const std::uint32_t base : layout.bases(dim))
      taken += (base & (pack - 1)) != 0;
  if (taken != steps.size())
    return std::nullopt;
  SmallVector<SmallVector<unsigned>> runs;
  for (unsigned first = 0; first != layout.size(Dim::Register); ++first) {
    if (Emitter::isCopy(layout, first) || llvm::any_of(steps, [&](unsigned step) { return first & step; }))
      continue;
    SmallVector<unsigned> &run = runs.emplace_back(SmallVector<unsigned>{first});
    for (const unsigned step : steps)
      for (size_t i = 0, n = run.size(); i != n; ++i)
        run.push_back(run[i] + step);
  }
  return runs;
}

class AsmCode {
public:
  AsmCode(tile::InlineAsmOp op, DictionaryAttr body, Emitter &e, const TileLayout &layout)
      : op(op), body(body), e(e), layout(layout) {
    for (Value operand : op->getOperands())
      operands.push_back(e.registers(operand));
    if (!op.getPure())
      owner = e.isOwner(layout);
  }

  void emit(ArrayRef<SmallVector<unsigned>> runs) {
    SmallVector<SmallVector<Value>> results(op->getNumResults(), SmallVector<Value>(layout.size(Dim::Register)));
    for (const SmallVector<unsigned> &run : runs)
      for (auto [result, values] : llvm::zip_equal(results, evaluate(run)))
        for (auto [reg, value] : llvm::zip_equal(run, values))
          result[reg] = value;
    for (auto [result, registers] : llvm::zip_equal(op->getResults(), results)) {
      fillCopies(layout, registers);
      if (owner && isUsed(e, result))
        registers = shareWithCopies(e, layout, tile::elementOf(result.getType()), registers);
      if (isa<RankedTensorType>(result.getType()))
        e.setRegisters(result, registers);
      else
        e.setScalar(result, registers[0]);
    }
  }

private:
  /// One run of each result.
  SmallVector<SmallVector<Value>> evaluate(ArrayRef<unsigned> run) {
    SmallVector<SmallVector<Value>> given;
    for (const SmallVector<Value> &registers : operands) {
      SmallVector<Value> &values = given.emplace_back();
      for (const unsigned reg : run)
        values.push_back(registers[reg]);
    }
    const auto make = [&] { return evaluateAsm(e.builder(), e.loc(), e.math(), op, body, given); };
    if (!owner)
      return make();
    SmallVector<Type> types;
    for (Value result : op->getResults())
      types.append(run.size(), laneElement(tile::elementOf(result.getType())));
    const auto flat = [&] {
      SmallVector<Value> values;
      for (const SmallVector<Value> &result : make())
        llvm::append_range(values, result);
      return values;
    };
    const auto zeros = [&] { return llvm::map_to_vector(types, [&](Type type) { return e.zero(type); }); };
    const SmallVector<Value> values = e.ifElse(owner, types, flat, [&] { return SmallVector<Value>(zeros()); });
    SmallVector<SmallVector<Value>> results;
    for (size_t first = 0; first != values.size(); first += run.size())
      results.emplace_back(ArrayRef(values).slice(first, run.size()));
    return results;
  }

  tile::InlineAsmOp op;
  DictionaryAttr body;
  Emitter &e;
  const TileLayout &layout;
  SmallVector<SmallVector<Value>> operands;
  Value owner; ///< null: every thread evaluates
};

void emitInlineAsm(Operation &operation, Emitter &e) {
  auto op = cast<tile::InlineAsmOp>(operation);
  const auto refuse = [&](const Twine &why) {
    e.refuse(operation, why);
    e.setPlaceholders(operation);
  };
  const DictionaryAttr body = asmBodyFor(op, e.options().target);
  if (!body)
    return refuse(whyNoAsmBody(op, e.options().target));
  // All tiles have one layout.
  Value tile = operation.getNumOperands() ? operation.getOperand(0) : Value();
  if (operation.getNumResults())
    tile = operation.getResult(0);
  static const TileLayout scalar;
  const TileLayout &layout = tile ? e.layoutOf(tile) : scalar;
  const std::int64_t last = layout.rank() ? layout.shape().back() : 1;
  if (op.getPack() > last)
    return refuse("packs " + Twine(op.getPack()) + " elements, and the last axis has " + Twine(last));
  const auto runs = runsOf(layout, static_cast<unsigned>(op.getPack()));
  if (!runs)
    return refuse("packs " + Twine(op.getPack()) + " elements, and its layout gives threads fewer neighbours");
  AsmCode(op, body, e, layout).emit(*runs);
}

} // namespace

void registerInlineAsm(OpTable &table) { table.add<tile::InlineAsmOp>(emitInlineAsm); }

} // namespace tessera::ir::gpu
