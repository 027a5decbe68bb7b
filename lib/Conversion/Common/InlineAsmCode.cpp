//===- InlineAsmCode.cpp - a target's own instructions --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/InlineAsmCode.h"

#include "Conversion/Common/CodeTypes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tessera::ir {

namespace LLVM = mlir::LLVM;

DictionaryAttr asmBodyFor(tile::InlineAsmOp op, StringRef target) {
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

std::string whyNoAsmBody(tile::InlineAsmOp op, StringRef target) {
  std::string keys;
  for (NamedAttribute known : op.getBodies())
    keys += (keys.empty() ? "" : ", ") + known.getName().str();
  return ("has bodies for " + keys + " and none for " + target +
          "; give it one, or the kernel another path for this target")
      .str();
}

namespace {

/// How `pack` elements of one type fill registers.
struct Registers {
  Registers(Type type, unsigned pack) : element(laneElement(tile::elementOf(type))), pack(pack) {
    bits = std::max(8U, element.getIntOrFloatBitWidth());
    isWhole = bits >= 32;
    count = isWhole ? pack : std::max(1U, pack * bits / 32);
    this->type = isWhole ? element : IntegerType::get(type.getContext(), 32);
  }

  Type element; ///< in code
  unsigned pack;
  unsigned bits; ///< that an element takes
  bool isWhole;  ///< a register holds one element
  unsigned count;
  Type type; ///< of a register
};

void toRegisters(MathBuilder &m, const Registers &r, ValueRange run, SmallVectorImpl<Value> &out) {
  if (r.isWhole)
    return out.append(run.begin(), run.end());
  const unsigned perRegister = r.pack / r.count;
  for (unsigned i = 0; i != r.count; ++i) {
    Value word;
    for (unsigned j = 0; j != perRegister; ++j) {
      Value bits = run[i * perRegister + j];
      if (isa<FloatType>(r.element))
        bits = m.toBits(bits);
      bits = m.zeroExtend(bits, 32);
      word = j ? m.orI(word, m.shl(bits, j * r.bits)) : bits;
    }
    out.push_back(word);
  }
}

SmallVector<Value> fromRegisters(MathBuilder &m, const Registers &r, ValueRange registers) {
  if (r.isWhole)
    return SmallVector<Value>(registers);
  SmallVector<Value> run;
  const unsigned perRegister = r.pack / r.count;
  for (unsigned i = 0; i != r.pack; ++i) {
    const Value word = m.shrU(registers[i / perRegister], i % perRegister * r.bits);
    const Value bits = m.truncate(word, r.element.getIntOrFloatBitWidth());
    auto type = dyn_cast<FloatType>(r.element);
    run.push_back(type ? m.fromBits(bits, type) : bits);
  }
  return run;
}

} // namespace

SmallVector<SmallVector<Value>> evaluateAsm(OpBuilder &b, Location loc, MathBuilder &m, tile::InlineAsmOp op,
                                            DictionaryAttr body, ArrayRef<SmallVector<Value>> runs) {
  const auto pack = static_cast<unsigned>(op.getPack());
  SmallVector<Value> operands;
  for (auto [operand, run] : llvm::zip_equal(op.getOperands(), runs))
    toRegisters(m, Registers(operand.getType(), pack), run, operands);
  SmallVector<Registers> results;
  SmallVector<Type> types;
  for (Value result : op.getResults()) {
    results.emplace_back(result.getType(), pack);
    types.append(results.back().count, results.back().type);
  }
  SmallVector<Type, 1> type;
  if (!types.empty())
    type.push_back(types.size() == 1 ? types[0] : LLVM::LLVMStructType::getLiteral(b.getContext(), types));
  auto code = LLVM::InlineAsmOp::create(b, loc, TypeRange(type), operands, cast<StringAttr>(body.get("asm")).getValue(),
                                        cast<StringAttr>(body.get("constraints")).getValue(), !op.getPure(), false,
                                        LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  SmallVector<Value> registers;
  for (unsigned i = 0; i != types.size(); ++i)
    registers.push_back(types.size() == 1 ? code.getResult(0)
                                          : Value(LLVM::ExtractValueOp::create(b, loc, code.getResult(0), i)));
  SmallVector<SmallVector<Value>> made;
  ValueRange rest = registers;
  for (const Registers &result : results) {
    made.push_back(fromRegisters(m, result, rest.take_front(result.count)));
    rest = rest.drop_front(result.count);
  }
  return made;
}

} // namespace tessera::ir
