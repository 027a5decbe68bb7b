//===- AutotuneTest.cpp - candidates, keys, choices --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Registry.h"
#include "unit/Driver/Tuning.h"
#include "unit/PrintedLines.h"
#include "unit/Runtime/FakeDriver.h"

#include <atomic>
#include <barrier>
#include <numeric>
#include <thread>

using namespace tessera;
using namespace tessera::test;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

Device cpu() { return Device::get("cpu"); }

std::vector<float> ramp(std::int64_t n) {
  std::vector<float> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

/// A device that fails as tests want.
class MoodyDriver : public FakeDriver {
public:
  MoodyDriver() : FakeDriver("moody") {}
  std::unique_ptr<rt::LoadedKernel> load(int, const rt::Image &) override {
    struct Kernel : rt::LoadedKernel {
      std::string spill;
      std::vector<std::pair<std::string, std::string>> facts() const override { return {{"spill_bytes", spill}}; }
    };
    auto kernel = std::make_unique<Kernel>();
    kernel->spill = spills > 0 ? "64" : "0";
    --spills;
    return kernel;
  }
  std::atomic<int> spills{0}; ///< how many of the next kernels spill
};

MoodyDriver &moody() {
  static MoodyDriver *const driver = [] {
    auto owned = std::make_unique<MoodyDriver>();
    MoodyDriver *made = owned.get();
    rt::Registry::get().add(std::move(owned));
    return made;
  }();
  return *driver;
}

} // namespace

//===--- Spaces ----------------------------------------------------------===//

TEST(Autotune, productsGiveEveryCombination) {
  const auto space = combinations(vary(&SpinConfig::block, {32, 64}), vary(&CompileOptions::num_warps, {4, 8}));
  ASSERT_THAT(space, SizeIs(4));
  EXPECT_EQ(space[1].config.block, 32);
  EXPECT_EQ(space[1].options.num_warps, 8) << "the last axis changes fastest";
  EXPECT_EQ(space[2].config.block, 64);
  const auto based =
      combinations<SpinConfig>({{.rounds = 7}, {.num_stages = 2}}, vary(&CompileOptions::num_warps, {1}));
  EXPECT_EQ(based[0].config.rounds, 7);
  EXPECT_EQ(based[0].options.num_stages, 2);
  EXPECT_THAT(combinations(vary(&SpinConfig::block, std::vector<int>{}), vary(&SpinConfig::rounds, {1})), IsEmpty());
}

TEST(Autotune, constraintsAndModelsOfCostPrune) {
  const std::int64_t n = 100;
  const Buffer<f32> x = cpu().upload(ramp(n));
  Buffer<f32> out = cpu().buffer<f32>(n);
  std::int64_t seen = 0;
  const auto tuned = autotune(
      makeDouble(),
      combinations(vary(&SpinConfig::block, {16, 32, 64, 128}), vary(&CompileOptions::num_stages, {1, 2})), key("n"),
      {.constraint = [](const SpinConfig &c, const CompileOptions &o) { return c.block > 16 && o.num_stages == 1; },
       .cost =
           [&](const SpinConfig &c, const CompileOptions &, const TuneProblem &problem) {
             seen = problem["n"];
             EXPECT_EQ(problem.target.family(), "cpu");
             return c.block == 32 ? INFINITY : 1.0 / c.block;
           },
       .keep = 1});
  EXPECT_THAT(tuned.space(), SizeIs(3));
  tuned.launch(cpu(), gridFor(n), x, out, n);
  EXPECT_EQ(seen, n);
  EXPECT_EQ(tuned.best_config()->config.block, 128);
  const TuneReport report = tuned.report();
  EXPECT_EQ(report.ending, "only candidate") << "nothing to be timed";
  EXPECT_EQ(report.rows[0].skipped, "the cost model rules it out");
  EXPECT_THAT(report.rows[1].skipped, HasSubstr("its cost is guessed as"));
  EXPECT_EQ(out.download()[99], 200);
}

