//===- ImageTest.cpp - the launch ABI on paper and in files -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Image.h"
#include "Support/Hash.h"
#include "unit/Expect.h"
#include "unit/Runtime/SampleImage.h"

#include <cstring>
#include <random>

using namespace tessera;
using namespace tessera::rt;
using tessera::test::wordsOf;
using testing::HasSubstr;

TEST(Image, laysArgumentsOutLikeAStruct) {
  const Image image = sampleImage();
  std::vector<std::uint32_t> offsets;
  for (const Argument &argument : image.arguments)
    offsets.push_back(argument.offset);
  EXPECT_EQ(offsets, (std::vector<std::uint32_t>{0, 8, 16, 24, 64, 192, 200}));
  EXPECT_EQ(image.packedBytes, 208u);
  EXPECT_EQ(image.check(), "");
}

TEST(Image, keepsFactsSorted) {
  Image image = sampleImage();
  image.setFact("registers", "170");
  ASSERT_EQ(image.metadata.size(), 2u);
  EXPECT_EQ(image.metadata[0].first, "key");
  EXPECT_EQ(*image.fact("registers"), "170");
  EXPECT_EQ(image.fact("spills"), nullptr);
}

TEST(Image, survivesTheWayThroughAFile) {
  const Image image = sampleImage();
  EXPECT_EQ(Image::deserialize(image.serialize()), image);
  Image empty;
  empty.entry = "k";
  EXPECT_EQ(Image::deserialize(empty.serialize()), empty);
}

TEST(Image, bytesAreTheSameEveryTime) { EXPECT_EQ(sampleImage().serialize(), sampleImage().serialize()); }

TEST(Image, checkFindsBrokenTables) {
  const auto broken = [](auto change) {
    Image image = sampleImage();
    change(image);
    return image.check();
  };
  EXPECT_EQ(broken([](Image &i) { i.entry.clear(); }), "the entry has no name");
  EXPECT_EQ(broken([](Image &i) { i.threadsPerProgram = 0; }), "a program has no threads");
  EXPECT_EQ(broken([](Image &i) { i.cluster[1] = 0; }), "a cluster has an extent of 0");
  EXPECT_EQ(broken([](Image &i) { i.launchGrid.pop_back(); }), "the launch grid does not have three extents");
  EXPECT_EQ(broken([](Image &i) { i.launchGrid[0] = Expr::argument(99); }), "an expression names a missing argument");
  EXPECT_EQ(broken([](Image &i) { i.requirements[0] = Expr::argument(5); }), "an expression names a hidden argument");
  EXPECT_EQ(broken([](Image &i) { i.packedBytes = 40000; }),
            "the arguments take 40000 bytes; at most 32652 can be passed");
  EXPECT_EQ(broken([](Image &i) { i.arguments[2].offset = 9; }),
            "argument 2 (`m`): it is misaligned or overlaps the argument before it");
  EXPECT_EQ(broken([](Image &i) { i.packedBytes = 204; }), "argument 6 (``): it lies outside the packed block");
  EXPECT_EQ(broken([](Image &i) {
              std::swap(i.arguments[3], i.arguments[5]);
              i.layOut();
            }),
            "argument 4 (`a.map`): an expression names a hidden argument");
  EXPECT_EQ(broken([](Image &i) { i.arguments[1].dtype = {}; }),
            "argument 1 (`flag`): a scalar argument has no scalar type");
  EXPECT_EQ(broken([](Image &i) { i.arguments[3].dtype = f32; }),
            "argument 4 (`a.map`): an expression names an argument that is not an integer");
  EXPECT_EQ(broken([](Image &i) { i.arguments[4].tensorMap.reset(); }),
            "argument 4 (`a.map`): a descriptor has no recipe");
  EXPECT_EQ(broken([](Image &i) { i.arguments[4].tensorMap->base = 1; }),
            "argument 4 (`a.map`): a descriptor starts from an argument that is not a pointer");
  EXPECT_EQ(broken([](Image &i) { i.arguments[4].tensorMap->box.pop_back(); }),
            "argument 4 (`a.map`): a descriptor's box or strides do not match its rank");
}

TEST(Image, refusesOtherFiles) {
  const std::string text = "this is no image at all, but long enough to be one";
  EXPECT_EQ(wordsOf<UsageError>([&] { Image::deserialize(std::as_bytes(std::span(text))); }),
            "these bytes are not a usable kernel image: they do not start with the mark of one");
  EXPECT_THROW(Image::deserialize({}), UsageError);
}

TEST(Image, refusesOtherVersions) {
  std::vector<std::byte> bytes = sampleImage().serialize();
  bytes[8] = std::byte{99};
  EXPECT_THAT(wordsOf<UsageError>([&] { Image::deserialize(bytes); }),
              HasSubstr("they have version 99, and this library reads version 1"));
}

TEST(Image, refusesEveryTruncation) {
  const std::vector<std::byte> bytes = sampleImage().serialize();
  for (std::size_t length = 0; length != bytes.size(); ++length)
    EXPECT_THROW(Image::deserialize({bytes.data(), length}), UsageError) << length;
}

TEST(Image, refusesTrailingBytes) {
  std::vector<std::byte> bytes = sampleImage().serialize();
  bytes.push_back(std::byte{0});
  EXPECT_THAT(wordsOf<UsageError>([&] { Image::deserialize(bytes); }), HasSubstr("something follows the image"));
}

TEST(Image, checksumFindsEveryFlippedBit) {
  const std::vector<std::byte> bytes = sampleImage().serialize();
  for (std::size_t i = 0; i != bytes.size(); ++i) {
    std::vector<std::byte> damaged = bytes;
    damaged[i] ^= std::byte{0x10};
    EXPECT_THROW(Image::deserialize(damaged), UsageError) << i;
  }
}

// With the checksum made right again, the contents alone must not crash the reader either.
TEST(Image, survivesHostileContents) {
  const std::vector<std::byte> bytes = sampleImage().serialize();
  constexpr std::size_t header = 8 + 4 + 16 + 8;
  std::mt19937 random(7);
  int accepted = 0;
  for (int round = 0; round != 20000; ++round) {
    std::vector<std::byte> damaged = bytes;
    for (int change = 0, changes = 1 + random() % 4; change != changes; ++change) {
      static constexpr int kBytes[] = {0, 1, 2, 3, 7, 8, 0x7f, 0x80, 0xff};
      damaged[header + random() % (damaged.size() - header)] =
          static_cast<std::byte>(kBytes[random() % std::size(kBytes)]);
    }
    const support::Hash128 hash = support::hashBytes(std::span(damaged).subspan(header));
    std::memcpy(damaged.data() + 12, &hash.low, 8);
    std::memcpy(damaged.data() + 20, &hash.high, 8);
    try {
      const Image image = Image::deserialize(damaged);
      EXPECT_EQ(image.check(), "");
      ++accepted;
    } catch (const UsageError &) {
    }
  }
  EXPECT_GT(accepted, 0) << "some changes are harmless";
}
