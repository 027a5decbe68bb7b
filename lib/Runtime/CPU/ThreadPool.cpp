//===- ThreadPool.cpp - the threads that run kernels' programs ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One word, `state`, holds the number of the launch and how many of its chunks nobody has claimed. A worker reads a job
// only after it claimed one of its chunks by compare-and-swap, and the launcher returns when all claimed chunks are
// finished: no launch waits for a thread that sleeps, and no thread touches a job that has ended. Idle workers watch
// the word for a moment, then sleep until a launch rings.
//
//===---------------------------------------------------------------------===//

#include "Runtime/CPU/ThreadPool.h"

#include "Runtime/CPU/Arena.h"
#include "Runtime/CPU/FloatEnvironment.h"
#include "Runtime/CPU/HostFeatures.h"
#include "Support/Environment.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <csignal>
#include <linux/futex.h>
#include <mutex>
#include <pthread.h>
#include <sys/syscall.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace tessera::rt::cpu {

using Clock = std::chrono::steady_clock;

/// How long an idle worker, or a launcher without work, watches before it sleeps.
static constexpr std::chrono::microseconds kWatch{50};
/// What is over sooner than this is not worth another thread.
static constexpr std::uint64_t kWorthwhileNs = 7000;
/// No chunk is made for less work than this.
static constexpr std::uint64_t kSmallestChunkNs = 2000;
static constexpr unsigned kChunksPerThread = 8, kMaxThreads = 4096;

static std::uint64_t nsBetween(Clock::time_point from, Clock::time_point to) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(to - from).count());
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

static void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

