//===- Border.h - the functions that a GPU gives a meaning -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Code at the `llvm` border is a thread's, and calls functions of two kinds for what LLVM IR has no word for:
// `tessera.gpu.*`, which every GPU has, and `tessera.nv.*` and the like, each one instruction of a vendor. This is the
// table of the first: their names and what LLVM may think of them. docs/plans/gpu-back-end.md says what they do.
// BorderCalls.h calls them while code is emitted; vendors and the simulator read names back with parse().
//
// No type of MLIR stands here.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_BORDER_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_BORDER_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tessera::ir::border {

/// What all names start with, and those of every GPU.
inline constexpr llvm::StringLiteral kPrefix{"tessera."};
inline constexpr llvm::StringLiteral kGpuPrefix{"tessera.gpu."};
/// The external array in address space 3 that is a block's shared memory.
inline constexpr llvm::StringLiteral kSharedArray{"tessera.shared"};
/// Address spaces.
inline constexpr unsigned kGlobalSpace = 1, kSharedSpace = 3;

/// A family of functions that differ in types and immediate words of the name.
enum class Function : std::uint8_t {
  ThreadId,
  LaneId,
  WarpId,
  BlockId,   ///< axis
  NumBlocks, ///< axis
  Barrier,
  ClusterBarrier,
  SharedBarrier,
  NamedBarrier,
  WarpSync,
  Fence,   ///< scope
  Shuffle, ///< shuffle
  Ballot,
  Reduce,       ///< reduction
  Load,         ///< type
  VolatileLoad, ///< type; a Load that is never merged with another
  Store,        ///< type
  SharedLoad,   ///< type
  SharedStore,  ///< type
  ClusterStore, ///< type; a SharedStore in a block of the cluster
  Atomic,       ///< atomic, type, order, scope, isShared: read-modify-write
  AtomicCas,    ///< type, order, scope, isShared
  AtomicLoad,   ///< type, order, scope, isShared
  AtomicStore,  ///< type, order, scope, isShared
  CopyToShared, ///< type
  CopyWait,
  Native, ///< vendor, instruction
};

enum class Axis : std::uint8_t { X, Y, Z };
enum class Scope : std::uint8_t { Block, Device, System };
enum class Order : std::uint8_t { Relaxed, Acquire, Release, AcqRel };
enum class Shuffle : std::uint8_t { Idx, Xor, Up, Down };
enum class Reduction : std::uint8_t { Add, SMin, SMax, UMin, UMax, And, Or, Xor };
enum class Atomic : std::uint8_t { Add, FAdd, SMin, SMax, UMin, UMax, And, Or, Xor, Xchg };
enum class Element : std::uint8_t { I8, I16, I32, I64, F16, BF16, F32, F64 };

/// What an access moves: "i32", "v4i32", "f16". Floats appear in atomic additions only.
struct AccessType {
  Element element = Element::I32;
  unsigned lanes = 1;

  unsigned bits() const;
  unsigned bytes() const { return bits() / 8; }
  bool isFloat() const { return element >= Element::F16; }
  bool operator==(const AccessType &) const = default;
};

/// `lanes` integers of \p bits bits.
AccessType integers(unsigned bits, unsigned lanes = 1);

/// One function: fields that its family does not use keep their defaults.
struct Callee {
  Function function = Function::ThreadId;
  Axis axis = Axis::X;
  Scope scope = Scope::Device;
  Order order = Order::Relaxed;
  Shuffle shuffle = Shuffle::Idx;
  Reduction reduction = Reduction::Add;
  Atomic atomic = Atomic::Add;
  bool isShared = false; ///< an atomic on shared memory
  AccessType type = {};
  std::string vendor = {};      ///< "nv"
  std::string instruction = {}; ///< "ex2.approx.f32"
  unsigned overload = 0;        ///< tells declarations of one instruction with different operands apart

  bool operator==(const Callee &) const = default;
};

/// "tessera.gpu.load.v4i32".
std::string nameOf(const Callee &callee);
/// The function called \p name; nothing if it is none of the table. Any other name below `tessera.` is a Native.
std::optional<Callee> parse(llvm::StringRef name);

/// What a function may do, for LLVM's attributes.
enum class Memory : std::uint8_t {
  None,
  ReadsArgument,  ///< at its pointer
  WritesArgument, ///< at its pointer
  Argument,       ///< reads and writes at its pointer
  Any,
};
struct Effects {
  Memory memory = Memory::None;
  bool isConvergent = false; ///< lanes meet: not to be moved into or out of a branch
  bool willReturn = true;
};
/// Of a function of the table that is not Native.
Effects effectsOf(const Callee &callee);

/// The operand `hints` of loads and stores: how to use caches, and how soon to evict. The numbers are those of
/// tile::CacheHint and tile::EvictHint.
struct Hints {
  unsigned cache = 0, evict = 0;

  constexpr std::uint32_t encode() const { return cache + 8 * evict; }
  static constexpr Hints decode(std::uint32_t word) { return {word % 8, word / 8}; }
  bool operator==(const Hints &) const = default;
};

} // namespace tessera::ir::border

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_BORDER_H
