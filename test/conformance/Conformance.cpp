//===- Conformance.cpp - one suite for every device -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "conformance/Conformance.h"

#include "fuzz/differential/DTypes.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <string_view>

namespace tessera::conformance {

using fuzz::withDType;

std::vector<Choice> pairwise(std::span<const std::size_t> levels, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  /// (factor, choice, later factor, choice) that no case has yet.
  std::set<std::array<std::size_t, 4>> missing;
  for (std::size_t i = 0; i != levels.size(); ++i)
    for (std::size_t j = i + 1; j != levels.size(); ++j)
      for (std::size_t a = 0; a != levels[i]; ++a)
        for (std::size_t b = 0; b != levels[j]; ++b)
          missing.insert({i, a, j, b});
  const auto gain = [&](const Choice &choice) {
    std::size_t count = 0;
    for (std::size_t i = 0; i != levels.size(); ++i)
      for (std::size_t j = i + 1; j != levels.size(); ++j)
        count += missing.contains({i, choice[i], j, choice[j]});
    return count;
  };
  std::vector<Choice> result;
  while (!missing.empty()) {
    Choice best;
    std::size_t bestGain = 0;
    for (int tries = 0; tries != 24; ++tries) {
      Choice choice;
      for (std::size_t level : levels)
        choice.push_back(random() % level);
      // At least one pair that is missing.
      auto wanted = missing.begin();
      std::advance(wanted, random() % std::min<std::size_t>(missing.size(), 16));
      choice[(*wanted)[0]] = (*wanted)[1];
      choice[(*wanted)[2]] = (*wanted)[3];
      if (const std::size_t found = gain(choice); found > bestGain) {
        best = choice;
        bestGain = found;
      }
    }
    for (std::size_t i = 0; i != levels.size(); ++i)
      for (std::size_t j = i + 1; j != levels.size(); ++j)
        missing.erase({i, best[i], j, best[j]});
    result.push_back(std::move(best));
  }
  return result;
}

/// \p count elements, each made by \p make as a small double.
template <class Make> static std::vector<std::uint8_t> elements(DType dtype, std::int64_t count, Make make) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count * dtype.bytes()));
  withDType(dtype, [&]<DType T>() {
    using Host = host_type<T>;
    for (std::int64_t i = 0; i != count; ++i) {
      const Host element = static_cast<Host>(static_cast<float>(make()));
      std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(Host), &element, sizeof(Host));
    }
    return 0;
  });
  return bytes;
}

std::vector<std::uint8_t> smallElements(DType dtype, std::int64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return elements(dtype, count, [&]() -> double {
    const auto bits = static_cast<int>(random() % 64);
    if (dtype.isBool())
      return bits % 2;
    if (dtype.isUnsigned())
      return bits % 8;
    if (dtype.isFloat() && !dtype.isFp8())
      return (bits - 32) / 8.0;
    return bits % 9 - 4;
  });
}

std::vector<std::uint8_t> unitElements(DType dtype, std::int64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return elements(dtype, count, [&]() -> double {
    const bool first = random() % 2;
    return first ? 1 : dtype.isUnsigned() ? 2 : -1;
  });
}

std::vector<std::uint8_t> anyElements(DType dtype, std::int64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count * dtype.bytes()));
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(dtype.isBool() ? random() % 2 : random());
  return bytes;
}

std::vector<std::uint8_t> unwritten(std::int64_t count) {
  return std::vector<std::uint8_t>(static_cast<std::size_t>(count), 0xA5);
}

static std::vector<std::uint8_t> run(const Job &job, const CompileOptions &options, const Device &device) {
  const auto filled = [&](const std::vector<std::uint8_t> &bytes) {
    return device.upload<u8>(bytes.empty() ? std::vector<std::uint8_t>(16) : bytes);
  };
  const Buffer<u8> a = filled(job.a), b = filled(job.b), out = filled(job.out);
  const auto traced = kernel("conformance", {"a", "b", "out", "n"},
                             [&job](Ptr<u8> a, Ptr<u8> b, Ptr<u8> out, Int n) { job.body(a, b, out, n); });
  traced.with({}, options).launch(device, job.grid, a, b, out, job.n);
  device.synchronize();
  return out.download();
}

/// An element as text, and whether it is a NaN.
static std::pair<std::string, bool> elementAt(const std::uint8_t *bytes, DType dtype) {
  return withDType(dtype, [&]<DType T>() -> std::pair<std::string, bool> {
    host_type<T> value;
    std::memcpy(&value, bytes, sizeof value);
    const double number = static_cast<double>(value);
    return {std::to_string(number), std::isnan(number)};
  });
}

/// Whether \p error says that a chip with little shared memory has no room for what others have.
static bool isTooLarge(const CompileError &error) {
  return std::string_view(error.what()).find("of shared memory, but a program has at most 65536 on") !=
         std::string_view::npos;
}

void expectSame(const Job &job, const CompileOptions &options) {
  const auto title = [&] {
    return "num_warps " + std::to_string(options.num_warps) + ", num_stages " + std::to_string(options.num_stages);
  };
  try {
    const auto expected = run(job, options, Device::get("interp")), found = run(job, options, Device::current());
    const DType result = job.traced ? *job.traced : job.result;
    const auto size = static_cast<std::size_t>(result.bytes());
    for (std::size_t at = 0; at + size <= expected.size(); at += size) {
      if (std::memcmp(&expected[at], &found[at], size) == 0)
        continue;
      const auto [want, wantNan] = elementAt(&expected[at], result);
      const auto [got, gotNan] = elementAt(&found[at], result);
      if (wantNan && gotNan && result.isFloat())
        continue;
      ADD_FAILURE() << title() << ": element " << at / size << " is " << got << " instead of " << want;
      return;
    }
  } catch (const CompileError &error) {
    if (!isTooLarge(error))
      ADD_FAILURE() << title() << ": " << error.what();
  } catch (const Error &error) {
    ADD_FAILURE() << title() << ": " << error.what();
  }
}

CompileOptions optionsOf(std::size_t warps, std::size_t stages, std::size_t cluster) {
  return {.num_warps = 1 << warps, .num_stages = static_cast<int>(1 + stages), .cluster = 1 << cluster};
}

std::int64_t countOf(const std::vector<std::int64_t> &shape) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape)
    count *= extent;
  return count;
}

Shape shapeOf(const std::vector<std::int64_t> &shape) {
  Shape result;
  for (std::int64_t extent : shape)
    result.push_back(extent);
  return result;
}

Tile places(const std::vector<std::int64_t> &shape) { return reshape(arange(0, countOf(shape)), shapeOf(shape)); }

std::string describe(DType dtype, const std::vector<std::int64_t> &shape) {
  std::string text = dtype.name() + ", {";
  for (std::size_t i = 0; i != shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "}";
}

void runPart(std::span<const std::size_t> levels, std::size_t part,
             const std::function<void(const Choice &, std::uint64_t seed)> &run) {
  const char *text = std::getenv("TESSERA_CONFORMANCE_SEED");
  const std::uint64_t seed = text ? std::strtoull(text, nullptr, 10) : 0;
  const std::vector<Choice> cases = pairwise(levels, seed);
  for (std::size_t i = part; i < cases.size(); i += text ? kParts : 4 * kParts) {
    run(cases[i], seed * 100'000 + i);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

} // namespace tessera::conformance
