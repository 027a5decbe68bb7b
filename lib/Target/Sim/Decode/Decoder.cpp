//===- Decoder.cpp - a program while it is made ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Decode/Decoder.h"

#include "Conversion/LayoutToLLVM/Border.h"
#include "Target/Sim/Ops/Arithmetic.h"
#include "Target/Sim/Ops/ControlOps.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Operator.h"

#include <algorithm>
#include <fmt/format.h>

namespace tessera::ir::sim {

Decoder::Decoder(const llvm::Module &module, Program &program, DecodeError &error)
    : module(module), layout(module.getDataLayout()), program(program), error(error) {}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<Type> Decoder::elementOf(llvm::Type *type) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    type = vector->getElementType();
  if (type->isPointerTy())
    return Type::I64;
  if (type->isHalfTy())
    return Type::F16;
  if (type->isBFloatTy())
    return Type::BF16;
  if (type->isFloatTy())
    return Type::F32;
  if (type->isDoubleTy())
    return Type::F64;
  if (!type->isIntegerTy())
    return std::nullopt;
  switch (type->getIntegerBitWidth()) {
  case 1:
    return Type::I1;
  case 8:
    return Type::I8;
  case 16:
    return Type::I16;
  case 32:
    return Type::I32;
  case 64:
    return Type::I64;
  case 128:
    return Type::I128;
  default:
    return std::nullopt;
  }
}

std::optional<Types> Decoder::typesOf(llvm::Type *type) {
  if (type->isVoidTy())
    return Types();
  if (type->isStructTy() || type->isArrayTy()) {
    Types all;
    const bool isArray = type->isArrayTy();
    const std::uint64_t count = isArray ? type->getArrayNumElements() : type->getStructNumElements();
    for (std::uint64_t i = 0; i != count; ++i) {
      const auto part = typesOf(isArray ? type->getArrayElementType() : type->getStructElementType(unsigned(i)));
      if (!part)
        return std::nullopt;
      all.append(*part);
    }
    return all;
  }
  const std::optional<Type> element = elementOf(type);
  if (!element)
    return std::nullopt;
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return Types(vector ? vector->getNumElements() : 1, *element);
}

std::uint32_t Decoder::fresh(Type type) {
  slots.push_back({type, false});
  return static_cast<std::uint32_t>(slots.size() - 1);
}

Slots Decoder::fresh(llvm::ArrayRef<Type> types) {
  Slots all;
  for (Type type : types)
    all.push_back(fresh(type));
  return all;
}

std::uint32_t Decoder::constantSlot(Type type, const llvm::APInt &bits) {
  const llvm::APInt wide = bits.zext(std::max(bits.getBitWidth(), 128u));
  const std::uint64_t low = wide.extractBitsAsZExtValue(64, 0), high = wide.extractBitsAsZExtValue(64, 64);
  const auto [found, isNew] = constants.try_emplace({type, low, high}, 0);
  if (isNew) {
    found->second = fresh(type);
    slots[found->second].isFixed = true;
    program.constants.push_back({found->second, type, {low, high}});
  }
  return found->second;
}

/// The numbers of a table in memory order; false for what is not a table of numbers.
static bool appendBytes(const llvm::Constant *constant, const llvm::DataLayout &layout, std::string &bytes) {
  if (const auto *data = llvm::dyn_cast<llvm::ConstantDataSequential>(constant)) {
    bytes += data->getRawDataValues();
    return true;
  }
  if (llvm::isa<llvm::ConstantAggregateZero>(constant)) {
    bytes.append(layout.getTypeAllocSize(constant->getType()), '\0');
    return true;
  }
  if (!llvm::isa<llvm::ConstantArray, llvm::ConstantStruct>(constant))
    return false;
  return llvm::all_of(constant->operands(), [&](const llvm::Use &part) {
    return appendBytes(llvm::cast<llvm::Constant>(part.get()), layout, bytes);
  });
}

std::optional<std::uint64_t> Decoder::addressOf(const llvm::GlobalVariable *global) {
  if (global->getName() == border::kSharedArray && global->getAddressSpace() == border::kSharedSpace)
    return kSharedTag | kSharedBase;
  if (const auto found = globals.find(global); found != globals.end())
    return found->second;
  std::string bytes;
  if (!global->hasInitializer() || !global->isConstant() || global->getAddressSpace() == border::kSharedSpace ||
      !appendBytes(global->getInitializer(), layout, bytes))
    return std::nullopt;
  std::vector<std::uint64_t> &data = program.data.emplace_back((bytes.size() + 7) / 8);
  std::memcpy(data.data(), bytes.data(), bytes.size());
  program.dataBytes.push_back(bytes.size());
  const auto address = reinterpret_cast<std::uint64_t>(data.data());
  globals[global] = address;
  return address;
}

