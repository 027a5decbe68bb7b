//===- Case.cpp - one row about one kernel -------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Case.h"

#include "lab/Inputs.h"

#include <cstdio>

namespace tessera::bench {

void measure(const Case &problem, const Timer &timer, Settings &settings) {
  const std::string title = problem.bench + " " + problem.shape + " " + rowName(problem.dtype);
  const auto fail = [&](const std::string &words) {
    std::printf("# %s: %s\n", title.c_str(), words.c_str());
    std::fflush(stdout);
    ++settings.failures;
  };
  const Candidate *best = nullptr;
  double bestMs = 0;
  std::string reason = "has no candidates";
  for (const Candidate &candidate : problem.candidates) {
    try {
      const double ms = timer.quick(candidate.work);
      if (!best || ms < bestMs) {
        best = &candidate;
        bestMs = ms;
      }
    } catch (const std::exception &error) {
      reason = candidate.config + ": " + error.what();
    }
    if (best && settings.brief)
      break;
  }
  if (!best)
    return fail(reason);
  try {
    best->work(device().stream());
    device().synchronize();
    if (const std::string wrong = problem.wrong(); !wrong.empty())
      return fail(best->config + " is wrong: " + wrong);
    const double ms = timer.median(best->work);
    print({problem.bench,
           problem.shape,
           rowName(problem.dtype),
           settings.system,
           ms,
           problem.bytes / ms * 1e-6,
           "GB/s",
           {},
           best->config});
  } catch (const std::exception &error) {
    fail(error.what());
  }
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

} // namespace tessera::bench
