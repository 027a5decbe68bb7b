//===- Decoder.h - a program while it is made ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The decoder walks the function once. A value of LLVM's is a list of registers, one for each number in it; taking a
// vector apart, or putting one together, needs no instruction. Registers are numbers until the end, when they get their
// places in the frame: those that live within one block of code share places.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_DECODE_DECODER_H
#define TESSERA_TARGET_SIM_DECODE_DECODER_H

#include "Target/Sim/Decode/Decode.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <map>
#include <optional>

namespace tessera::ir::sim {

using Slots = llvm::SmallVector<std::uint32_t, 4>;
using Types = llvm::SmallVector<Type, 4>;

/// Which places of the code the `imm` of an instruction names.
enum class Labels : std::uint8_t { None, One, Two };

class Decoder {
public:
  Decoder(const llvm::Module &module, Program &program, DecodeError &error);
  bool run(const llvm::Function &function);

private:
  //===--------------------------------------------------------------------===//
  // Values (Decoder.cpp)
  //===--------------------------------------------------------------------===//

  /// The numbers in a value of \p type; nothing if it holds something that has no register.
  static std::optional<Types> typesOf(llvm::Type *type);
  /// The one number of a scalar or of each element of a vector; nothing for structures.
  static std::optional<Type> elementOf(llvm::Type *type);
  /// The registers of an operand. Fails, and gives none, for what it cannot make.
  Slots in(const llvm::Value *value);
  std::optional<Slots> constantSlots(const llvm::Constant *constant);
  /// The address or other number that a constant expression stands for.
  std::optional<llvm::APInt> evaluate(const llvm::Constant *constant);
  std::optional<std::uint64_t> addressOf(const llvm::GlobalVariable *global);
  std::uint32_t constantSlot(Type type, const llvm::APInt &bits);
  std::uint32_t constantSlot(Type type, std::uint64_t bits) { return constantSlot(type, llvm::APInt(64, bits)); }
  std::uint32_t fresh(Type type);
  Slots fresh(llvm::ArrayRef<Type> types);
  void define(const llvm::Value *value, Slots slots) { values[value] = std::move(slots); }

  //===--------------------------------------------------------------------===//
  // Instructions (Decoder.cpp)
  //===--------------------------------------------------------------------===//

  /// Appends an instruction. The reference is good until the next one.
  Inst &emit(ExecFn exec, llvm::ArrayRef<std::uint32_t> outs, llvm::ArrayRef<std::uint32_t> ins,
             std::uint8_t flags = 0);
  /// The same for each element of \p instruction, whose operands \p operands are all vectors or all scalars. Defines
  /// it.
  bool emitElementwise(const llvm::Instruction &instruction, ExecFn exec, llvm::ArrayRef<const llvm::Value *> operands,
                       std::uint64_t imm = 0);
  void emitJump(std::uint32_t label);
  /// Makes a place for a later bind().
  std::uint32_t label();
  void bind(std::uint32_t label);
  MemoryOp &addMemory(Inst &inst);
  /// Of an instruction that touches two memories.
  void addMemoryPair(Inst &inst, MemoryOp first, MemoryOp second);
  std::uint32_t siteOf(const llvm::Instruction &instruction, llvm::StringRef name);
  bool fail(const llvm::Instruction &instruction, const llvm::Twine &text);
  /// "`fptrunc` of ... has no meaning on the simulated GPU".
  bool refuse(const llvm::Instruction &instruction, llvm::StringRef detail = {});

  bool decode(const llvm::Instruction &instruction);
  /// Moves for the phis of \p to on the edge from \p from.
  bool emitPhiMoves(const llvm::BasicBlock &from, const llvm::BasicBlock &to);
  /// The label to jump to from \p from for \p to; where moves are needed on the way, a new one that \p pending
  /// remembers.
  struct Edge {
    std::uint32_t label;
    const llvm::BasicBlock *to;
  };
  std::uint32_t edge(const llvm::BasicBlock &from, const llvm::BasicBlock &to, llvm::SmallVectorImpl<Edge> &pending);
  bool emitEdges(const llvm::BasicBlock &from, llvm::ArrayRef<Edge> pending);
  void finish();