/// A pointer into shared memory made of its offset.
static llvm::APInt withTag(llvm::APInt address, llvm::Type *pointer) {
  address = address.zextOrTrunc(64);
  if (pointer->getPointerAddressSpace() == border::kSharedSpace && !address.isZero() && address.getActiveBits() <= 32)
    address |= kSharedTag;
  return address;
}

std::optional<llvm::APInt> Decoder::evaluate(const llvm::Constant *constant) {
  if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(constant))
    return number->getValue();
  if (const auto *number = llvm::dyn_cast<llvm::ConstantFP>(constant))
    return number->getValueAPF().bitcastToAPInt();
  if (constant->isNullValue() && constant->getType()->isPointerTy())
    return llvm::APInt(64, 0);
  if (llvm::isa<llvm::UndefValue>(constant)) // poison too
    return llvm::APInt(128, {kPoison, kPoison});
  if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
    const std::optional<std::uint64_t> address = addressOf(global);
    return address ? std::optional(llvm::APInt(64, *address)) : std::nullopt;
  }
  const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(constant);
  if (!expression)
    return std::nullopt;
  const std::optional<llvm::APInt> first = evaluate(expression->getOperand(0));
  if (!first)
    return std::nullopt;
  if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(expression)) {
    llvm::APInt offset(layout.getIndexTypeSizeInBits(gep->getType()), 0);
    if (!gep->accumulateConstantOffset(layout, offset))
      return std::nullopt;
    return first->zextOrTrunc(64) + offset.sextOrTrunc(64);
  }
  switch (expression->getOpcode()) {
  case llvm::Instruction::IntToPtr:
    return withTag(*first, expression->getType());
  case llvm::Instruction::PtrToInt:
    return first->zextOrTrunc(expression->getType()->getIntegerBitWidth());
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::BitCast:
    return first;
  default:
    return std::nullopt;
  }
}

std::optional<Slots> Decoder::constantSlots(const llvm::Constant *constant) {
  const std::optional<Types> types = typesOf(constant->getType());
  if (!types)
    return std::nullopt;
  if (constant->getType()->isAggregateType() || constant->getType()->isVectorTy()) {
    const std::uint64_t parts =
        llvm::isa<llvm::StructType>(constant->getType()) ? constant->getType()->getStructNumElements()
        : constant->getType()->isArrayTy() ? constant->getType()->getArrayNumElements()
                                           : llvm::cast<llvm::FixedVectorType>(constant->getType())->getNumElements();
    Slots all;
    for (unsigned i = 0; i != parts; ++i) {
      const llvm::Constant *part = constant->getAggregateElement(i);
      const std::optional<Slots> slots = part ? constantSlots(part) : std::nullopt;
      if (!slots)
        return std::nullopt;
      all.append(*slots);
    }
    return all;
  }
  const std::optional<llvm::APInt> bits = evaluate(constant);
  if (!bits)
    return std::nullopt;
  const unsigned width = types->front() == Type::I1 ? 1 : 8 * bytesOf(types->front());
  return Slots{constantSlot(types->front(), bits->zextOrTrunc(width))};
}

