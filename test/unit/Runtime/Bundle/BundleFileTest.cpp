//===- BundleFileTest.cpp - bundles as bytes ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Bundle/BundleFile.h"
#include "unit/Expect.h"
#include "unit/Runtime/Bundle/SampleBundle.h"
#include "unit/TemporaryFolder.h"

#include "tessera/core/Error.h"

#include "gmock/gmock.h"

using namespace tessera;
using namespace tessera::rt;
using tessera::test::wordsOf;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

using Bytes = std::vector<std::byte>;

static std::string refusal(const Bytes &bytes) {
  return wordsOf<UsageError>([&] { BundleFile::view(bytes, "a bundle"); });
}

/// Reads all that \p bytes hold. False if something is refused; what is not must be what `sound` holds.
static bool readsWhole(const Bytes &bytes, const BundleFile &sound) {
  try {
    const auto read = BundleFile::view(bytes, "a bundle");
    if (read->index() != sound.index()) {
      ADD_FAILURE() << "another index was accepted";
      return true;
    }
    for (const BundleFunction &function : read->index().functions)
      for (const BundleImage &image : function.images)
        EXPECT_EQ(read->entry(function, image).serialize(), sound.entry(function, image).serialize());
    return true;
  } catch (const UsageError &) {
    return false;
  }
}

TEST(BundleFile, givesBackWhatWasWritten) {
  const Bytes bytes = sampleBundle();
  const auto bundle = BundleFile::view(bytes, "a bundle");
  ASSERT_EQ(bundle->index().functions.size(), 1u);
  const BundleFunction &function = bundle->index().functions[0];
  EXPECT_EQ(bundle->title(), "bundle `sample`");
  EXPECT_EQ(function.symbol, "scale_f32");
  EXPECT_EQ(function.typesText(), "f32*, f32, i64, i64");
  EXPECT_TRUE(function.arguments[0].stored);
  EXPECT_TRUE(function.arguments[3].asStride);
  ASSERT_EQ(function.images.size(), 5u);
  const CacheEntry entry = bundle->entry(function, function.images[2]);
  EXPECT_EQ(entry.image, scaleEntry("null", "noise", "aligned, stride 1: stride").image);
  EXPECT_EQ(bundle->records(), "");
  EXPECT_EQ(BundleIndex::deserialize(bundle->index().serialize()), bundle->index());
}

TEST(BundleFile, isReadFromAFileInPieces) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("sample.tbundle");
  writeBundle(path, sampleBundle());
  const auto bundle = BundleFile::open(path);
  EXPECT_EQ(bundle->title(), "bundle `sample` (" + path + ")");
  const BundleFunction &function = bundle->index().functions[0];
  EXPECT_EQ(bundle->entry(function, function.images[1]).variant, "general");
  std::filesystem::copy_file(path, folder.path("short"));
  std::filesystem::resize_file(folder.path("short"), 1000);
  EXPECT_THAT(wordsOf<UsageError>([&] { BundleFile::open(folder.path("short")); }),
              HasSubstr("bytes and has 1000; copy the file again, or make it anew"));
  // Shortened while it is open: an error, no signal.
  std::filesystem::resize_file(path, 100);
  EXPECT_THAT(wordsOf<UsageError>([&] { bundle->entry(function, function.images[1]); }),
              HasSubstr("it became shorter after it was opened"));
}

TEST(BundleFile, equalCodeIsKeptOnce) {
  BundleWriter writer;
  const CacheEntry entry = scaleEntry("null", "noise", "general");
  const BundleFunction a = functionOf(entry, "a", writer), b = functionOf(entry, "b", writer);
  EXPECT_EQ(a.images[0].block, b.images[0].block);
}

TEST(BundleFile, theSameKernelsMakeTheSameFile) {
  CacheEntry later = scaleEntry("null", "noise", "general");
  later.made = 99;
  later.stages = {{"tile", 3.5}};
  EXPECT_EQ(bundleOf({scaleEntry("null", "noise", "general")}), bundleOf({later}));
}

TEST(BundleFile, namesWhatIsWrong) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(wordsOf<UsageError>([&] { BundleFile::open(folder.path("none")); }),
              AllOf(StartsWith("bundle " + folder.path("none")), HasSubstr("it cannot be opened: No such file")));
  EXPECT_THAT(wordsOf<UsageError>([&] { BundleFile::open(folder.path()); }),
              HasSubstr("it is no file, but a folder or a device"));
  EXPECT_EQ(refusal({}), "a bundle: it is no bundle: its 0 bytes do not begin as a bundle's do");
  Bytes bytes = sampleBundle();
  bytes[8] = std::byte{9};
  EXPECT_EQ(refusal(bytes), "a bundle: it has version 9, and this library reads version 1; make it again");
  bytes = sampleBundle();
  bytes.pop_back();
  EXPECT_THAT(refusal(bytes), HasSubstr("it is damaged: it should have"));
  bytes = sampleBundle();
  bytes.back() ^= std::byte{1};
  EXPECT_EQ(
      refusal(bytes),
      "a bundle: it is damaged: the checksum of its index does not match; copy the program again, or make it anew");
  bytes = sampleBundle();
  bytes[100] ^= std::byte{1};
  const auto bundle = BundleFile::view(bytes, "a bundle");
  const BundleFunction &function = bundle->index().functions[0];
  EXPECT_EQ(wordsOf<UsageError>([&] { bundle->entry(function, function.images[0]); }),
            "bundle `sample`: its image of `scale_f32` for null (aligned) is damaged: the checksum does not match; "
            "copy the program again, or make it anew");
  EXPECT_EQ(bundle->entry(function, function.images[1]).variant, "general") << "the others are as sound as before";
}

