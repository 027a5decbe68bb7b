//===- CompileGate.h - one thread compiles, the others wait ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Threads that need the same kernel wait for the one that compiles it. While that one records, it runs the user's
// function, which may itself wait for a thread that stands here. Nothing tells whether it does, but then it does not
// move: a recording thread that uses no processor time for a while ends the wait, one that works never does.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DRIVER_COMPILEGATE_H
#define TESSERA_DRIVER_COMPILEGATE_H

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <optional>

namespace tessera::ir {

class CompileGate {
public:
  /// How long a recording thread may stand still while others wait.
  static constexpr std::chrono::milliseconds kPatience{800};

  /// The right to compile. Goes back when destroyed.
  class Entry {
  public:
    /// Waits for the thread inside. False afterwards, without the right, if that one stood still for \p patience.
    explicit Entry(CompileGate &gate, std::chrono::milliseconds patience = kPatience)
        : gate(gate), inside(gate.enter(patience)) {}
    ~Entry() {
      if (inside)
        gate.leave();
    }
    Entry(const Entry &) = delete;
    Entry &operator=(const Entry &) = delete;
    explicit operator bool() const { return inside; }

  private:
    CompileGate &gate;
    const bool inside;
  };

  /// While it lives, the thread inside runs the user's function.
  class Recording {
  public:
    explicit Recording(CompileGate &gate) : gate(gate) { gate.setRecorder(true); }
    ~Recording() { gate.setRecorder(false); }
    Recording(const Recording &) = delete;
    Recording &operator=(const Recording &) = delete;

  private:
    CompileGate &gate;
  };

private:
  bool enter(std::chrono::milliseconds patience);
  void leave();
  void setRecorder(bool recording);

  std::mutex mutex;
  std::condition_variable changed;
  bool busy = false;
  std::optional<clockid_t> recorder; ///< the processor time of the thread inside, while it records
};

} // namespace tessera::ir

#endif // TESSERA_DRIVER_COMPILEGATE_H