TEST(Autotune, mistakesAreReportedWhereTheyAreMade) {
  const auto k = makeDouble();
  const int line = __LINE__ + 1;
  const std::string empty = wordsOf<UsageError>([&] { autotune(k, {}, key("n")); });
  EXPECT_THAT(empty, AllOf(HasSubstr("AutotuneTest.cpp:" + std::to_string(line)),
                           HasSubstr("autotune of kernel `double`: there is no candidate; the space is empty, or the "
                                     "constraint leaves none of it")));
  EXPECT_THAT(wordsOf<UsageError>([&] { autotune(k, threeSpins(), key("m")); }),
              HasSubstr("its key names `m`, and the kernel has no such parameter; numbers among its parameters: n"));
  EXPECT_THAT(wordsOf<UsageError>([&] { autotune(k, threeSpins(), key("x")); }),
              HasSubstr("its key names `x`, which is a pointer; a key is made of numbers: n"));
  EXPECT_THAT(wordsOf<UsageError>([&] { autotune(k, threeSpins(), {}, {.budget_ms = 0}); }),
              HasSubstr("budget_ms must be a positive number"));
  EXPECT_THAT(wordsOf<UsageError>([&] { autotune(k, threeSpins(), TuneKey(33, KeyPart(1))); }),
              HasSubstr("its key has 33 parts; at most 32 are possible"));
}

//===--- Choices ---------------------------------------------------------===//

TEST(Autotune, choosesTheFastestCandidate) {
  const std::int64_t n = 5000;
  const Buffer<f32> x = cpu().upload(ramp(n));
  Buffer<f32> out = cpu().buffer<f32>(n);
  const auto k = makeDouble();
  const auto tuned = autotune(k, threeSpins(), key("n"));
  EXPECT_FALSE(tuned.best_config());
  tuned.launch(cpu(), gridFor(n), x, out, n);
  EXPECT_EQ(tuned.best_config()->config.rounds, 1);
  EXPECT_EQ(out.download()[4999], 10000);
  const TuneReport report = tuned.report();
  EXPECT_EQ(report.ending, "separated");
  EXPECT_EQ(report.key, "n=5000");
  EXPECT_TRUE(report.rows[1].chosen);
  for (const TuneRow &row : report.rows) {
    EXPECT_GT(row.samples, 0);
    EXPECT_LE(row.low, row.ms);
    EXPECT_LE(row.ms, row.high);
  }
  EXPECT_THAT(k.compilations(), SizeIs(3));
  EXPECT_EQ(k.compilations()[0].reason, "tuning");
  tuned.launch(cpu(), gridFor(n), x, out, n);
  EXPECT_THAT(k.compilations(), SizeIs(3)) << "nothing is tuned twice";
}

TEST(Autotune, theKeySaysWhatIsTunedAnew) {
  const Buffer<f32> x = cpu().upload(ramp(512));
  Buffer<f32> out = cpu().buffer<f32>(512);
  std::vector<std::string> keys;
  const auto keysOf = [&](const TuneKey &key) {
    const auto tuned = autotune(makeDouble(), threeSpins(), key, {.budget_ms = 1});
    std::vector<std::string> seen;
    for (const std::int64_t n : {100, 200, 120, 100}) {
      tuned.launch(cpu(), gridFor(n), x, out, n);
      if (const std::string now = tuned.report().key; seen.empty() || seen.back() != now)
        seen.push_back(now);
    }
    return seen;
  };
  EXPECT_THAT(keysOf(key("n")), ElementsAre("n=100", "n=200", "n=120", "n=100"));
  EXPECT_THAT(keysOf(key(bucket("n"))), ElementsAre("n<=128", "n<=256", "n<=128"));
  EXPECT_THAT(keysOf(key(7, f32, true, 2.5)), ElementsAre("7 f32 true 2.5"));
  EXPECT_THAT(keysOf(key()), ElementsAre(""));
}

TEST(Autotune, preparedLaunchesFollowTheKey) {
  const Buffer<f32> x = cpu().upload(ramp(512));
  Buffer<f32> out = cpu().buffer<f32>(512);
  const auto tuned = autotune(makeDouble(), threeSpins(), key("n"), {.budget_ms = 1});
  out.fill(0);
  auto go = tuned.prepare([](const SpinConfig &c) { return Grid{cdiv(512, c.block)}; }, x, out, 100);
  go(cpu());
  EXPECT_EQ(out.download()[99], 200);
  EXPECT_EQ(out.download()[100], 0);
  go.set<2>(512);
  go(cpu());
  EXPECT_EQ(out.download()[511], 1024);
  EXPECT_EQ(tuned.report().key, "n=512");
}

TEST(Autotune, tuneChoosesAndLaunchesNothing) {
  const Buffer<f32> x = cpu().upload(ramp(512));
  Buffer<f32> out = cpu().buffer<f32>(512);
  out.fill(7);
  const auto tuned = autotune(makeAccumulate(), threeSpins(), key("n"));
  EXPECT_EQ(tuned.tune(cpu(), gridFor(512), x, out, 512).config.rounds, 1);
  EXPECT_EQ(out.download(), std::vector<float>(512, 7));
}

