//===- Rehearsal.cpp - the programs in reverse order --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/Rehearsal.h"

#include "Target/Interp/Checks/Waiting.h"
#include "Target/Interp/Frame.h"

#include <algorithm>
#include <cstring>

namespace tessera::ir::interp {

namespace {

/// Most bytes that are kept to be put back.
constexpr std::uint64_t kMaxKept = std::uint64_t(1) << 28;

/// Puts the contents of buffers back when it goes.
class Kept {
public:
  explicit Kept(const Buffers &buffers) {
    for (const Buffer &buffer : buffers.all)
      if (buffer.maybeWritten) {
        const auto *from = reinterpret_cast<const std::byte *>(buffer.begin);
        contents.emplace_back(buffer.begin, std::vector<std::byte>(from, from + buffer.bytes()));
      }
  }
  ~Kept() {
    for (const auto &[address, bytes] : contents)
      std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte *>(address));
  }
  Kept(const Kept &) = delete;
  Kept &operator=(const Kept &) = delete;

private:
  std::vector<std::pair<std::uint64_t, std::vector<std::byte>>> contents;
};

} // namespace

bool wantsRehearsal(const Launch &launch) {
  const Code &code = launch.code;
  if (!launch.options.checks || launch.programs < 2 || !code.acquires || !code.releases || code.stops)
    return false;
  // Through a loaded pointer the kernel may write memory of which others know more.
  if (std::any_of(code.memory.begin(), code.memory.end(),
                  [](const MemorySite &site) { return site.writes && site.roots.unknown; }))
    return false;
  std::uint64_t bytes = 0;
  for (const Buffer &buffer : launch.buffers.all) {
    if (!buffer.maybeWritten)
      continue;
    if (!buffer.sizeKnown || buffer.bytes() > kMaxKept)
      return false;
    bytes += buffer.bytes();
  }
  return bytes <= kMaxKept;
}

FaultLog rehearse(const Code &code, const LaunchRequest &request) {
  Launch launch(code, request, /*isRehearsal=*/true);
  const Kept kept(launch.buffers);
  Frame frame(code, launch);
  try {
    for (std::uint64_t turn = 0; turn != launch.programs; ++turn) {
      frame.begin(turn);
      execute(code.body, frame);
    }
  } catch (const StopLaunch &) { // its fault is logged
  }
  FaultLog log = std::move(frame.log);
  FaultLog races(kAfterOrder);
  launch.races->finish(launch, races);
  log.merge(races);
  return log;
}

} // namespace tessera::ir::interp
