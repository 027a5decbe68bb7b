//===- PackedTest.cpp - compressed blocks in binary files -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Packed.h"

#include <gtest/gtest.h>
#include <random>
#include <string>

using namespace tessera::support;

static std::vector<std::byte> pack(const std::vector<std::byte> &bytes) {
  ByteWriter writer;
  writePacked(writer, bytes);
  return writer.take();
}

static std::string failure(const std::vector<std::byte> &packed) {
  ByteReader reader(packed);
  readPacked(reader);
  return reader.failed() ? reader.error() : "";
}

TEST(Packed, comesBack) {
  std::mt19937 random(1);
  std::vector<std::byte> noise(5000), zeros(5000), many(1 << 20), text;
  for (std::byte &byte : noise)
    byte = static_cast<std::byte>(random());
  for (int i = 0; i != 4000; ++i)
    text.push_back(static_cast<std::byte>("mov.u32 %r1, %tid.x;\n"[i % 21]));
  for (const auto &bytes : {std::vector<std::byte>(), std::vector<std::byte>(1), noise, zeros, many, text}) {
    const std::vector<std::byte> packed = pack(bytes);
    ByteReader reader(packed);
    EXPECT_EQ(readPacked(reader), bytes);
    EXPECT_TRUE(reader.atEnd() && !reader.failed());
  }
  EXPECT_LT(pack(text).size(), 200u);
  EXPECT_EQ(pack(noise).size(), noise.size() + 17) << "as it is";
  EXPECT_EQ(pack(many).size(), many.size() + 17) << "no block is worth more than it could hold";
}

TEST(Packed, saysWhatIsWrong) {
  std::vector<std::byte> packed = pack(std::vector<std::byte>(3000, std::byte{5}));
  ASSERT_EQ(packed[0], std::byte{1});
  std::vector<std::byte> bomb = packed;
  bomb[7] = std::byte{1};
  EXPECT_EQ(failure(bomb), "a compressed block says it is larger than one can be");
  std::vector<std::byte> longer = packed;
  longer[1] ^= std::byte{1};
  EXPECT_EQ(failure(longer), "a compressed block cannot be unpacked");
  std::vector<std::byte> damaged = packed;
  damaged[17] ^= std::byte{1};
  EXPECT_EQ(failure(damaged), "a compressed block cannot be unpacked");
  std::vector<std::byte> plain = pack({std::byte{1}, std::byte{2}});
  plain[1] = std::byte{3};
  EXPECT_EQ(failure(plain), "a block has another size than it says");
  packed.pop_back();
  EXPECT_EQ(failure(packed), "the file ends too early");
}
