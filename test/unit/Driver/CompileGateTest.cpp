//===- CompileGateTest.cpp - waiting for a thread that records -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Driver/CompileGate.h"

#include "unit/Driver/Kernels.h"
#include "unit/Expect.h"

#include <atomic>
#include <thread>

using namespace tessera;
using namespace tessera::ir;
using namespace tessera::test;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

namespace {

/// Whether a second thread gets in while \p inside runs on this one, inside the gate.
template <class Run> bool secondThreadEnters(CompileGate &gate, Run inside) {
  std::atomic<bool> entered{false}, done{false};
  std::thread second;
  {
    const CompileGate::Entry first(gate);
    EXPECT_TRUE(first);
    second = std::thread([&] {
      const CompileGate::Entry entry(gate, 200ms);
      entered = static_cast<bool>(entry);
      done = true;
      done.notify_all();
    });
    inside(done);
  }
  second.join();
  return entered;
}

} // namespace

TEST(CompileGate, waitsForACompilation) {
  CompileGate gate;
  EXPECT_TRUE(secondThreadEnters(gate, [](auto &) { std::this_thread::sleep_for(300ms); }));
}

TEST(CompileGate, waitsForARecordingThatWorks) {
  CompileGate gate;
  EXPECT_TRUE(secondThreadEnters(gate, [&](auto &done) {
    const CompileGate::Recording recording(gate);
    const auto end = std::chrono::steady_clock::now() + 400ms;
    while (std::chrono::steady_clock::now() < end)
      EXPECT_FALSE(done);
  }));
}

TEST(CompileGate, leavesARecordingThatWaits) {
  CompileGate gate;
  EXPECT_FALSE(secondThreadEnters(gate, [&](auto &done) {
    const CompileGate::Recording recording(gate);
    done.wait(false);
  }));
  EXPECT_TRUE(secondThreadEnters(gate, [](auto &) {})) << "and is open afterwards";
}

// The function waits for a thread that launches what is being recorded: neither could ever go on.
TEST(CompileGate, launchingTheKernelBeingRecordedFromAnotherThread) {
  const Device dev = interp();
  const Buffer<f32> out = dev.buffer<f32>(1);
  std::string words;
  std::function<void()> again;
  const auto k = kernel("again", [&](Ptr<f32> x) {
    std::thread([&] { words = wordsOf<UsageError>(again); }).join();
    store(x, 1.0f);
  });
  again = [&] { k.launch(dev, 1, out); };
  k.launch(dev, 1, out);
  EXPECT_THAT(words, AllOf(HasSubstr("CompileGateTest.cpp:"), HasSubstr("launch of kernel `again`"),
                           HasSubstr("another thread is recording this kernel and stands still")));
  EXPECT_EQ(out.download()[0], 1);
}