// An index that was made to lie, with right checksums.
TEST(BundleFile, codeIsUsedForWhatItIsOnly) {
  const auto lie = [](auto change) {
    BundleWriter writer;
    BundleIndex index;
    index.name = "sample";
    index.functions = {functionOf(scaleEntry("null", "noise", "general"), "scale", writer)};
    change(index.functions[0]);
    const Bytes bytes = writer.finish(index);
    return wordsOf<UsageError>([&] {
      const auto bundle = BundleFile::view(bytes, "a bundle");
      bundle->entry(bundle->index().functions[0], bundle->index().functions[0].images[0]);
    });
  };
  EXPECT_THAT(lie([](BundleFunction &f) { f.kernel = "other"; }),
              HasSubstr("it holds kernel `scale` for null as noise"));
  EXPECT_THAT(lie([](BundleFunction &f) { f.images[0].target = "cpu"; }),
              HasSubstr("it holds kernel `scale` for null"));
  EXPECT_THAT(lie([](BundleFunction &f) { f.images[0].variant.aligned = true; }),
              HasSubstr("it is the variant `general`"));
  EXPECT_THAT(lie([](BundleFunction &f) { f.config = "{}"; }), HasSubstr("it was compiled with config {block=128}"));
  EXPECT_THAT(lie([](BundleFunction &f) { f.arguments.pop_back(); }), HasSubstr("it takes more arguments"));
  EXPECT_THAT(lie([](BundleFunction &f) { f.arguments.push_back(f.arguments.back()); }),
              HasSubstr("it takes fewer arguments"));
  EXPECT_THAT(lie([](BundleFunction &f) { f.arguments[1].dtype = f64; }),
              HasSubstr("its argument `factor` has another type"));
  EXPECT_THAT(lie([](BundleFunction &f) { f.images[0].block.bytes = ~std::uint64_t{0} - 10; }),
              HasSubstr("it is damaged"));
  EXPECT_THAT(lie([](BundleFunction &f) { f.images[0].block.offset = ~std::uint64_t{0}; }), HasSubstr("it is damaged"));
  EXPECT_THAT(lie([](BundleFunction &f) { f.symbol = "a b"; }), HasSubstr("`a b` is no name for a function"));
  EXPECT_THAT(lie([](BundleFunction &f) { f.arguments[0].role = BundleRole::ViewBase; }),
              HasSubstr("a view has no such rank"));
  EXPECT_THAT(lie([](BundleFunction &f) {
                f.arguments[0].role = BundleRole::ViewBase;
                f.arguments[0].rank = 2;
              }),
              HasSubstr("a view is not whole"));
  EXPECT_THAT(lie([](BundleFunction &f) { f.images[0].variant.unit.set(2); }),
              HasSubstr("a variant folds what is no stride"));
}

TEST(BundleFile, truncatedAnywhereItIsRefused) {
  const Bytes whole = sampleBundle();
  const auto sound = BundleFile::view(whole, "a bundle");
  ASSERT_TRUE(readsWhole(whole, *sound));
  for (std::size_t size = 0; size < whole.size(); size += 1024)
    EXPECT_FALSE(readsWhole({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}, *sound)) << size;
  for (std::size_t size = 0; size != 200; ++size) // within the header and the first block
    EXPECT_FALSE(readsWhole({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}, *sound)) << size;
}

TEST(BundleFile, everyFlippedBitIsFoundBeforeItIsUsed) {
  const Bytes whole = sampleBundle(500);
  const auto sound = BundleFile::view(whole, "a bundle");
  std::mt19937_64 random(1);
  for (int i = 0; i != 10'000; ++i) {
    Bytes bytes = whole;
    const std::size_t bit = random() % (bytes.size() * 8);
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    EXPECT_FALSE(readsWhole(bytes, *sound)) << "bit " << bit;
  }
}

TEST(BundleFile, functionsMergeIfTheyAreOne) {
  BundleWriter writer;
  BundleFunction to = functionOf(scaleEntry("null", "noise", "general"), "scale", writer);
  EXPECT_TRUE(mergeFunction(to, functionOf(scaleEntry("cuda:sm_80", "cubin", "general"), "scale", writer)));
  EXPECT_TRUE(mergeFunction(to, functionOf(scaleEntry("cuda:sm_80", "cubin", "general"), "scale", writer)));
  EXPECT_EQ(to.images.size(), 2u);
  CacheEntry other = scaleEntry("null", "noise", "aligned");
  other.program = support::hashText("another text");
  EXPECT_FALSE(mergeFunction(to, functionOf(other, "scale", writer)));
  EXPECT_FALSE(mergeFunction(to, functionOf(scaleEntry("null", "noise", "aligned"), "scale_2", writer)));
  EXPECT_EQ(to.images.size(), 2u);
}
