//===- Crowding.h - more blocks on a multiprocessor ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The assembler takes the registers that it likes, although a few less would let one block compute while another waits
// for memory. It spills rather than use more than what it is told must fit, so it is asked again, and what it then says
// is only taken if nothing was spilled. Much of what it takes serves to overlap instructions, which other warps do as
// well: kernels that fill less than half of a multiprocessor ask for more first.
//
// Kernels of rows have no loops: a block loads nothing while it computes, so that others must. What waits in registers
// while threads meet tells how many blocks may fit, and these are asked for at once.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_NVIDIA_CROWDING_H
#define TESSERA_TARGET_NVIDIA_CROWDING_H

#include "Arch/Chip.h"
#include "Runtime/Image.h"
#include "Target/NVIDIA/Cubin.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace tessera::ir::nvidia {

/// How many blocks of \p threads fit where \p halves of registers wait in each while they meet. Little is counted for
/// what does not wait, since numbers of threads and addresses are, which the assembler computes again.
std::int64_t blocksWaiting(std::int64_t threads, int halves, const arch::Chip &chip);

/// Has the assembler make \p kernel so that as many blocks fit as may, if it has no loops and threads meet in it: two,
/// or so many that they fill half of a multiprocessor; and \p least in any case. Behind the optimiser, where calls are
/// still those of the border.
void askForBlocks(llvm::Function &kernel, const arch::Chip &chip, std::int64_t least);

/// How many blocks \p ptx asks for; 0 if it has the user's own limit.
std::uint32_t blocksAskedFor(const std::string &ptx);

/// How many blocks of \p image should fit a multiprocessor, more than \p facts let: to be asked for in turn, until the
/// assembler can do it. At the price of a quarter of the registers; before, where warps are few, of three eighths.
std::vector<std::uint32_t> blocksToAskFor(const rt::Image &image, const CubinFacts &facts, const arch::Chip &chip);

/// \p ptx with its kernel made so that \p blocks fit; empty if it names no such number or the user's own limit.
std::string withBlocks(const std::string &ptx, std::uint32_t blocks);

/// Whether \p asked has no more in local memory than \p before.
bool spillsNoMore(const CubinFacts &asked, const CubinFacts &before);

} // namespace tessera::ir::nvidia

#endif // TESSERA_TARGET_NVIDIA_CROWDING_H
