//===- BytesTest.cpp - binary files, whole and damaged -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Bytes.h"

#include <gtest/gtest.h>

using namespace tessera::support;

namespace {
enum class Color : std::uint8_t { Red, Green, kCount };
} // namespace

TEST(Bytes, readsWhatWasWritten) {
  ByteWriter writer;
  writer.number<std::uint8_t>(200);
  writer.number<std::uint32_t>(0xdeadbeef);
  writer.signedNumber(-5);
  writer.flag(true);
  writer.text("hello");
  writer.block(std::as_bytes(std::span("xyz", 3)));
  writer.number<std::uint8_t>(1);
  const std::vector<std::byte> bytes = writer.take();

  ByteReader reader(bytes);
  EXPECT_EQ(reader.number<std::uint8_t>(), 200);
  EXPECT_EQ(reader.number<std::uint32_t>(), 0xdeadbeef);
  EXPECT_EQ(reader.signedNumber(), -5);
  EXPECT_TRUE(reader.flag());
  EXPECT_EQ(reader.text(), "hello");
  EXPECT_EQ(reader.block().size(), 3u);
  EXPECT_EQ(reader.enumerator<Color>(), Color::Green);
  EXPECT_FALSE(reader.failed());
  EXPECT_TRUE(reader.atEnd());
}

TEST(Bytes, isLittleEndian) {
  ByteWriter writer;
  writer.number<std::uint16_t>(0x0102);
  const std::vector<std::byte> bytes = writer.take();
  EXPECT_EQ(std::to_integer<int>(bytes[0]), 2);
  EXPECT_EQ(std::to_integer<int>(bytes[1]), 1);
}

TEST(Bytes, failsOnceAndStaysFailed) {
  const std::byte bytes[] = {std::byte{1}, std::byte{2}};
  ByteReader reader(bytes);
  EXPECT_EQ(reader.number<std::uint32_t>(), 0u);
  EXPECT_TRUE(reader.failed());
  EXPECT_STREQ(reader.error(), "the file ends too early");
  EXPECT_EQ(reader.number<std::uint8_t>(), 0);
  reader.fail("another reason");
  EXPECT_STREQ(reader.error(), "the file ends too early");
}

TEST(Bytes, refusesLengthsBeyondTheFile) {
  ByteWriter writer;
  writer.number<std::uint32_t>(0xffffffff);
  const std::vector<std::byte> bytes = writer.take();
  ByteReader text(bytes);
  EXPECT_EQ(text.text(), "");
  EXPECT_TRUE(text.failed());
  ByteReader count(bytes);
  EXPECT_EQ(count.count(1), 0u);
  EXPECT_STREQ(count.error(), "a count is larger than the file");
}

TEST(Bytes, refusesFlagsAndEnumeratorsOutOfRange) {
  const std::byte bytes[] = {std::byte{2}, std::byte{2}};
  ByteReader flag(bytes);
  flag.flag();
  EXPECT_STREQ(flag.error(), "a flag is neither 0 nor 1");
  ByteReader color(bytes);
  EXPECT_EQ(color.enumerator<Color>(), Color::Red);
  EXPECT_STREQ(color.error(), "unknown enumerator");
}