TEST(Autotune, emptyGridsAreNotTuned) {
  const Buffer<f32> x = cpu().upload(ramp(1));
  const auto tuned = autotune(makeDouble(), threeSpins(), key("n"));
  tuned.launch(cpu(), gridFor(0), x, x, 0);
  EXPECT_FALSE(tuned.best_config());
}

TEST(Autotune, candidatesThatFailAreSkippedWithTheReason) {
  const Buffer<f32> x = cpu().upload(ramp(512));
  Buffer<f32> out = cpu().buffer<f32>(512);
  const auto tuned = autotune(
      makeDouble(), {{{.block = 100}}, {{.block = 64}}, {{.block = 64}}, {{.block = 32}}, {{}, {.num_warps = 3}}});
  tuned.launch(cpu(), gridFor(512), x, out, 512);
  const TuneReport report = tuned.report();
  EXPECT_THAT(report.rows[0].skipped, HasSubstr("power of two"));
  EXPECT_EQ(report.rows[2].skipped, "is listed twice");
  EXPECT_THAT(report.rows[4].skipped, HasSubstr("num_warps"));
  EXPECT_EQ(out.download()[511], 1024);
}

TEST(Autotune, withoutAnyCandidateItSaysWhy) {
  const Buffer<f32> x = cpu().upload(ramp(512));
  const auto tuned = autotune(makeDouble(), {{{.block = 100}}, {{.block = 36}}});
  const int line = __LINE__ + 1;
  const std::string words = wordsOf<UsageError>([&] { tuned.launch(cpu(), gridFor(512), x, x, 512); });
  EXPECT_THAT(words,
              AllOf(HasSubstr("AutotuneTest.cpp:" + std::to_string(line)),
                    HasSubstr("launch of kernel `double`: none of its 2 candidates can run; {block=100, rounds=1}"),
                    HasSubstr("power of two")));
}

TEST(Autotune, badArgumentsAreNoCandidatesFault) {
  const auto tuned = autotune(makeDouble(), threeSpins());
  Buffer<f32> none;
  EXPECT_THAT(wordsOf<UsageError>([&] { tuned.launch(cpu(), gridFor(512), none, none, 512); }),
              HasSubstr("argument `x` (the first) is a buffer without memory"));
}

TEST(Autotune, candidatesThatSpillAreSkippedIfOthersDoNot) {
  moody();
  const Device device = Device::get("moody");
  const Buffer<f32> x = device.buffer<f32>(64);
  for (const int spilling : {1, 2, 3}) {
    moody().spills = spilling;
    const auto tuned = autotune(makeDouble(), threeSpins(), key(spilling));
    tuned.launch(device, {1}, x, x, 64);
    int skipped = 0, timed = 0;
    for (const TuneRow &row : tuned.report().rows) {
      skipped += row.skipped == "spills 64 bytes of registers";
      timed += row.samples > 0;
    }
    EXPECT_EQ(skipped, spilling == 3 ? 0 : spilling) << "if all of them do, the fastest of them is taken";
    EXPECT_EQ(timed, 3 - skipped);
  }
  moody().spills = 2;
  const auto tuned = autotune(makeDouble(), threeSpins(), key("n"), {.allow_spills = true});
  tuned.launch(device, {1}, x, x, 64);
  for (const TuneRow &row : tuned.report().rows)
    EXPECT_GT(row.samples, 0);
}

TEST(Autotune, candidatesThatTakeTooLongAreGivenUp) {
  const std::int64_t n = 1 << 16;
  const Buffer<f32> x = cpu().upload(ramp(n));
  Buffer<f32> out = cpu().buffer<f32>(n);
  const auto tuned =
      autotune(makeDouble(), {{{.rounds = 30000}}, {{.rounds = 1}}, {{.rounds = 2}}}, {}, {.time_limit_ms = 50});
  tuned.launch(cpu(), gridFor(n), x, out, n);
  EXPECT_THAT(tuned.report().rows[0].skipped,
              testing::AnyOf(HasSubstr("longer than the limit of 50 ms"), HasSubstr("did not end within 50 ms")));
  EXPECT_NE(tuned.best_config()->config.rounds, 30000);
}