static void sleepWhile(std::atomic<std::uint32_t> &word, std::uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
static void wake(std::atomic<std::uint32_t> &word, int threads) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

/// Whether \p done becomes true while it is watched.
template <class Done> static bool watch(Done done) {
  const Clock::time_point end = Clock::now() + kWatch;
  do {
    for (int i = 0; i != 64; ++i) {
      if (done())
        return true;
      relax();
    }
  } while (Clock::now() < end);
  return done();
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static std::uint64_t programsOf(const Job &job) {
  return static_cast<std::uint64_t>(job.grid[0]) * static_cast<std::uint64_t>(job.grid[1]) *
         static_cast<std::uint64_t>(job.grid[2]);
}

// Kernels carry no description of their type that the sanitizer could compare.
#if defined(__clang__)
#define TESSERA_CALLS_KERNELS __attribute__((no_sanitize("function")))
#else
#define TESSERA_CALLS_KERNELS
#endif

/// Runs the programs numbered \p first … \p last - 1; numbers count along x, then y, then z.
TESSERA_CALLS_KERNELS static void runPrograms(const Job &job, void *arena, std::uint64_t first, std::uint64_t last) {
  if (first == last)
    return;
  const FloatEnvironment environment;
  const auto width = static_cast<std::uint64_t>(job.grid[0]), height = static_cast<std::uint64_t>(job.grid[1]);
  std::uint64_t x = first % width, y = first / width % height, z = first / width / height;
  while (first != last) {
    const std::uint64_t end = std::min(width, x + (last - first));
    job.entry(job.packed, job.grid.data(), arena, static_cast<std::int64_t>(x), static_cast<std::int64_t>(end),
              static_cast<std::int64_t>(y), static_cast<std::int64_t>(z));
    first += end - x;
    x = 0;
    if (++y == height) {
      y = 0;
      ++z;
    }
  }
}

/// The scratch memory of the calling thread, which is no worker.
static void *ownArena(std::size_t bytes) {
  static thread_local ThreadArena arena;
  return arena.reserve(bytes);
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

class ThreadPool::Workers {
public:
  explicit Workers(unsigned threads) : arenas(threads - 1) {}
  ~Workers();

  void reserve(std::size_t arenaBytes) {
    const std::lock_guard lock(launching);
    grow(arenaBytes);
  }
  /// Runs the programs from \p first on with the launching thread and the workers, if no other launch has them.
  bool tryRun(const Job &job, void *arena, std::uint64_t first, std::uint64_t cost);

private:
  static constexpr std::uint64_t kUnclaimed = 0xffff; ///< the bits of `state` that count chunks

  void grow(std::size_t arenaBytes);
  void start();
  void work(unsigned number);
  /// The number of a chunk that is now the caller's, or -1.
  int claim();
  void runChunk(int chunk, void *arena);
  std::uint64_t firstOf(std::uint64_t chunk) const;
  void publish(const Job &job, std::uint64_t first, std::uint64_t cost);
  void waitForOthers();
  void measure(void *arena);

  std::mutex launching;
  std::size_t reserved = 0;
  std::vector<ThreadArena> arenas;
  std::vector<std::thread> threads;
  bool started = false;

  // The job. Written before `state` publishes it, read by those who claimed a chunk.
  Job job;
  std::uint64_t begin = 0, programs = 0; ///< the first program, and how many from there
  std::uint64_t chunks = 0;

  alignas(64) std::atomic<std::uint64_t> state{0};
  alignas(64) std::atomic<std::uint32_t> unfinished{0}; ///< chunks
  std::atomic<bool> launcherSleeps{false};
  alignas(64) std::atomic<std::uint32_t> bell{0}; ///< rung, by adding 1, to wake sleepers
  std::atomic<std::uint32_t> sleepers{0};
  std::atomic<bool> stopping{false};
};

ThreadPool::Workers::~Workers() {
  stopping.store(true);
  bell.fetch_add(1);
  wake(bell, INT_MAX);
  for (std::thread &thread : threads)
    thread.join();
}

void ThreadPool::Workers::grow(std::size_t arenaBytes) {
  if (arenaBytes <= reserved)
    return;
  for (ThreadArena &arena : arenas)
    arena.reserve(arenaBytes);
  reserved = arenaBytes;
}

void ThreadPool::Workers::start() {
  started = true;
  // Signals of the program are for its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    for (unsigned i = 0; i != arenas.size(); ++i)
      threads.emplace_back([this, i] { work(i); });
  } catch (const std::system_error &) {
    // The system has no thread left for us: those that started and the launcher do the work.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

int ThreadPool::Workers::claim() {
  std::uint64_t seen = state.load(std::memory_order_acquire);
  while (seen & kUnclaimed)
    if (state.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel, std::memory_order_acquire))
      return static_cast<int>(chunks - (seen & kUnclaimed));
  return -1;
}

std::uint64_t ThreadPool::Workers::firstOf(std::uint64_t chunk) const {
  return begin + chunk * (programs / chunks) + std::min(chunk, programs % chunks);
}

void ThreadPool::Workers::runChunk(int chunk, void *arena) {
  const auto number = static_cast<std::uint64_t>(chunk);
  runPrograms(job, arena, firstOf(number), firstOf(number + 1));
  if (unfinished.fetch_sub(1) == 1 && launcherSleeps.load())
    wake(unfinished, 1);
}

void ThreadPool::Workers::work(unsigned number) {
  for (;;) {
    for (int chunk = claim(); chunk >= 0; chunk = claim())
      runChunk(chunk, arenas[number].memory());
    const auto called = [this] {
      return (state.load(std::memory_order_relaxed) & kUnclaimed) || stopping.load(std::memory_order_relaxed);
    };
    if (!watch(called)) {
      // Whoever publishes looks at `sleepers` afterwards; we look at what is published after counting ourselves.
      const std::uint32_t heard = bell.load();
      sleepers.fetch_add(1);
      if (!(state.load() & kUnclaimed) && !stopping.load())
        sleepWhile(bell, heard);
      sleepers.fetch_sub(1);
    }
    if (stopping.load())
      return;
  }
}

void ThreadPool::Workers::publish(const Job &launch, std::uint64_t first, std::uint64_t cost) {
  job = launch;
  begin = first;
  programs = programsOf(launch) - first;
  chunks = std::min<std::uint64_t>(programs, kChunksPerThread * (arenas.size() + 1));
  if (cost) {
    const std::uint64_t most = programs > ~std::uint64_t{0} / cost ? chunks : cost * programs / kSmallestChunkNs;
    chunks = std::clamp<std::uint64_t>(most, std::min<std::uint64_t>(2, chunks), chunks);
  }
  unfinished.store(static_cast<std::uint32_t>(chunks));
  const std::uint64_t launches = (state.load() | kUnclaimed) + 1;
  state.store(launches | chunks);
  if (const std::uint32_t asleep = sleepers.load()) {
    bell.fetch_add(1);
    wake(bell, static_cast<int>(std::min<std::uint64_t>(asleep, chunks - 1)));
  }
}

void ThreadPool::Workers::waitForOthers() {
  if (watch([this] { return unfinished.load(std::memory_order_acquire) == 0; }))
    return;
  launcherSleeps.store(true);
  while (const std::uint32_t left = unfinished.load())
    sleepWhile(unfinished, left);
  launcherSleeps.store(false);
}

/// Runs one chunk, if there is one, and notes how long its programs took.
void ThreadPool::Workers::measure(void *arena) {
  const int chunk = claim();
  if (chunk < 0)
    return;
  const std::uint64_t many =
      firstOf(static_cast<std::uint64_t>(chunk) + 1) - firstOf(static_cast<std::uint64_t>(chunk));
  const Clock::time_point start = Clock::now();
  runChunk(chunk, arena);
  if (job.cost)
    job.cost->store(std::max<std::uint64_t>(1, nsBetween(start, Clock::now()) / many), std::memory_order_relaxed);
}

bool ThreadPool::Workers::tryRun(const Job &launch, void *arena, std::uint64_t first, std::uint64_t cost) {
  const std::unique_lock lock(launching, std::try_to_lock);
  if (!lock)
    return false;
  grow(launch.arenaBytes); // a kernel loaded before a fork has reserved nothing here
  if (!started)
    start();
  publish(launch, first, cost);
  measure(arena);
  for (int chunk = claim(); chunk >= 0; chunk = claim())
    runChunk(chunk, arena);
  waitForOthers();
  return true;
}

//===----------------------------------------------------------------------===//
// The pool
//===----------------------------------------------------------------------===//

ThreadPool::ThreadPool(unsigned threads)
    : count(std::clamp(threads, 1u, kMaxThreads)), workers(std::make_unique<Workers>(count)) {}

ThreadPool::~ThreadPool() = default;

void ThreadPool::reserve(std::size_t arenaBytes) { workers->reserve(arenaBytes); }

/// Whether \p programs of about \p cost nanoseconds each are over too soon for another thread.
static bool isShort(std::uint64_t cost, std::uint64_t programs) { return programs < kWorthwhileNs / (cost + 1); }
/// Whether one program took about as long as those before it; reading the clock takes its time as well.
static bool isAsBefore(std::uint64_t now, std::uint64_t before) { return now <= 4 * before + 100; }

void ThreadPool::run(const Job &job) {
  const std::uint64_t programs = programsOf(job);
  void *const arena = ownArena(job.arenaBytes);
  if (count == 1 || programs <= 1 || job.inOrder)
    return runPrograms(job, arena, 0, programs);

  const std::uint64_t cost = job.cost ? job.cost->load(std::memory_order_relaxed) : 0;
  if (!cost || !isShort(cost, programs)) {
    if (!workers->tryRun(job, arena, 0, cost))
      runPrograms(job, arena, 0, programs);
    return;
  }
  // These programs were short before. Arguments may have changed that: one program tells.
  const Clock::time_point start = Clock::now();
  runPrograms(job, arena, 0, 1);
  const std::uint64_t now = nsBetween(start, Clock::now());
  if (isAsBefore(now, cost) || isShort(now, programs - 1) || !workers->tryRun(job, arena, 1, now)) {
    runPrograms(job, arena, 1, programs);
    job.cost->store(std::max<std::uint64_t>(1, nsBetween(start, Clock::now()) / programs), std::memory_order_relaxed);
  }
}

/// The process's pool; null until it is asked for, and again in the child of a fork, which has none of its threads.
static std::atomic<ThreadPool *> processPool{nullptr};

ThreadPool &ThreadPool::get() {
  if (ThreadPool *pool = processPool.load(std::memory_order_acquire))
    return *pool;
  static const int forgets = pthread_atfork(nullptr, nullptr, [] { processPool.store(nullptr); });
  (void)forgets;
  const auto threads = support::environmentNumber(support::Variable::CpuThreads, usableCores(), 1, kMaxThreads);
  auto fresh = std::make_unique<ThreadPool>(static_cast<unsigned>(threads));
  ThreadPool *pool = nullptr;
  return processPool.compare_exchange_strong(pool, fresh.get()) ? *fresh.release() : *pool;
}

} // namespace tessera::rt::cpu
