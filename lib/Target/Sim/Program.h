//===- Program.h - a kernel decoded for the simulated GPU ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A kernel is one flat list of instructions. A register is an array of one number per lane of a warp at a fixed offset
// of the warp's register file; an instruction is a function, already chosen for its types, with the registers it writes
// and reads. Vectors and structures have been taken apart, phis have become moves on the edges. No LLVM here: what
// executes compiles without it.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_PROGRAM_H
#define TESSERA_TARGET_SIM_PROGRAM_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::ir::sim {

class Warp;
struct Inst;

/// A bit a lane.
using LaneMask = std::uint64_t;

/// The number a register holds for each lane. Pointers are I64.
enum class Type : std::uint8_t { I1, I8, I16, I32, I64, I128, F16, BF16, F32, F64 };

/// Bytes of one lane's number in a register; i1 takes one.
constexpr unsigned bytesOf(Type type) {
  constexpr unsigned bytes[] = {1, 1, 2, 4, 8, 16, 2, 2, 4, 8};
  return bytes[static_cast<unsigned>(type)];
}
constexpr bool isFloat(Type type) { return type >= Type::F16; }

using ExecFn = void (*)(const Inst &, Warp &);

/// What the scheduler must know of an instruction before it runs.
enum : std::uint8_t {
  kControl = 1,  ///< decides itself where its lanes go on
  kConverge = 2, ///< all lanes of the warp take part
  kYield = 4,    ///< another warp may run first
};

/// One instruction. Immutable once decoded.
struct Inst {
  ExecFn exec = nullptr;
  const std::uint32_t *slots = nullptr; ///< offsets of the registers: those it writes, then those it reads
  std::uint64_t imm = 0;
  std::uint32_t site = 0;  ///< index into Program::sites
  std::uint32_t extra = 0; ///< index into the table that goes with the instruction
  std::uint16_t outs = 0;
  std::uint8_t flags = 0;

  std::uint32_t out(unsigned i) const { return slots[i]; }
  std::uint32_t in(unsigned i) const { return slots[outs + i]; }
};

/// Where an instruction came from.
struct Site {
  std::string at; ///< "kernel.cpp:12:8", or empty
  std::string op; ///< "load", "tessera.gpu.barrier"
};

/// Which memory an address is in. Numbers are LLVM's address spaces.
enum class Space : std::uint8_t { Generic = 0, Global = 1, Shared = 3, Constant = 4 };

/// The order and scope of an atomic operation or fence.
enum class Order : std::uint8_t { Relaxed, Acquire, Release, AcquireRelease };

/// What the memory sees of an instruction that touches it.
struct MemoryOp {
  Space space = Space::Global;
  std::uint8_t elementBytes = 4;
  std::uint8_t count = 1;  ///< elements of a lane, contiguous
  std::uint32_t align = 4; ///< what the instruction needs, in bytes
  bool writes = false;
  bool atomic = false;
  Order order = Order::Relaxed;
  std::uint32_t number = 0; ///< its own place in Program::memory
  std::uint32_t op = 0;     ///< the same for all instructions of one operation of the source

  unsigned bytes() const { return unsigned(elementBytes) * count; }
};

/// A register that holds the same number in all lanes for as long as the program lives.
struct Constant {
  std::uint32_t offset = 0;
  Type type = Type::I32;
  std::array<std::uint64_t, 2> bits{};
};

/// A parameter of the kernel's function.
struct Parameter {
  std::uint32_t offset = 0; ///< of its register
  Type type = Type::I64;
  bool isByAddress = false; ///< a structure by value: the register holds where it lies
};

/// Where the lanes of a switch go.
struct SwitchTable {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> cases; ///< value, place in the code
  std::uint32_t otherwise = 0;
};

/// What a program knows of the chip it is for.
struct Machine {
  unsigned warpSize = 32;
  bool hasFnuz = false; ///< fp8 of matrix products is e4m3fnuz and e5m2fnuz
};

/// A kernel, ready to execute. Immutable once decoded, so that many launches may share it.
struct Program {
  std::string name;
  unsigned warpSize = 32;
  bool hasFnuz = false;
  std::vector<Inst> code;
  std::vector<std::uint32_t> pool; ///< the registers of all instructions
  std::vector<Site> sites;
  std::vector<MemoryOp> memory;
  std::vector<SwitchTable> switches;
  std::vector<Constant> constants;
  std::vector<Parameter> parameters;
  std::vector<std::vector<std::uint64_t>> data; ///< tables the kernel reads; their addresses are in its constants
  std::vector<std::size_t> dataBytes;
  std::uint32_t frameBytes = 0; ///< of a warp's register file
};

/// Pointers to shared memory carry this tag, which no address of the host has. The first buffer does not start at 0, so
/// that a null pointer is found.
inline constexpr std::uint64_t kSharedTag = 0x5a5a000000000000, kSharedTagMask = 0xffffffff00000000;
inline constexpr std::uint32_t kSharedBase = 1024;
constexpr bool isShared(std::uint64_t address) { return (address & kSharedTagMask) == kSharedTag; }

/// What an undefined value looks like.
inline constexpr std::uint64_t kPoison = 0xa5a5a5a5a5a5a5a5;

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_PROGRAM_H