Slots Decoder::in(const llvm::Value *value) {
  if (const auto found = values.find(value); found != values.end())
    return found->second;
  if (const auto *constant = llvm::dyn_cast<llvm::Constant>(value))
    if (const std::optional<Slots> slots = constantSlots(constant))
      return *slots;
  // A value that comes later in the order of blocks (a phi's on a back edge), or one that has no registers.
  const std::optional<Types> types = typesOf(value->getType());
  if (!llvm::isa<llvm::Instruction>(value) || !types)
    return {};
  return values[value] = fresh(*types);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

Inst &Decoder::emit(ExecFn exec, llvm::ArrayRef<std::uint32_t> outs, llvm::ArrayRef<std::uint32_t> ins,
                    std::uint8_t flags) {
  Draft &draft = drafts.emplace_back();
  draft.inst.exec = exec;
  draft.inst.outs = static_cast<std::uint16_t>(outs.size());
  draft.inst.flags = flags;
  draft.inst.site = site;
  draft.slots.assign(outs.begin(), outs.end());
  draft.slots.append(ins.begin(), ins.end());
  draft.block = block;
  return draft.inst;
}

bool Decoder::emitElementwise(const llvm::Instruction &instruction, ExecFn exec,
                              llvm::ArrayRef<const llvm::Value *> operands, std::uint64_t imm) {
  const std::optional<Types> types = typesOf(instruction.getType());
  if (!exec || !types)
    return refuse(instruction);
  llvm::SmallVector<Slots, 3> ins;
  for (const llvm::Value *operand : operands) {
    ins.push_back(in(operand));
    if (ins.back().size() != types->size())
      return refuse(instruction);
  }
  const Slots outs = in(&instruction);
  for (std::size_t k = 0; k != outs.size(); ++k) {
    Slots own;
    for (const Slots &operand : ins)
      own.push_back(operand[k]);
    emit(exec, outs[k], own).imm = imm;
  }
  return true;
}

std::uint32_t Decoder::label() {
  labels.push_back(0);
  return static_cast<std::uint32_t>(labels.size() - 1);
}

void Decoder::bind(std::uint32_t which) { labels[which] = static_cast<std::uint32_t>(drafts.size()); }

void Decoder::emitJump(std::uint32_t to) {
  emit(jumpFunction(), {}, {}, kControl).imm = to;
  drafts.back().labels = Labels::One;
}

MemoryOp &Decoder::addMemory(Inst &inst) {
  inst.flags |= kYield;
  inst.extra = static_cast<std::uint32_t>(program.memory.size());
  MemoryOp &op = program.memory.emplace_back();
  op.number = inst.extra;
  // Instructions of one operation have its line and column. Without them every instruction is its own.
  const std::string &at = program.sites[inst.site].at;
  op.op = at.empty() ? ~inst.extra : operations.try_emplace(at, operations.size()).first->second;
  return op;
}

void Decoder::addMemoryPair(Inst &inst, MemoryOp first, MemoryOp second) {
  const std::size_t start = program.memory.size();
  for (MemoryOp *op : {&first, &second}) {
    MemoryOp &place = addMemory(inst);
    op->number = place.number;
    op->op = place.op;
    place = *op;
  }
  inst.extra = static_cast<std::uint32_t>(start);
}

std::uint32_t Decoder::siteOf(const llvm::Instruction &instruction, llvm::StringRef name) {
  Site place;
  if (const llvm::DILocation *location = instruction.getDebugLoc().get(); location && location->getLine())
    place.at = fmt::format("{}:{}:{}", location->getFilename().str(), location->getLine(), location->getColumn());
  place.op = name.str();
  const auto [found, isNew] =
      siteNumbers.try_emplace(place.at + " " + place.op, static_cast<std::uint32_t>(program.sites.size()));
  // Places without a line are told apart all the same.
  if (!isNew && !place.at.empty())
    return found->second;
  program.sites.push_back(std::move(place));
  return static_cast<std::uint32_t>(program.sites.size() - 1);
}

bool Decoder::fail(const llvm::Instruction &instruction, const llvm::Twine &text) {
  if (!error.text.empty())
    return false;
  error.text = text.str();
  if (const llvm::DILocation *location = instruction.getDebugLoc().get()) {
    error.file = location->getFilename().str();
    error.line = location->getLine();
    error.column = location->getColumn();
  }
  return false;
}

bool Decoder::refuse(const llvm::Instruction &instruction, llvm::StringRef detail) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '`';
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (const llvm::Function *callee = call ? call->getCalledFunction() : nullptr)
    stream << callee->getName();
  else
    stream << instruction.getOpcodeName();
  stream << "` of type ";
  instruction.getType()->print(stream);
  if (instruction.getNumOperands() != 0 && !call) {
    stream << " with an operand of type ";
    instruction.getOperand(0)->getType()->print(stream);
  }
  stream << " has no meaning on the simulated GPU";
  if (!detail.empty())
    stream << ": " << detail;
  return fail(instruction, text);
}

//===----------------------------------------------------------------------===//
// Blocks and edges
//===----------------------------------------------------------------------===//