//===--- Streams and threads ---------------------------------------------===//

TEST(Autotune, nothingIsTunedWhileAStreamIsCaptured) {
  moody();
  const Device device = Device::get("moody");
  const Buffer<f32> x = device.buffer<f32>(64);
  const auto tuned = autotune(makeDouble(), threeSpins(), key("n"));
  moody().capturing = true;
  const int line = __LINE__ + 1;
  const std::string words = wordsOf<UsageError>([&] { tuned.launch(device, {1}, x, x, 64); });
  EXPECT_THAT(words,
              AllOf(HasSubstr("AutotuneTest.cpp:" + std::to_string(line)),
                    HasSubstr("the stream is being captured, and nothing was chosen yet for the key `n=64`; call "
                              "tune() or launch once before the capture")));
  moody().capturing = false;
  tuned.tune(device, {1}, x, x, 64);
  const std::size_t before = moody().launches.size();
  moody().capturing = true;
  tuned.launch(device, {1}, x, x, 64);
  moody().capturing = false;
  EXPECT_EQ(moody().launches.size(), before + 1) << "what was chosen is launched";
}

TEST(Autotune, threadsShareTheWork) {
  const std::int64_t n = 512;
  const auto k = makeDouble();
  const auto tuned = autotune(k, threeSpins(), key("n"));
  const Buffer<f32> x = cpu().upload(ramp(n));
  std::barrier start(8);
  std::vector<Buffer<f32>> outs;
  for (int i = 0; i != 8; ++i)
    outs.push_back(cpu().buffer<f32>(n));
  {
    std::vector<std::jthread> threads;
    for (Buffer<f32> &out : outs)
      threads.emplace_back([&] {
        start.arrive_and_wait();
        tuned.launch(cpu().create_stream(), gridFor(n), x, out, n);
      });
  }
  for (const Buffer<f32> &out : outs)
    EXPECT_EQ(out.download()[511], 1024);
  EXPECT_THAT(k.compilations(), SizeIs(3));
}

TEST(Autotune, hooksMustNotLaunchWhatIsTuned) {
  const Buffer<f32> x = cpu().upload(ramp(64));
  Buffer<f32> out = cpu().buffer<f32>(64);
  std::function<void(const Stream &)> again;
  const auto tuned = autotune(makeDouble(), threeSpins(), {}, {.pre_hook = [&](const Stream &s) { again(s); }});
  again = [&](const Stream &stream) { tuned.launch(stream, gridFor(64), x, out, 64); };
  EXPECT_THAT(wordsOf<UsageError>([&] { tuned.launch(cpu(), gridFor(64), x, out, 64); }),
              HasSubstr("it is being tuned on this thread; a hook must not launch what is tuned"));
}

// A hook may launch another kernel that is tuned.
TEST(Autotune, hooksMayTuneSomethingElse) {
  const TuneFolder folder;
  const Buffer<f32> x = cpu().upload(ramp(64));
  Buffer<f32> out = cpu().buffer<f32>(64), other = cpu().buffer<f32>(64);
  other.fill(0);
  const auto inner = autotune(makeAccumulate(), threeSpins());
  int before = 0, after = 0;
  const auto tuned = autotune(makeDouble(), threeSpins(), {},
                              {.pre_hook =
                                   [&](const Stream &stream) {
                                     ++before;
                                     other.fill_async(stream, 0);
                                     inner.launch(stream, gridFor(64), x, other, 64);
                                   },
                               .post_hook = [&](const Stream &) { ++after; }});
  tuned.launch(cpu(), gridFor(64), x, out, 64);
  EXPECT_EQ(before, after + 1) << "once more before the launch that tuning was for";
  EXPECT_EQ(other.download(), ramp(64));
  const int seen = before;
  tuned.launch(cpu(), gridFor(64), x, out, 64);
  EXPECT_EQ(before, seen) << "and never again";
}

TEST(Autotune, whatTrialsPrintIsNotShown) {
  const auto k = kernel("talk", {"out"}, [](const SpinConfig &c, Ptr<f32> out) {
    Tile i = arange(0, 1);
    device_print("hello", i);
    store(out + i, spin(full(f32, {1}, 1.0f), c.rounds));
  });
  Buffer<f32> out = cpu().buffer<f32>(1);
  const PrintedLines printed;
  autotune(k, threeSpins()).launch(cpu(), {1}, out);
  cpu().synchronize();
  EXPECT_THAT(printed.lines, SizeIs(1));
}
