//===- SharedMemoryTest.cpp - lives of buffers and places for them ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/SharedMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace tessera::ir;

namespace {

/// Lives with sizes that are no multiples of their alignments, some of them short and some long.
std::vector<SharedLife> randomLives(std::mt19937 &random, size_t count) {
  std::vector<SharedLife> lives;
  for (size_t i = 0; i < count; ++i) {
    const int64_t begin = random() % 20, length = 1 + random() % (random() % 2 ? 3 : 12);
    lives.push_back({static_cast<int64_t>(1 + random() % 300), int64_t{1} << random() % 7, begin, begin + length});
  }
  return lives;
}

/// Byte by byte and time by time: nobody's byte is another's.
void expectApart(const std::vector<SharedLife> &lives, const SharedPlaces &places) {
  ASSERT_EQ(places.offsets.size(), lives.size());
  for (int64_t time = 0; time < 40; ++time) {
    std::vector<int> owner(places.bytes, -1);
    for (size_t i = 0; i < lives.size(); ++i) {
      if (time < lives[i].begin || time >= lives[i].end)
        continue;
      for (int64_t byte = places.offsets[i]; byte < places.offsets[i] + lives[i].bytes; ++byte) {
        ASSERT_LT(byte, places.bytes);
        ASSERT_EQ(owner[byte], -1) << "life " << i << " at time " << time;
        owner[byte] = static_cast<int>(i);
      }
    }
  }
}

TEST(SharedPlaces, livesThatMeetAreApart) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    const std::vector<SharedLife> lives = randomLives(random, random() % 16);
    const SharedPlaces places = placeShared(lives);
    expectApart(lives, places);
    int64_t reach = 0;
    for (size_t i = 0; i < lives.size(); ++i) {
      EXPECT_EQ(places.offsets[i] % lives[i].alignment, 0);
      reach = std::max(reach, places.offsets[i] + lives[i].bytes);
    }
    EXPECT_EQ(places.bytes, reach);
    EXPECT_GE(places.bytes, leastSharedBytes(lives));
  }
}

/// The least peak of all: every life at every offset up to \p most, by trying.
int64_t bruteForce(const std::vector<SharedLife> &lives, std::vector<int64_t> &offsets, int64_t peak, int64_t most) {
  const size_t index = offsets.size();
  if (peak >= most || index == lives.size())
    return std::min(peak, most);
  for (int64_t offset = 0; offset + lives[index].bytes < most; offset += lives[index].alignment) {
    const bool apart = llvm::all_of(llvm::seq<size_t>(index), [&](size_t other) {
      return !lives[index].meets(lives[other]) || offset + lives[index].bytes <= offsets[other] ||
             offsets[other] + lives[other].bytes <= offset;
    });
    if (!apart)
      continue;
    offsets.push_back(offset);
    most = bruteForce(lives, offsets, std::max(peak, offset + lives[index].bytes), most);
    offsets.pop_back();
  }
  return most;
}

TEST(SharedPlaces, fewLivesArePlacedAsWellAsCanBe) {
  std::mt19937 random(5);
  int tight = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<SharedLife> lives = randomLives(random, 1 + random() % 5);
    for (SharedLife &life : lives) {
      life.bytes = 1 + life.bytes % 7;
      life.alignment = std::min<int64_t>(life.alignment, 2);
    }
    const SharedPlaces places = placeShared(lives);
    std::vector<int64_t> offsets;
    EXPECT_EQ(places.bytes, bruteForce(lives, offsets, 0, places.bytes + 1));
    tight += places.bytes == leastSharedBytes(lives);
  }
  EXPECT_GT(tight, 100);
}

TEST(SharedPlaces, livesInTurnShareMemory) {
  const std::vector<SharedLife> inTurn = {{100, 16, 0, 1}, {200, 16, 1, 2}, {50, 16, 2, 3}};
  EXPECT_EQ(placeShared(inTurn).bytes, 200);
  const std::vector<SharedLife> together = {{100, 16, 0, 2}, {200, 16, 1, 3}};
  EXPECT_EQ(placeShared(together).bytes, 308) << "the shorter reach of both orders";
}