bool Decoder::emitPhiMoves(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  struct Move {
    std::uint32_t from, to;
  };
  llvm::SmallVector<Move, 8> moves;
  for (const llvm::PHINode &phi : to.phis()) {
    const Slots source = in(phi.getIncomingValueForBlock(&from)), target = in(&phi);
    if (source.size() != target.size() || target.empty())
      return refuse(phi);
    for (std::size_t k = 0; k != target.size(); ++k)
      if (source[k] != target[k])
        moves.push_back({source[k], target[k]});
  }
  // All sources are read before a target is written, where they cross.
  const bool crosses = llvm::any_of(moves, [&](const Move &a) {
    return llvm::any_of(moves, [&](const Move &b) { return &a != &b && a.to == b.from; });
  });
  if (crosses)
    for (Move &move : moves) {
      const std::uint32_t copy = fresh(slots[move.from].type);
      emit(moveFunction(slots[copy].type), copy, move.from);
      move.from = copy;
    }
  for (const Move &move : moves)
    emit(moveFunction(slots[move.to].type), move.to, move.from);
  return true;
}

std::uint32_t Decoder::edge(const llvm::BasicBlock &, const llvm::BasicBlock &to,
                            llvm::SmallVectorImpl<Edge> &pending) {
  if (to.phis().empty())
    return blockLabels[&to];
  for (const Edge &known : pending)
    if (known.to == &to)
      return known.label;
  pending.push_back({label(), &to});
  return pending.back().label;
}

bool Decoder::emitEdges(const llvm::BasicBlock &from, llvm::ArrayRef<Edge> pending) {
  for (const Edge &edge : pending) {
    bind(edge.label);
    if (!emitPhiMoves(from, *edge.to))
      return false;
    emitJump(blockLabels[edge.to]);
  }
  return true;
}

