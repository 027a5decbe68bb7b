//===- Case.cpp - one row about one kernel -------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Case.h"

#include "lab/Inputs.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <thread>

namespace tessera::bench {

bool Settings::wants(const std::string &bench, const std::string &shape, const std::string &dtype) const {
  return (bench + " " + shape + " " + dtype).find(row) != std::string::npos;
}

std::string Case::rowDType() const { return dtypeName.empty() ? rowName(dtype) : dtypeName; }

/// Compiles candidates side by side, by launching each once. What is wrong with one is found out later.
static void compileAll(const std::vector<Candidate> &candidates) {
  std::vector<std::jthread> threads;
  for (const Candidate &candidate : candidates)
    if (candidate.compilations)
      threads.emplace_back([&] {
        try {
          candidate.work(device().stream());
        } catch (const std::exception &) { // it will be thrown again
        }
      });
}

/// A line about a candidate: how fast it is and what was compiled. It has no key "bench" and is no row.
static void printCandidate(const std::string &title, const Candidate &candidate, double ms) {
  std::printf("{\"candidate\": \"%s\", \"config\": \"%s\", \"ms\": %.5f", title.c_str(), candidate.config.c_str(), ms);
  const std::vector<CompileRecord> records = candidate.compilations();
  for (const char *name : {"registers", "spill_bytes", "shared_bytes", "matrix_unit"})
    for (const auto &[fact, value] : records.empty() ? decltype(CompileRecord::facts)() : records.back().facts)
      if (fact == name)
        std::printf(", \"%s\": \"%s\"", name, value.c_str());
  if (!records.empty())
    std::printf(", \"compile_ms\": %.0f", records.back().milliseconds());
  std::printf("}\n");
  std::fflush(stdout);
}

void measure(const Case &problem, const Timer &timer, Settings &settings) {
  const std::string title = problem.bench + " " + problem.shape + " " + problem.rowDType();
  if (!settings.wants(problem.bench, problem.shape, problem.rowDType()))
    return;
  const auto fail = [&](const std::string &words) {
    std::printf("# %s: %s\n", title.c_str(), words.c_str());
    std::fflush(stdout);
    ++settings.failures;
  };
  std::vector<std::pair<double, const Candidate *>> fastest;
  std::string reason = "has no candidates";
  if (!settings.brief)
    compileAll(problem.candidates);
  for (const Candidate &candidate : problem.candidates) {
    try {
      const double ms = timer.quick(candidate.work);
      fastest.emplace_back(ms, &candidate);
      if (candidate.compilations)
        printCandidate(title, candidate, ms);
    } catch (const std::exception &error) {
      reason = candidate.config + ": " + error.what();
      if (candidate.compilations)
        fail(reason);
    }
    if (!fastest.empty() && settings.brief)
      break;
  }
  if (fastest.empty())
    return fail(reason);
  std::ranges::sort(fastest, {}, &std::pair<double, const Candidate *>::first);
  for (const auto &[quickMs, best] : fastest) {
    try {
      if (problem.clear)
        problem.clear();
      best->work(device().stream());
      device().synchronize();
      if (const std::string wrong = problem.wrong(); !wrong.empty()) {
        fail(best->config + " is wrong: " + wrong);
        continue;
      }
      const double ms = timer.median(best->work);
      const bool counts = problem.operations > 0;
      print({problem.bench,
             problem.shape,
             problem.rowDType(),
             settings.system,
             ms,
             counts ? problem.operations / ms * 1e-9 : problem.bytes / ms * 1e-6,
             counts ? "TFLOP/s" : "GB/s",
             {},
             best->config});
      return;
    } catch (const std::exception &error) {
      fail(error.what());
    }
  }
}

std::vector<std::vector<int>> configNumbers(std::string_view text, std::size_t least, std::size_t most) {
  std::vector<std::vector<int>> configs;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::vector<int> numbers;
    bool inside = false;
    for (char c : text.substr(0, comma)) {
      const bool digit = c >= '0' && c <= '9';
      if (digit && !inside)
        numbers.push_back(0);
      if (digit)
        numbers.back() = numbers.back() * 10 + (c - '0');
      inside = digit;
    }
    if (numbers.size() < least || numbers.size() > most)
      throw std::runtime_error("expected " + std::to_string(least) + " to " + std::to_string(most) +
                               " numbers in the config " + std::string(text.substr(0, comma)));
    configs.push_back(std::move(numbers));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return configs;
}

template <DType T> Pattern<T>::Pattern(std::uint64_t seed) : values(kernels::lab::Random(seed).values<T>(kPeriod)) {}

template <DType T> Buffer<T> Pattern<T>::upload(std::int64_t count) const {
  std::vector<host_type<T>> all(static_cast<std::size_t>(count));
  for (std::size_t start = 0; start < all.size(); start += kPeriod)
    std::copy_n(values.begin(), std::min(kPeriod, all.size() - start),
                all.begin() + static_cast<std::ptrdiff_t>(start));
  return device().upload(all);
}

template class Pattern<f32>;
template class Pattern<f16>;
template class Pattern<bf16>;
template class Pattern<e4m3>;

} // namespace tessera::bench
