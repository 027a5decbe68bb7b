//===- Lab.h - what the mains of the kernels share ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A lab runs one kernel from the command line and compares it with plain loops. Its main names the options, and says
// what to launch and what to expect; everything else is here: reading the command line, choosing dtype and device,
// --emit, timing, the report as text or JSON, and the exit status: 0 passed, 1 failed or an error of the library, 2
// wrong options.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_LAB_LAB_H
#define TESSERA_KERNELS_LAB_LAB_H

#include "lab/Compare.h"
#include "lab/Matrix.h"
#include "lab/Search.h"

#include "tessera/tessera.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera::kernels::lab {

/// What the command line asked for, and what came of it; defined in RunContents.h.
struct RunContents;

/// One run, without its dtype.
class RunBase {
public:
  /// The device it runs on, found when first asked for: --emit needs none.
  const Device &device();
  Random random;

  /// The kernel with a config and the options of the command line.
  template <class Kernel> auto bind(const Kernel &kernel, const typename Kernel::config_type &config) const {
    return kernel.with(config, options());
  }
  /// If the command line says --emit: prints the program and returns true, for the main to stop there.
  template <class Kernel> bool emits(const Kernel &kernel, const typename Kernel::config_type &config) {
    return wantsText() && emitted(emit(bind(kernel, config), target(), stage()));
  }
  /// What one call has to do: bytes that it must read or write once, or operations if those limit it. The report then
  /// says how fast the later calls were.
  void work(double bytes, double operations = 0);
  /// Launches, and times the first call and later ones; with --tune the fastest of \p space, with --search of a space
  /// that grows from it, else \p config with the options of the command line. \p grid is a function of the config. The
  /// kernel must give the same result every time. Returns what was launched.
  template <class Kernel, class GridOf, class... Args>
  Candidate<typename Kernel::config_type> launch(const Kernel &kernel, const typename Kernel::config_type &config,
                                                 const Space<typename Kernel::config_type> &space, const GridOf &gridOf,
                                                 const Args &...args) {
    const Candidate<typename Kernel::config_type> given{config, options()};
    Candidate<typename Kernel::config_type> candidate = given;
    const Stream stream = device().stream();
    const auto tuneOver = [&](const Space<typename Kernel::config_type> &widened) {
      const auto tuned = autotune(kernel, widened, tuningKey());
      candidate = tuned.tune(stream, gridOf, args...);
      choseBy(tuned.report());
    };
    if (wantsTuning())
      tuneOver(space);
    if (wantsSearch()) {
      Space<typename Kernel::config_type> widened = space;
      while (searchGoesOn()) {
        const auto more = neighbours(candidate, space, widened);
        if (more.empty())
          break;
        widened.insert(widened.end(), more.begin(), more.end());
        tuneOver(widened);
      }
    }
    const auto enqueueOf = [&](const Candidate<typename Kernel::config_type> &which) {
      return [&, bound = kernel.with(which.config, which.options), grid = Grid(gridOf(which.config))] {
        bound.launch(stream, grid, args...);
      };
    };
    const auto enqueue = enqueueOf(candidate);
    const auto start = std::chrono::steady_clock::now();
    enqueue();
    stream.synchronize();
    const double first = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    launched(gridOf(candidate.config), first, kernel.compilations());
    callAgain(enqueue);
    if (wantsGiven()) {
      beside("config of the command line", enqueueOf(given));
      enqueue(); // what is checked is the chosen one's
    }
    if (besides())
      besideCopy();
    return candidate;
  }

  /// Whether the command line asks for others beside the kernel.
  bool besides() const;
  /// Times \p enqueue, which does the kernel's work in another way on the device's default stream, for the report.
  void beside(const std::string &name, const std::function<void()> &enqueue, const std::string &words = {});
  /// A line of the report without a time.
  void say(const std::string &name, const std::string &words);

protected:
  explicit RunBase(RunContents &contents);

