//===- Frame.cpp - one thread executing programs of a grid ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Frame.h"

#include "Target/Interp/Checks/Aliases.h"
#include "Target/Interp/Launch.h"

#include "fmt/format.h"

namespace tessera::ir::interp {

Frame::Frame(const Code &code, Launch &launch)
    : code(code), launch(launch), log(kProgramOrder), checksOn(launch.options.checks && !launch.isRehearsal) {
  constexpr std::uintptr_t alignment = 64;
  storage = std::make_unique<std::byte[]>(code.frameBytes + alignment);
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(storage.get());
  registers = storage.get() + ((address + alignment - 1) / alignment * alignment - address);
  for (const Constant &constant : code.constants) {
    std::byte *to = registers + constant.slot.offset;
    for (std::size_t at = 0; at < constant.slot.bytes(); at += constant.bytes.size())
      std::memcpy(to + at, constant.bytes.data(), constant.bytes.size());
  }
  for (std::size_t i = 0; i != code.parameterSlots.size(); ++i) {
    const Slot &slot = code.parameterSlots[i];
    std::memcpy(registers + slot.offset, launch.arguments[i], slot.bytes());
    if (slot.elem == Elem::I1)
      *at<std::uint8_t>(slot) = *at<std::uint8_t>(slot) != 0;
  }
  if (launch.argumentsShareBuffer && checksOn)
    aliases = std::make_unique<AliasTracker>(code);
  execute(code.prologue, *this);
}

Frame::~Frame() = default;

void Frame::begin(std::uint64_t number) {
  turn = number;
  program = launch.programAt(turn);
  id = programId(program, launch.grid);
}

bool Frame::isRehearsal() const { return launch.isRehearsal; }

const Site &Frame::site(const Inst &inst) const { return code.sites[inst.site]; }

std::string Frame::compose(const Site &site, std::uint64_t lane, std::uint64_t lanes, const std::string &seen) const {
  std::string text = site.at.empty() ? seen : site.at + ": " + seen;
  text += ", in " + programName(id);
  if (site.shape.rank != 0)
    text += " at " + site.shape.coordinates(static_cast<std::int64_t>(lane));
  if (lanes > 1)
    text += fmt::format(" and {} more lane{}", lanes - 1, lanes == 2 ? "" : "s");
  if (!site.name.empty())
    text += fmt::format(" of `{}`", site.name);
  return text;
}

void Moves::run(Frame &frame) const {
  if (!temporaries.empty()) {
    for (std::size_t i = 0; i != moves.size(); ++i)
      std::memcpy(frame.at<char>(temporaries[i]), frame.at<char>(moves[i].from), moves[i].from.bytes());
    for (std::size_t i = 0; i != moves.size(); ++i)
      std::memcpy(frame.at<char>(moves[i].to), frame.at<char>(temporaries[i]), moves[i].to.bytes());
    return;
  }
  for (const Move &move : moves)
    std::memcpy(frame.at<char>(move.to), frame.at<char>(move.from), move.to.bytes());
}

} // namespace tessera::ir::interp