/// The blocks that can be reached, each before those it leads to, and the body of a loop before what follows the loop:
/// so the lanes that leave a loop early wait for the others.
static std::vector<const llvm::BasicBlock *> orderOf(const llvm::Function &function) {
  llvm::DominatorTree dominators(const_cast<llvm::Function &>(function));
  llvm::LoopInfo loops(dominators);
  std::vector<const llvm::BasicBlock *> order;
  llvm::DenseMap<const llvm::BasicBlock *, bool> seen;
  struct Visit {
    const llvm::BasicBlock *block;
    llvm::SmallVector<const llvm::BasicBlock *, 2> rest;
  };
  std::vector<Visit> stack;
  const auto enter = [&](const llvm::BasicBlock *block) {
    if (seen.insert({block, true}).second) {
      Visit visit{block, {llvm::succ_begin(block), llvm::succ_end(block)}};
      // Taken from the back: what leaves loops first, so that it ends up last.
      llvm::sort(visit.rest, [&](const llvm::BasicBlock *a, const llvm::BasicBlock *b) {
        return loops.getLoopDepth(a) > loops.getLoopDepth(b);
      });
      stack.push_back(std::move(visit));
    }
  };
  enter(&function.getEntryBlock());
  while (!stack.empty()) {
    if (stack.back().rest.empty()) {
      order.push_back(stack.back().block);
      stack.pop_back();
    } else {
      enter(stack.back().rest.pop_back_val());
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

bool Decoder::run(const llvm::Function &function) {
  for (const llvm::Argument &argument : function.args()) {
    const std::optional<Types> types = typesOf(argument.getType());
    if (!types || types->size() != 1) {
      error.text = fmt::format("parameter {} of the kernel is no number", argument.getArgNo());
      return false;
    }
    const Slots own = fresh(*types);
    slots[own[0]].isFixed = true;
    program.parameters.push_back({own[0], (*types)[0], argument.hasByValAttr()});
    define(&argument, own);
  }
  const std::vector<const llvm::BasicBlock *> order = orderOf(function);
  for (const llvm::BasicBlock *each : order)
    blockLabels[each] = label();
  for (const llvm::BasicBlock *each : order) {
    ++block;
    bind(blockLabels[each]);
    for (const llvm::Instruction &instruction : *each) {
      if (llvm::isa<llvm::PHINode>(instruction) || instruction.isDebugOrPseudoInst())
        continue;
      const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      site = siteOf(instruction, callee ? callee->getName() : llvm::StringRef(instruction.getOpcodeName()));
      if (!decode(instruction))
        return refuse(instruction); // where no better reason was given
    }
  }
  finish();
  return true;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void Decoder::finish() {
  // Jumps name labels; now they have places. What jumps back is where another warp may go on.
  const auto place = [&](std::uint64_t which) { return std::uint64_t(labels[which]); };
  for (std::size_t i = 0; i != drafts.size(); ++i) {
    Draft &draft = drafts[i];
    if (draft.labels == Labels::None)
      continue;
    const std::uint64_t low = place(draft.inst.imm & 0xffffffff);
    const std::uint64_t high = draft.labels == Labels::Two ? place(draft.inst.imm >> 32) : low;
    draft.inst.imm = low | high << 32;
    if (std::min(low, high) <= i)
      draft.inst.flags |= kYield;
  }
  for (SwitchTable &table : program.switches) {
    for (auto &[value, where] : table.cases)
      where = labels[where];
    table.otherwise = labels[table.otherwise];
  }

  // Where each register is used: within one block of code, or everywhere.
  struct Life {
    std::uint32_t block = 0;
    std::size_t last = 0;
    bool isLocal = true;
  };
  std::vector<Life> lives(slots.size());
  for (std::size_t i = 0; i != drafts.size(); ++i)
    for (std::uint32_t slot : drafts[i].slots) {
      Life &life = lives[slot];
      if (life.block && life.block != drafts[i].block)
        life.isLocal = false;
      life.block = drafts[i].block;
      life.last = i;
    }
  std::uint32_t end = 0;
  const auto allocate = [&](Type type) {
    const std::uint32_t at = end;
    end += (bytesOf(type) * program.warpSize + 63) / 64 * 64;
    return at;
  };
  std::vector<std::uint32_t> places(slots.size());
  for (std::size_t slot = 0; slot != slots.size(); ++slot)
    if (slots[slot].isFixed || !lives[slot].isLocal)
      places[slot] = allocate(slots[slot].type);
  std::map<unsigned, std::vector<std::uint32_t>> spare; // by bytes of a number
  std::vector<bool> isPlaced(slots.size());
  for (std::size_t i = 0; i != drafts.size(); ++i) {
    const llvm::ArrayRef<std::uint32_t> used = drafts[i].slots;
    const auto isLocal = [&](std::uint32_t slot) { return !slots[slot].isFixed && lives[slot].isLocal; };
    for (std::uint32_t slot : used)
      if (isLocal(slot) && !isPlaced[slot]) {
        std::vector<std::uint32_t> &free = spare[bytesOf(slots[slot].type)];
        places[slot] = free.empty() ? allocate(slots[slot].type) : free.back();
        if (!free.empty())
          free.pop_back();
        isPlaced[slot] = true;
      }
    for (std::uint32_t slot : used)
      if (isLocal(slot) && isPlaced[slot] && lives[slot].last == i) {
        spare[bytesOf(slots[slot].type)].push_back(places[slot]);
        isPlaced[slot] = false;
      }
  }
  program.frameBytes = end;

  for (Constant &constant : program.constants)
    constant.offset = places[constant.offset];
  for (Parameter &parameter : program.parameters)
    parameter.offset = places[parameter.offset];
  std::size_t count = 0;
  for (const Draft &draft : drafts)
    count += draft.slots.size();
  program.pool.reserve(count); // instructions point into it
  for (Draft &draft : drafts) {
    draft.inst.slots = program.pool.data() + program.pool.size();
    for (std::uint32_t slot : draft.slots)
      program.pool.push_back(places[slot]);
    program.code.push_back(draft.inst);
  }
}

//===----------------------------------------------------------------------===//
// The door
//===----------------------------------------------------------------------===//

std::string DecodeError::message() const { return line ? fmt::format("{}:{}:{}: {}", file, line, column, text) : text; }

Machine machineOf(const arch::Chip &chip) {
  return {.warpSize = static_cast<unsigned>(chip.warpSize), .hasFnuz = chip.has(arch::Feature::Fp8Fnuz)};
}

std::unique_ptr<Program> decode(const llvm::Module &module, llvm::StringRef entry, const Machine &machine,
                                DecodeError &error) {
  const llvm::Function *function = module.getFunction(entry);
  if (!function || function->isDeclaration()) {
    error.text = fmt::format("the module has no function `{}`", entry.str());
    return nullptr;
  }
  auto program = std::make_unique<Program>();
  program->name = entry.str();
  program->warpSize = machine.warpSize;
  program->hasFnuz = machine.hasFnuz;
  Decoder decoder(module, *program, error);
  if (!decoder.run(*function))
    return nullptr;
  return program;
}

} // namespace tessera::ir::sim
