//===- ColumnLoadTest.cpp - AMD's loads of columns on the simulated GPU ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every lane gives another address, and must get what the lists of AmdFragments.h say.
//
//===---------------------------------------------------------------------===//

#include "unit/Layout/AmdFragments.h"
#include "unit/Target/Sim/SimTest.h"

#include <fmt/format.h>

namespace tessera::ir::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fragments = tessera::layout::test;

constexpr int kLanes = 64, kPieces = 64, kPieceBytes = 8;

/// The piece of shared memory that lane \p lane points to.
int pieceOf(int lane) { return (lane * 37 + 11) % kPieces; }

/// A kernel whose lanes store a piece of %from each, load from 8 bytes * pieceOf() + \p offset, and store what they
/// got.
std::string kernelOf(const std::string &name, const std::string &type, int offset) {
  return fmt::format(R"(
declare {1} @tessera.amd.{0}(ptr addrspace(3))
define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to) {{
  %l = call i32 @tessera.gpu.lane_id()
  %o = mul i32 %l, 8
  %pf = getelementptr i8, ptr addrspace(1) %from, i32 %o
  %ps = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %o
  %v = load i64, ptr addrspace(1) %pf
  store i64 %v, ptr addrspace(3) %ps
  call void @tessera.gpu.warp_sync()
  %m = mul i32 %l, 37
  %a = add i32 %m, 11
  %i = and i32 %a, 63
  %b = mul i32 %i, 8
  %c = add i32 %b, {2}
  %pl = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %c
  %r = call {1} @tessera.amd.{0}(ptr addrspace(3) %pl)
  %pt = getelementptr i8, ptr addrspace(1) %to, i32 %o
  store {1} %r, ptr addrspace(1) %pt
  ret void
}}
)",
                     name, type, offset);
}

Trial trial() {
  Trial run;
  run.machine = {.warpSize = kLanes};
  run.request.threads = kLanes;
  run.request.sharedBytes = kPieces * kPieceBytes;
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i != kPieces * kPieceBytes; ++i)
    bytes.push_back(static_cast<std::uint8_t>(i * 7 + i / 256));
  run.buffer(bytes);
  run.buffer(std::vector<std::uint8_t>(bytes.size()));
  return run;
}

template <class Element> void expectColumns(const std::string &name, const std::string &type, auto pieceOfElement) {
  Trial run = trial();
  ASSERT_EQ(run(kernelOf(name, type, 0)), "");
  const std::vector<Element> from = run.values<Element>(0), to = run.values<Element>(1);
  constexpr int kElements = kPieceBytes / static_cast<int>(sizeof(Element));
  for (int lane = 0; lane != kLanes; ++lane)
    for (int element = 0; element != kElements; ++element) {
      const fragments::Piece piece = pieceOfElement(element, lane);
      EXPECT_EQ(to[static_cast<std::size_t>(lane * kElements + element)],
                from[static_cast<std::size_t>(pieceOf(piece.lane) * kElements + piece.element)])
          << "element " << element << " of lane " << lane;
    }
}

TEST(SimColumnLoad, lanesGetWhatTheListsSay) {
  expectColumns<std::uint16_t>("ds.read.tr16.b64", "<4 x i16>", fragments::columnOfHalves);
  expectColumns<std::uint8_t>("ds.read.tr8.b64", "<2 x i32>", fragments::columnOfBytes);
}

TEST(SimColumnLoad, faultsAreThoseOfOtherReads) {
  EXPECT_THAT(trial()(kernelOf("ds.read.tr16.b64", "<4 x i16>", 4)), HasSubstr("not a multiple of 8"));
  EXPECT_THAT(trial()(kernelOf("ds.read.tr8.b64", "<2 x i32>", 64)),
              HasSubstr("must stay in the block's shared memory"));
  Trial narrow = trial();
  narrow.machine.warpSize = narrow.request.threads = 32;
  EXPECT_THAT(narrow(kernelOf("ds.read.tr16.b64", "<4 x i16>", 0)), AllOf(HasSubstr("refused"), HasSubstr("64 lanes")));
  EXPECT_THAT(trial()(kernelOf("ds.read.tr16.b64", "<2 x i16>", 0)), HasSubstr("refused"));
}

} // namespace
} // namespace tessera::ir::sim
