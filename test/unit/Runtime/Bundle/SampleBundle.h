//===- SampleBundle.h - a bundle for tests ---------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Kernel `scale` multiplies n elements of x, `stride` apart, by `factor`; its code is noise, for devices that do not
// look at it.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_RUNTIME_BUNDLE_SAMPLEBUNDLE_H
#define TESSERA_TEST_UNIT_RUNTIME_BUNDLE_SAMPLEBUNDLE_H

#include "Runtime/Bundle/BundleFile.h"
#include "Support/Options.h"
#include "unit/Runtime/SampleImage.h"

#include <random>
#include <string>
#include <vector>

namespace tessera::rt {

/// `scale` for a target, as the variant that \p variant tells.
inline CacheEntry scaleEntry(const std::string &target, const std::string &format, const std::string &variant,
                             std::size_t bytes = 3000) {
  CacheEntry entry;
  entry.program = support::hashText("scale");
  entry.key = support::hashText(target + format + variant);
  entry.arguments = "f32*, f32, i64, i64";
  entry.config = "{block=128}";
  entry.options = support::optionKey({});
  entry.variant = variant;
  entry.toolchain = "tessera of the test";
  entry.image.target = target;
  entry.image.format = format;
  entry.image.kernel = entry.image.entry = "scale";
  entry.image.arguments = {pointer("x", f32), scalar("factor", f32), scalar("n", i64), scalar("stride", i64)};
  entry.image.arguments[0].read = entry.image.arguments[0].written = true;
  entry.strides.set(3);
  entry.addresses.set(3);
  entry.image.setFact("variant", variant);
  std::minstd_rand random(static_cast<unsigned>(entry.key.low));
  for (std::size_t i = 0; i != bytes; ++i)
    entry.image.binary.push_back(static_cast<std::byte>(random() >> 8));
  entry.image.layOut();
  return entry;
}

/// A bundle of `scale` made of \p entries.
inline std::vector<std::byte> bundleOf(const std::vector<CacheEntry> &entries, const std::string &records = {}) {
  BundleWriter writer;
  BundleIndex index;
  index.name = "sample";
  index.creator = "tessera of the test";
  for (const CacheEntry &entry : entries) {
    BundleFunction function = functionOf(entry, "scale_f32", writer);
    function.constants = {{"block", 128}};
    if (index.functions.empty())
      index.functions.push_back(function);
    else if (!mergeFunction(index.functions.front(), function))
      return {};
  }
  if (!records.empty()) {
    const auto bytes = std::as_bytes(std::span(records));
    index.records = writer.add({bytes.begin(), bytes.end()});
  }
  return writer.finish(index);
}

/// One of every variant, for the devices of tests.
inline std::vector<std::byte> sampleBundle(std::size_t bytes = 3000) {
  std::vector<CacheEntry> entries;
  for (const char *variant : {"aligned", "general", "aligned, stride 1: stride", "stride 1: stride"})
    entries.push_back(scaleEntry("null", "noise", variant, bytes));
  entries.push_back(scaleEntry("cuda:sm_80", "cubin", "aligned", bytes));
  return bundleOf(entries);
}

} // namespace tessera::rt

#endif // TESSERA_TEST_UNIT_RUNTIME_BUNDLE_SAMPLEBUNDLE_H
