//===- DebugOps.cpp - printing, checking and target assembly ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A kernel that prints runs in grid order (Code::inGridOrder), so its output is the same for every number of threads:
// by program, then by statement, then lane by lane with all values in one line (SEMANTICS L3).
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Frame.h"
#include "Target/Interp/Launch.h"
#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Debug.h"
#include "Target/Interp/Ops/Families.h"

#include "tessera-ir/Dialect/Tile/IR/DTypes.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "Runtime/DeviceRecords.h"

#include "fmt/format.h"

#include <algorithm>

namespace tessera::ir::interp {

using namespace mlir;

std::uint64_t elementBits(const Frame &frame, const Slot &slot, std::uint64_t index) {
  std::uint64_t bits = 0;
  const unsigned size = bytesOf(slot.elem);
  std::memcpy(&bits, frame.at<char>(slot) + index * size, size);
  return bits;
}

namespace {

// -- print ----------------------------------------------------------------------------------------

/// Operands: the values, then the predicate where there is one.
struct PrintPayload : Payload {
  std::vector<rt::Site> sites{1}; ///< one, as rt::describe wants it
  unsigned values = 0;
  Shape shape; ///< of the tiles among the values
  bool hasPredicate = false;
};

/// Whether lane \p lane of \p lanes is printed. Without tiles among the values there is one line, printed where any
/// lane of the predicate is true.
bool isWanted(const Bool *predicate, std::uint32_t predicates, std::uint64_t lane, std::uint64_t lanes) {
  if (!predicate)
    return true;
  if (predicates == lanes)
    return predicate[lane].bits;
  return std::any_of(predicate, predicate + predicates, [](Bool b) { return b.bits != 0; });
}

/// Lanes are those of the tiles; a scalar is the same in all of them.
void print(const Inst &inst, Frame &frame) {
  if (frame.isRehearsal())
    return;
  const auto &p = inst.payload<PrintPayload>();
  const std::uint64_t lanes = static_cast<std::uint64_t>(p.shape.count());
  const Bool *predicate = p.hasPredicate ? frame.in<Bool>(inst, p.values) : nullptr;
  const std::uint32_t predicates = p.hasPredicate ? inst.in[p.values].count : 0;
  SmallVector<rt::PrintRecord, 4> records(std::max(p.values, 1u));
  for (std::uint64_t lane = 0; lane != lanes; ++lane) {
    if (!isWanted(predicate, predicates, lane, lanes))
      continue;
    for (unsigned v = 0; v != records.size(); ++v) {
      rt::PrintRecord &record = records[v];
      record.value = v;
      std::copy(frame.id.begin(), frame.id.end(), record.program);
      record.rank = static_cast<std::int32_t>(p.shape.rank);
      std::uint64_t rest = lane;
      for (unsigned axis = p.shape.rank; axis-- != 0; rest /= static_cast<std::uint64_t>(p.shape.extent[axis]))
        record.coordinates[axis] = static_cast<std::int32_t>(rest % static_cast<std::uint64_t>(p.shape.extent[axis]));
      if (v != p.values)
        record.bits = elementBits(frame, inst.in[v], inst.in[v].count == 1 ? 0 : lane);
    }
    rt::printLine(rt::describe(records, p.sites));
  }
}

LogicalResult lowerPrint(Operation &op, Builder &b) {
  auto printOp = cast<tile::PrintOp>(op);
  auto payload = std::make_unique<PrintPayload>();
  rt::Site &site = payload->sites[0];
  site.text = printOp.getPrefix().str();
  for (auto [i, value] : llvm::enumerate(printOp.getValues())) {
    const bool isUnsigned = printOp.getIsUnsigned() && (*printOp.getIsUnsigned())[i];
    site.dtypes.push_back(tile::dtypeOf(value.getType(), isUnsigned));
    if (printOp.getNames())
      site.names.push_back(cast<StringAttr>((*printOp.getNames())[i]).str());
    if (isa<RankedTensorType>(value.getType()))
      payload->shape = shapeOf(value.getType());
  }
  payload->values = static_cast<unsigned>(printOp.getValues().size());
  payload->hasPredicate = static_cast<bool>(printOp.getPred());
  b.code.inGridOrder = true;
  Inst &inst = b.emit(op, print);
  const std::string &at = b.code.sites[inst.site].at;
  site.location = at.empty() ? "?" : at;
  inst.extra = std::move(payload);
  return success();
}

// -- assert ---------------------------------------------------------------------------------------

struct AssertPayload : Payload {
  std::string message;
};

void check(const Inst &inst, Frame &frame) {
  if (!frame.checks())
    return;
  const Bool *condition = frame.in<Bool>(inst, 0);
  std::uint64_t first = 0, failed = 0;
  for (std::uint32_t i = 0; i != inst.n; ++i)
    if (!condition[i].bits && failed++ == 0)
      first = i;
  if (failed != 0)
    frame.fault(
        inst, first, failed,
        [&] { return fmt::format("device_assert failed: {}", inst.payload<AssertPayload>().message); },
        "the condition must hold on every lane");
}

LogicalResult lowerAssert(Operation &op, Builder &b) {
  auto payload = std::make_unique<AssertPayload>();
  payload->message = cast<tile::AssertOp>(op).getMessage().str();
  b.emit(op, check).extra = std::move(payload);
  return success();
}

// -- inline_asm -----------------------------------------------------------------------------------

LogicalResult lowerInlineAsm(Operation &op, Builder &b) {
  std::string targets;
  for (NamedAttribute body : cast<tile::InlineAsmOp>(op).getBodies())
    targets += (targets.empty() ? "" : ", ") + body.getName().str();
  return b.refuse(op, llvm::Twine("has bodies for ") + targets +
                          " and none that the interpreter can run; it executes tile operations, not a target's "
                          "instructions; give the kernel another path for this target");
}

} // namespace

void registerDebugOps(OpTable &table) {
  table.add<tile::PrintOp>(lowerPrint);
  table.add<tile::AssertOp>(lowerAssert);
  table.add<tile::InlineAsmOp>(lowerInlineAsm);
}

} // namespace tessera::ir::interp