  void compared(const Comparison &comparison, std::int64_t overwrittenGaps);
  double toleranceScale() const;

private:
  const CompileOptions &options() const;
  bool wantsText() const;
  bool wantsTuning() const;
  bool wantsSearch() const;
  bool wantsGiven() const;
  TuneKey tuningKey() const;
  void choseBy(TuneReport report);
  const Target &target() const;
  const std::string &stage() const;
  bool emitted(const std::string &text);
  void launched(const Grid &grid, double firstMs, const std::vector<CompileRecord> &compilations);
  /// Notes the round that ended. True if another one may find something better.
  bool searchGoesOn();
  /// Milliseconds of the device for what \p enqueue enqueues.
  double timeOnce(const std::function<void()> &enqueue);
  void callAgain(const std::function<void()> &enqueue);
  void besideCopy();

  RunContents &contents;
  friend class Lab;
};

/// A matrix in the device's memory and what the host knows of it.
template <DType T> struct Array {
  Matrix<T> host;
  Buffer<T> buffer;
};

/// One run with elements of type T.
template <DType T> class Run : public RunBase {
public:
  using RunBase::RunBase;

  /// Puts a matrix into the device's memory.
  template <DType U = T> Array<U> upload(Matrix<U> matrix) {
    Buffer<U> buffer = device().upload(matrix.elements);
    return {std::move(matrix), std::move(buffer)};
  }
  /// Random elements in [-1, 1), or all of i8.
  Array<T> input(std::int64_t rows, std::int64_t cols, std::int64_t stride) {
    return upload(Matrix<T>::random(random, rows, cols, stride));
  }
  Array<T> input(std::int64_t count) { return input(1, count, count); }
  /// Memory to be written, full of poison.
  template <DType U = T> Array<U> output(std::int64_t rows, std::int64_t cols, std::int64_t stride) {
    return upload(Matrix<U>(rows, cols, stride));
  }
  Array<T> output(std::int64_t count) { return output(1, count, count); }

  /// Reads \p out back and compares it.
  template <DType U> void check(Array<U> &out, const Expected &expected, const Tolerance &tolerance) {
    compared(comparison(out, expected, tolerance), out.host.overwrittenGaps());
  }
  /// The same for a result that the lab does not stand for: an experiment's, or another library's.
  template <DType U> Comparison comparison(Array<U> &out, const Expected &expected, const Tolerance &tolerance) const {
    out.host.elements = out.buffer.download();
    const std::size_t cols = out.host.rows > 1 ? static_cast<std::size_t>(out.host.cols) : 0;
    return compare(out.host.values(), expected, tolerance, toleranceScale(), cols);
  }
};

/// A lab: its options and its exit status.
class Lab {
public:
  /// \p formula says in one line what is computed.
  Lab(std::string name, std::string formula);
  ~Lab();

  /// Adds the option `--name <number>`, of at least \p least.
  Lab &option(const std::string &name, std::int64_t &value, const std::string &help, std::int64_t least = 0);
  /// The same for a field of the config.
  Lab &option(const std::string &name, int &value, const std::string &help, int least = 1);
  /// Adds the flag `--name`, for an experiment.
  Lab &flag(const std::string &name, bool &value, const std::string &help);

  /// Reads the command line and calls \p body with the Run of the dtype it names, one of Ts (the first by default):
  /// `lab.main<f32, f16>(argc, argv, [&]<DType T>(Run<T> &run) { ... })`. Returns the exit status.
  template <DType... Ts, class Body> int main(int argc, char **argv, const Body &body) {
    if (!parse(argc, argv, {Ts...}))
      return status();
    return guarded([&] { (runIf<Ts>(body) || ...); });
  }

private:
  template <DType T, class Body> bool runIf(const Body &body) {
    if (dtype() != T)
      return false;
    Run<T> run(contents());
    body(run);
    return true;
  }
  bool parse(int argc, char **argv, const std::vector<DType> &dtypes);
  /// Calls \p run, reports, and turns errors into a message.
  int guarded(const std::function<void()> &run);
  int status() const;
  DType dtype() const;
  RunContents &contents();

  struct Parser;
  std::unique_ptr<RunContents> state;
  std::unique_ptr<Parser> parser;
};

} // namespace tessera::kernels::lab

#endif // TESSERA_KERNELS_LAB_LAB_H