  //===--------------------------------------------------------------------===//
  // Kinds of instructions (Instructions.cpp, Memory.cpp, Calls.cpp, Natives.cpp, AmdNatives.cpp)
  //===--------------------------------------------------------------------===//

  bool decodeArithmetic(const llvm::Instruction &instruction);
  bool decodeCast(const llvm::CastInst &cast);
  bool decodeBitcast(const llvm::CastInst &cast);
  bool decodeSelect(const llvm::SelectInst &select);
  bool decodeAggregate(const llvm::Instruction &instruction);
  bool decodeControl(const llvm::Instruction &instruction);
  bool decodeAddress(const llvm::GetElementPtrInst &gep);
  bool decodeLoad(const llvm::LoadInst &load);
  bool decodeStore(const llvm::StoreInst &store);
  bool decodeAtomicUpdate(const llvm::AtomicRMWInst &update);
  bool decodeCompareExchange(const llvm::AtomicCmpXchgInst &exchange);
  bool decodeCall(const llvm::CallInst &call);
  bool decodeIntrinsic(const llvm::CallInst &call);
  bool decodeVectorReduction(const llvm::CallInst &call);
  bool decodeBorder(const llvm::CallInst &call);
  bool decodeNative(const llvm::CallInst &call, llvm::StringRef instruction);
  bool decodeMma(const llvm::CallInst &call, llvm::StringRef instruction);
  bool decodeMatrixMove(const llvm::CallInst &call, llvm::StringRef instruction);
  bool decodeAsyncCopy(const llvm::CallInst &call, llvm::StringRef instruction);
  bool decodePhaseBarrier(const llvm::CallInst &call, llvm::StringRef instruction);
  bool decodeWgmma(const llvm::CallInst &call, llvm::StringRef instruction);
  bool decodeBulk(const llvm::CallInst &call, llvm::StringRef instruction);
  bool decodeAmdNative(const llvm::CallInst &call, llvm::StringRef instruction);
  bool decodeMfma(const llvm::CallInst &call, llvm::StringRef instruction);
  bool decodeColumnLoad(const llvm::CallInst &call, unsigned elementBytes);
  bool decodeAmdMath(const llvm::CallInst &call, llvm::StringRef instruction);
  bool decodeBorderAccess(const llvm::CallInst &call, bool writes, bool isShared);
  bool decodeClusterStore(const llvm::CallInst &call);
  bool decodeBorderAtomic(const llvm::CallInst &call);
  bool decodeStraightCopy(const llvm::CallInst &call);
  /// Defines \p call as what one instruction gives for all its operands.
  bool emitCall(const llvm::CallInst &call, ExecFn exec, std::uint8_t flags = 0);

  struct Draft {
    Inst inst;
    Slots slots;
    std::uint32_t block = 0;
    Labels labels = Labels::None;
  };
  struct Slot {
    Type type = Type::I32;
    bool isFixed = false; ///< constant or parameter
  };

  const llvm::Module &module;
  const llvm::DataLayout &layout;
  Program &program;
  DecodeError &error;
  std::vector<Draft> drafts;
  std::vector<Slot> slots;
  llvm::DenseMap<const llvm::Value *, Slots> values;
  std::map<std::tuple<Type, std::uint64_t, std::uint64_t>, std::uint32_t> constants;
  llvm::DenseMap<const llvm::GlobalVariable *, std::uint64_t> globals;
  llvm::DenseMap<const llvm::BasicBlock *, std::uint32_t> blockLabels;
  std::vector<std::uint32_t> labels; ///< where they are bound
  llvm::StringMap<std::uint32_t> siteNumbers, operations;
  std::map<ExecFn, std::uint64_t> counters; ///< how many of a kind there are, for tests
  std::uint64_t waits = 0;                  ///< the same of waits for copies
  std::uint32_t site = 0;                   ///< of the instruction that is decoded
  std::uint32_t block = 0;
};

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_DECODE_DECODER_H
