//===- CacheEntryTest.cpp - compiled kernels as files ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Bytes.h"
#include "unit/Expect.h"
#include "unit/Runtime/Cache/SampleEntry.h"

#include "tessera/core/Error.h"

#include <cstring>

using namespace tessera;
using namespace tessera::rt;
using tessera::test::wordsOf;
using testing::HasSubstr;

static constexpr std::size_t kHeaderBytes = 8 + 4 + 4 + 8 + 16 + 8;

static std::string refusal(const std::vector<std::byte> &bytes) {
  return wordsOf<UsageError>([&] { CacheEntry::deserialize(bytes); });
}

/// A file of these contents with the right checksum.
static std::vector<std::byte> sealed(std::vector<std::byte> file) {
  const support::Hash128 hash = support::hashBytes(std::span(file).subspan(kHeaderBytes));
  const std::uint64_t length = file.size() - kHeaderBytes;
  std::memcpy(file.data() + 24, &hash.low, 8);
  std::memcpy(file.data() + 32, &hash.high, 8);
  std::memcpy(file.data() + 40, &length, 8);
  return file;
}

TEST(CacheEntry, survivesTheWayThroughAFile) {
  const CacheEntry entry = sampleEntry(1), read = CacheEntry::deserialize(entry.serialize());
  EXPECT_EQ(read.key, entry.key);
  EXPECT_EQ(read.placed, entry.placed);
  EXPECT_EQ(read.program, entry.program);
  EXPECT_EQ(read.strides, entry.strides);
  EXPECT_EQ(read.addresses, entry.addresses);
  EXPECT_EQ(read.made, entry.made);
  EXPECT_EQ(read.arguments, entry.arguments);
  EXPECT_EQ(read.config, entry.config);
  EXPECT_EQ(read.options, entry.options);
  EXPECT_EQ(read.variant, entry.variant);
  EXPECT_EQ(read.toolchain, entry.toolchain);
  EXPECT_EQ(read.stages, entry.stages);
  EXPECT_EQ(read.notes, entry.notes);
  EXPECT_EQ(read.texts, entry.texts);
  EXPECT_EQ(read.image, entry.image);
  EXPECT_EQ(*read.text("asm"), entry.texts[0].second);
  EXPECT_EQ(read.text("tile"), nullptr);
}

TEST(CacheEntry, compressesWhatCanBe) {
  CacheEntry entry = sampleEntry(1, 100'000);
  EXPECT_LT(entry.serialize().size(), 80'000u) << "half of it is zeros";
  entry.image.binary.assign(1 << 20, std::byte{0});
  EXPECT_EQ(CacheEntry::deserialize(entry.serialize()).image, entry.image);
}

TEST(CacheEntry, usesAreNoPartOfTheChecksum) {
  std::vector<std::byte> file = sampleEntry(1).serialize();
  EXPECT_EQ(CacheEntry::usesIn(file), 0u);
  file[CacheEntry::kUsesOffset] = std::byte{7};
  EXPECT_EQ(CacheEntry::usesIn(file), 7u);
  EXPECT_TRUE(isSample(CacheEntry::deserialize(file), 1));
  EXPECT_EQ(CacheEntry::usesIn({}), 0u);
}

TEST(CacheEntry, saysWhyItIsRefused) {
  const std::vector<std::byte> sound = sampleEntry(1).serialize();
  EXPECT_THAT(refusal({}), HasSubstr("it is no kernel of the cache"));
  EXPECT_THAT(refusal(std::vector<std::byte>(1000)), HasSubstr("it is no kernel of the cache"));
  std::vector<std::byte> file = sound;
  file[8] = std::byte{9};
  EXPECT_THAT(refusal(file), HasSubstr("it has version 9, and this library reads version 2"));
  file = sound;
  file[12] = std::byte{1};
  EXPECT_THAT(refusal(file), HasSubstr("a field that must be zero is not"));
  file = sound;
  file.back() ^= std::byte{1};
  EXPECT_THAT(refusal(file), HasSubstr("its checksum does not match"));
  file = sound;
  file.push_back(std::byte{0});
  EXPECT_THAT(refusal(file), HasSubstr("something follows its contents"));
  EXPECT_THAT(refusal(sealed(file)), HasSubstr("something follows the image"));
}

TEST(CacheEntry, noTruncatedFileIsRead) {
  const std::vector<std::byte> sound = sampleEntry(1).serialize();
  for (std::size_t length = 0; length != sound.size(); ++length)
    EXPECT_NE(refusal({sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(length)}), "") << length;
}

// Also where somebody made the checksum right.
TEST(CacheEntry, noTruncatedContentsAreRead) {
  const std::vector<std::byte> sound = sampleEntry(1).serialize();
  for (std::size_t length = kHeaderBytes; length != sound.size(); ++length)
    EXPECT_NE(refusal(sealed({sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(length)})), "") << length;
}

TEST(CacheEntry, noFlippedBitIsOverlooked) {
  const std::vector<std::byte> sound = sampleEntry(1).serialize();
  std::mt19937 random(1);
  for (int i = 0; i != 10'000; ++i) {
    std::vector<std::byte> file = sound;
    const std::size_t at = random() % file.size();
    file[at] ^= static_cast<std::byte>(1 << random() % 8);
    if (at >= CacheEntry::kUsesOffset && at < CacheEntry::kUsesOffset + 8)
      EXPECT_TRUE(isSample(CacheEntry::deserialize(file), 1)) << at;
    else
      EXPECT_NE(refusal(file), "") << at;
  }
}

// What is read keeps the launch ABI, and nothing else happens, when somebody made the checksum right.
TEST(CacheEntry, flippedBitsUnderARightChecksumDoNoHarm) {
  const std::vector<std::byte> sound = sampleEntry(1, 100).serialize();
  std::mt19937 random(2);
  for (int i = 0; i != 10'000; ++i) {
    std::vector<std::byte> file = sound;
    file[kHeaderBytes + random() % (file.size() - kHeaderBytes)] ^= static_cast<std::byte>(1 << random() % 8);
    try {
      EXPECT_EQ(CacheEntry::deserialize(sealed(file)).image.check(), "");
    } catch (const UsageError &) {
    }
  }
}
