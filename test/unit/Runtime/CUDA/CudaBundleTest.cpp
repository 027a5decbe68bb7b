//===- CudaBundleTest.cpp - what NVIDIA's devices take of a bundle --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Bundle/BundleState.h"
#include "Runtime/CUDA/CudaDevice.h"
#include "Runtime/CUDA/CudaDriver.h"
#include "Runtime/DeviceState.h"
#include "unit/Expect.h"
#include "unit/Runtime/CUDA/FakeCuda.h"
#include "unit/Runtime/SampleImage.h"

#include "tessera/core/Error.h"

#include <cstring>
#include <elf.h>

using namespace tessera;
using namespace tessera::rt;
using tessera::detail::LaunchSlot;
using tessera::test::FakeCuda;
using tessera::test::wordsOf;
using testing::HasSubstr;

namespace {

/// The kernel `store` of the fake library.
CacheEntry storeEntry(const std::string &target, const std::string &format) {
  CacheEntry entry;
  entry.config = "{}";
  entry.variant = "general";
  entry.image.target = target;
  entry.image.format = format;
  entry.image.kernel = entry.image.entry = "store";
  entry.image.threadsPerProgram = 128;
  entry.image.arguments = {pointer("out", i64), scalar("value", i64)};
  entry.image.arguments[0].written = true;
  entry.image.layOut();
  std::string text;
  if (format == "cubin") {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_machine = EM_CUDA;
    text.assign(reinterpret_cast<const char *>(&header), sizeof header);
  }
  text += "entry store\nparams 8 8\nregisters 32\ndoes store";
  if (format == "cubin")
    text += '\0';
  const auto bytes = std::as_bytes(std::span(text));
  entry.image.binary.assign(bytes.begin(), bytes.end());
  return entry;
}

/// What a device of a capability stores with a bundle of \p entries; -1 if it is refused with \p words.
std::int64_t storedBy(int major, int minor, const std::vector<CacheEntry> &entries, std::string *words = nullptr) {
  FakeCuda &fake = *test::resetFakeCuda(TESSERA_TEST_FAKE_CUDA);
  fake.major = major;
  fake.minor = minor;
  const std::unique_ptr<DeviceDriver> driver = cuda::createDriver(TESSERA_TEST_FAKE_CUDA);
  EXPECT_EQ(driver->deviceCount(), 2);
  DeviceState device(*driver, 0, "cuda:0");

  BundleWriter writer;
  BundleIndex index;
  index.name = "sample";
  for (const CacheEntry &entry : entries) {
    BundleFunction function = functionOf(entry, "store", writer);
    if (index.functions.empty())
      index.functions.push_back(std::move(function));
    else
      EXPECT_TRUE(mergeFunction(index.functions[0], function));
  }
  const std::vector<std::byte> bytes = writer.finish(index);
  const BundleState bundle(BundleFile::view(bytes, "a bundle"));

  auto *out = static_cast<std::int64_t *>(driver->allocate(0, 64));
  out[3] = -1;
  LaunchSlot slots[2];
  slots[0].bits = reinterpret_cast<std::uint64_t>(out);
  slots[0].dtype = i64;
  slots[0].form = LaunchSlot::Form::Pointer;
  slots[1].bits = 5;
  slots[1].dtype = i64;
  const auto launch = [&] { bundle.functions()[0].launch(*device.defaultStream, Grid(4), slots, {}); };
  if (words)
    *words = wordsOf<UsageError>(launch);
  else
    launch();
  const std::int64_t stored = out[3];
  driver->free(0, out);
  return stored;
}

} // namespace

TEST(CudaBundle, codeForTheChipIsLaunched) {
  const std::vector<CacheEntry> entries{storeEntry("cuda:sm_80", "cubin"), storeEntry("cuda:sm_80", "ptx"),
                                        storeEntry("cuda:sm_90a", "cubin")};
  EXPECT_EQ(storedBy(9, 0, entries), 8);
  EXPECT_EQ(storedBy(8, 0, entries), 8);
  EXPECT_EQ(storedBy(8, 7, entries), 8) << "machine code of its generation";
}

TEST(CudaBundle, newerChipsLetTheDriverCompile) {
  EXPECT_EQ(storedBy(12, 0, {storeEntry("cuda:sm_80", "cubin"), storeEntry("cuda:sm_80", "ptx")}), 8);
  EXPECT_EQ(storedBy(10, 0, {storeEntry("cuda:sm_90a", "cubin"), storeEntry("cuda:sm_80", "ptx")}), 8);
}

TEST(CudaBundle, olderChipsAreRefused) {
  std::string words;
  EXPECT_EQ(storedBy(8, 0, {storeEntry("cuda:sm_90a", "cubin"), storeEntry("cuda:sm_86", "ptx")}, &words), -1);
  EXPECT_THAT(words, HasSubstr("launch of kernel `store`: bundle `sample` has no code of `store` for device cuda:0 "
                               "(cuda:sm_80); it was compiled for cuda:sm_90a (cubin), cuda:sm_86 (ptx)"));
}
