//===- Launch.cpp - what the threads of one launch share --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Launch.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstring>

namespace tessera::ir::interp {

bool Roots::meets(const Roots &other) const {
  if (unknown || other.unknown)
    return true;
  return std::find_first_of(origins.begin(), origins.end(), other.origins.begin(), other.origins.end()) !=
         origins.end();
}

Launch::Launch(const Code &code, const LaunchRequest &request, bool isRehearsal)
    : code(code), isRehearsal(isRehearsal), grid(request.grid), programs(1), arguments(request.arguments),
      pointees(request.pointees), options(request.options), argumentBuffers(code.parameters.size()) {
  for (std::int64_t extent : grid)
    programs *= extent > 0 ? static_cast<std::uint64_t>(extent) : 0;
  for (const LiveBuffer &b : request.buffers)
    buffers.add(b);
  if (isRehearsal) // which must not count as written what it writes
    for (Buffer &b : buffers.all)
      b.written = nullptr;
  buffers.sort();

  std::vector<std::size_t> pointers; // arguments that may not share a buffer
  for (std::size_t i = 0; i != code.parameters.size(); ++i) {
    const Parameter &parameter = code.parameters[i];
    if (parameter.elem != Elem::Ptr)
      continue;
    Buffer *buffer = buffers.pointedTo(addressOfOrigin(static_cast<std::uint32_t>(i)));
    if (!buffer)
      continue;
    argumentBuffers[i] = buffer;
    if (buffer->argument.empty())
      buffer->argument = parameter.name;
    if (parameter.mayAlias)
      continue;
    for (std::size_t other : pointers)
      if (argumentBuffers[other] == buffer && (parameter.written || code.parameters[other].written))
        argumentsShareBuffer = options.checks;
    pointers.push_back(i);
  }

  if (!options.checks)
    return;
  for (const MemorySite &site : code.memory) {
    if (!site.writes)
      continue;
    for (Buffer &b : buffers.all)
      b.maybeWritten |= site.roots.unknown;
    for (std::uint32_t origin : site.roots.origins)
      if (argumentBuffers[origin])
        buffers.all[argumentBuffers[origin]->index].maybeWritten = true;
  }
  if (programs > 1)
    races = makeRaceChecker(*this);
}

std::uint64_t Launch::addressOfOrigin(std::uint32_t origin) const {
  std::uint64_t address;
  std::memcpy(&address, arguments[origin], sizeof(address));
  return address;
}

const Buffer *Launch::nearestOrigin(const Roots &roots, std::uint64_t address) const {
  if (roots.unknown)
    return buffers.nearest(address);
  const Buffer *best = nullptr;
  const auto distance = [&](const Buffer &b) {
    return address < b.begin ? b.begin - address : address >= b.end ? address - b.end : 0;
  };
  for (std::uint32_t origin : roots.origins)
    if (const Buffer *b = bufferOfOrigin(origin); b && (!best || distance(*b) < distance(*best)))
      best = b;
  return best ? best : buffers.nearest(address);
}

std::string Launch::namesOf(const Roots &roots) const {
  std::string text;
  for (std::uint32_t origin : roots.origins) {
    text += text.empty() ? "" : " or ";
    text += fmt::format("`{}`", code.parameters[origin].name);
  }
  return text.empty() ? "a loaded pointer" : text;
}

std::string Launch::pointeeOf(const Roots &roots) const {
  if (roots.origins.empty())
    return {};
  const std::uint32_t origin = roots.origins.front();
  if (origin < pointees.size() && pointees[origin].kind > Kind::Any)
    return pointees[origin].name();
  return std::string(nameOf(code.parameters[origin].pointee));
}

} // namespace tessera::ir::interp
