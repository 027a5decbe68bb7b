//===- InlineAsm.cpp - a target's own instructions ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each run of `pack` elements is one evaluation of the text. Elements of four bytes and more have a register each;
// narrower ones share registers of four bytes, low elements in low bits.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Emitter.h"
#include "Conversion/TileToHost/Emit/Families.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <string>

namespace tessera::ir::host {

namespace LLVM = mlir::LLVM;

/// The body whose key is the longest start of \p target; null if none is.
static DictionaryAttr bodyFor(tile::InlineAsmOp op, StringRef target) {
  DictionaryAttr best;
  size_t longest = 0;
  for (NamedAttribute body : op.getBodies()) {
    const StringRef key = body.getName().getValue();
    if (target.starts_with(key) && key.size() >= longest) {
      best = cast<DictionaryAttr>(body.getValue());
      longest = key.size();
    }
  }
  return best;
}

namespace {

/// How `pack` elements of one type fill registers.
struct Registers {
  Registers(Type element, unsigned pack, MLIRContext *context)
      : element(laneElement(tile::elementOf(element))), pack(pack) {
    const unsigned bits = this->element.getIntOrFloatBitWidth();
    isWhole = bits >= 32;
    count = isWhole ? pack : std::max(1u, pack * std::max(8u, bits) / 32);
    type = isWhole ? this->element : IntegerType::get(context, 32);
  }

  Type element; ///< in code
  unsigned pack;
  bool isWhole; ///< a register holds one element
  unsigned count;
  Type type; ///< of a register
};

/// The integer of \p bits bits that an element's bits are kept in.
unsigned storedBits(const Registers &r) { return std::max(8u, r.element.getIntOrFloatBitWidth()); }

void toRegisters(Emitter &e, const Registers &r, Value lanes, SmallVectorImpl<Value> &out) {
  const auto lane = [&](unsigned i) { return r.pack == 1 ? lanes : e.extractLane(lanes, i); };
  if (r.isWhole) {
    for (unsigned i = 0; i != r.pack; ++i)
      out.push_back(lane(i));
    return;
  }
  const unsigned perRegister = r.pack / r.count;
  for (unsigned i = 0; i != r.count; ++i) {
    Value word;
    for (unsigned j = 0; j != perRegister; ++j) {
      Value bits = lane(i * perRegister + j);
      if (isa<FloatType>(r.element))
        bits = e.math().toBits(bits);
      bits = e.math().zeroExtend(bits, 32);
      if (j)
        bits = e.math().orI(word, e.math().shl(bits, e.integer(32, j * storedBits(r))));
      word = bits;
    }
    out.push_back(word);
  }
}

Value fromRegisters(Emitter &e, const Registers &r, ValueRange registers) {
  SmallVector<Value> lanes;
  const unsigned perRegister = r.pack / r.count;
  for (unsigned i = 0; i != r.pack; ++i) {
    if (r.isWhole) {
      lanes.push_back(registers[i]);
      continue;
    }
    const Value word = e.math().shrU(registers[i / perRegister], e.integer(32, i % perRegister * storedBits(r)));
    const Value bits = e.math().truncate(word, r.element.getIntOrFloatBitWidth());
    auto type = dyn_cast<FloatType>(r.element);
    lanes.push_back(type ? e.math().fromBits(bits, type) : bits);
  }
  return r.pack == 1 ? lanes[0]
                     : Value(mlir::vector::FromElementsOp::create(e.builder(), e.loc(),
                                                                  mlir::VectorType::get({r.pack}, r.element), lanes));
}

/// One evaluation; \p lanes and the results are runs of `pack` elements.
SmallVector<Value> evaluate(Emitter &e, tile::InlineAsmOp op, DictionaryAttr body, ValueRange lanes) {
  MLIRContext *const context = op.getContext();
  const auto pack = static_cast<unsigned>(op.getPack());
  SmallVector<Value> operands;
  for (auto [operand, code] : llvm::zip_equal(op.getOperands(), lanes))
    toRegisters(e, Registers(operand.getType(), pack, context), code, operands);
  SmallVector<Registers> results;
  SmallVector<Type> types;
  for (Value result : op.getResults()) {
    results.emplace_back(result.getType(), pack, context);
    types.append(results.back().count, results.back().type);
  }
  SmallVector<Type, 1> type;
  if (!types.empty())
    type.push_back(types.size() == 1 ? types[0] : LLVM::LLVMStructType::getLiteral(context, types));
  auto code = LLVM::InlineAsmOp::create(e.builder(), e.loc(), TypeRange(type), operands,
                                        cast<StringAttr>(body.get("asm")).getValue(),
                                        cast<StringAttr>(body.get("constraints")).getValue(), !op.getPure(), false,
                                        LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  SmallVector<Value> registers;
  for (unsigned i = 0; i != types.size(); ++i)
    registers.push_back(types.size() == 1
                            ? code.getResult(0)
                            : Value(LLVM::ExtractValueOp::create(e.builder(), e.loc(), code.getResult(0), i)));
  SmallVector<Value> values;
  for (const Registers &result : results) {
    values.push_back(fromRegisters(e, result, ValueRange(registers).take_front(result.count)));
    registers.erase(registers.begin(), registers.begin() + result.count);
  }
  return values;
}

void emitInlineAsm(Operation &operation, Emitter &e) {
  auto op = cast<tile::InlineAsmOp>(operation);
  const auto refuse = [&](const Twine &why) {
    e.refuse(operation, why);
    for (Value result : op.getResults())
      if (!isa<RankedTensorType>(result.getType()))
        e.setScalar(result, e.placeholder(laneElement(result.getType())));
  };
  const DictionaryAttr body = bodyFor(op, e.options().target);
  if (!body) {
    std::string keys;
    for (NamedAttribute known : op.getBodies())
      keys += (keys.empty() ? "" : ", ") + known.getName().str();
    return refuse("has bodies for " + keys + " and none for " + e.options().target +
                  "; give it one, or the kernel another path for this target");
  }
  ArrayRef<int64_t> shape;
  for (Value value : op->getOperands())
    if (isa<RankedTensorType>(value.getType()))
      shape = tile::shapeOf(value.getType());
  for (Value value : op->getResults())
    if (isa<RankedTensorType>(value.getType()))
      shape = tile::shapeOf(value.getType());
  const int64_t last = shape.empty() ? 1 : shape.back();
  if (op.getPack() > last)
    return refuse("packs " + Twine(op.getPack()) + " elements, and the last axis has " + Twine(last));
  e.forDomain(domainOf(shape, static_cast<unsigned>(op.getPack())), 1, [&](ArrayRef<LaneBlock> blocks) {
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(e.lanes(operand, blocks[0]));
    for (auto [result, code] : llvm::zip_equal(op.getResults(), evaluate(e, op, body, operands))) {
      if (!isa<RankedTensorType>(result.getType()))
        e.setScalar(result, code);
      else if (e.hasBuffer(result))
        e.writeBuffer(e.bufferOf(result), code, blocks[0]);
    }
  });
}

} // namespace

void registerInlineAsm(OpTable &table) { table.add<tile::InlineAsmOp>(emitInlineAsm); }

} // namespace tessera::ir::host