TEST(SharedPlaces, neighboursInTimeAreApartIfKept) {
  const std::vector<SharedLife> inTurn = {{100, 16, 0, 1}, {100, 16, 1, 2}, {100, 16, 2, 3}, {100, 16, 5, 6}};
  const SmallVector<SharedLife> kept = keptThroughNext(inTurn);
  EXPECT_EQ(kept[0].end, 2);
  EXPECT_EQ(kept[1].end, 3);
  EXPECT_EQ(kept[2].end, 6);
  EXPECT_EQ(kept[3].end, 6) << "nothing comes after it";
  const SharedPlaces places = placeShared(kept);
  EXPECT_EQ(places.bytes, 212) << "two places in turn";
  EXPECT_EQ(places.offsets[0], places.offsets[2]);
  EXPECT_NE(places.offsets[0], places.offsets[1]);
}

class SharedObjects : public testing::Test {
protected:
  SharedObjects() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<layout::LayoutDialect, tile::TileDialect, mlir::arith::ArithDialect, mlir::scf::SCFDialect>();
  }
  /// What is said about the kernel of this body; empty if all lives are known.
  std::string problemOf(const std::string &body) {
    module = mlir::parseSourceString<ModuleOp>(
        "tile.kernel @k(%c: i1, %n: i64, %one: i64) {\n" + body + "\ntile.return }", &context);
    if (!module)
      return "does not parse";
    std::string problem;
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      problem = diagnostic.str();
      return success();
    });
    FailureOr<SmallVector<SharedObject>> found = sharedObjects(*module->getOps<tile::KernelOp>().begin());
    objects = succeeded(found) ? *found : SmallVector<SharedObject>();
    return problem;
  }
  static std::string alloc(const std::string &name) { return name + " = layout.shared_alloc : " + kType + "\n"; }
  static std::string free(const std::string &name) { return "layout.shared_free " + name + " : " + kType + "\n"; }
  static std::string use(const std::string &name) {
    return "layout.shared_fill " + name + ", %one : " + kType + ", i64\n";
  }
  static constexpr const char *kType = "!layout.buffer<16xi64, #layout.shared<16>>";

  mlir::MLIRContext context;
  OwningOpRef<ModuleOp> module;
  SmallVector<SharedObject> objects;
};

TEST_F(SharedObjects, livesFollowTheText) {
  EXPECT_EQ(problemOf(alloc("%a") + use("%a") + free("%a") + alloc("%b") + use("%b") + free("%b")), "");
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0].life.bytes, 128);
  EXPECT_EQ(objects[0].life.alignment, 16);
  EXPECT_FALSE(objects[0].life.meets(objects[1].life));
}

TEST_F(SharedObjects, whatLivesThroughALoopMeetsWhatLivesInIt) {
  EXPECT_EQ(problemOf(alloc("%a") + "scf.for %i = %n to %n step %one : i64 {\n" + alloc("%b") + use("%b") + free("%b") +
                      "}\n" + use("%a") + free("%a")),
            "");
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_TRUE(objects[0].life.meets(objects[1].life));
}

TEST_F(SharedObjects, branchesDoNotMeet) {
  EXPECT_EQ(problemOf("scf.if %c {\n" + alloc("%a") + use("%a") + free("%a") + "} else {\n" + alloc("%b") + use("%b") +
                      free("%b") + "}\n"),
            "");
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_FALSE(objects[0].life.meets(objects[1].life));
}

TEST_F(SharedObjects, everyLifeEndsAndNothingIsUsedAfter) {
  EXPECT_EQ(problemOf(alloc("%a") + use("%a")), "has no `layout.shared_free` that ends its life");
  EXPECT_EQ(problemOf(alloc("%a") + free("%a") + use("%a")), "uses a buffer after its `layout.shared_free`");
  EXPECT_EQ(problemOf(alloc("%a") + alloc("%b") + "%d = arith.select %c, %a, %b : " + kType + "\n" + use("%d") +
                      free("%a") + free("%b")),
            "uses a buffer whose `layout.shared_alloc` is not known");
}

TEST_F(SharedObjects, swizzlesAreAlignedToTheirPeriod) {
  const auto aligned = [&](std::vector<int64_t> shape, int bits, int swizzle) {
    const std::vector<int> rows{1, 0};
    const auto layout = tessera::layout::SharedLayout::tensorCopy(shape, rows, swizzle, bits / 8);
    const Type element = IntegerType::get(&context, bits);
    return alignmentOf(layout::BufferType::get(element, layout::SharedLayoutAttr::get(&context, layout)));
  };
  EXPECT_EQ(aligned({64, 64}, 16, 128), 1024);
  EXPECT_EQ(aligned({64, 32}, 16, 64), 512);
  EXPECT_EQ(aligned({64, 16}, 16, 32), 256);
  EXPECT_EQ(aligned({64, 128}, 8, 128), 1024);
}

} // namespace
