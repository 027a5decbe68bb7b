//===- Conversion.cpp - a tile from one layout to another -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Threads exchange values in rounds. In round p, a thread u of lane l reads of lane H(u) ^ s(p) the value that this
// lane offers in the round, its register q(p) ^ M(its own number), and takes it for its register p ^ N(u). All of these
// functions are linear. A choice of registers by the number of the thread, M or N, costs selects; a round in which
// everybody reads the own lane costs no shuffle.
//
// Kept where possible: N is chosen so that all threads find what they already have in the same rounds, and H(u) = l.
// This works if and only if each thread has something, and then each has equally much, so nobody could do with less.
//
// Otherwise some thread reads in all rounds whatever the plan. H must tell apart lanes that want different registers of
// one lane, since it can offer only one of them in a round. They can be told apart by N, since what they want in the
// same round are then different elements, and by copies that the source has in other lanes.
//
//===---------------------------------------------------------------------===//

#include "Layout/Conversion.h"

#include "Layout/FlatIndex.h"
#include "Layout/LinearMap.h"
#include "Layout/Span.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

namespace tessera::layout {

using Kind = ConversionStep::Kind;

namespace {

/// A register of a lane of the source; a vector of both.
struct Place {
  std::uint32_t reg = 0, lane = 0;

  Place &operator^=(const Place &other) {
    reg ^= other.reg;
    lane ^= other.lane;
    return *this;
  }
};

/// A pair of layouts. The bits of a thread's number are those of lane, warp and block, one after another.
struct Pair {
  Pair(const TileLayout &from, const TileLayout &to)
      : fromRegisters(from.bases(Dim::Register).begin(), from.bases(Dim::Register).end()),
        toRegisters(to.bases(Dim::Register).begin(), to.bases(Dim::Register).end()) {
    for (const Dim dim : {Dim::Lane, Dim::Warp, Dim::Block}) {
      const int bits = std::max(from.bits(dim), to.bits(dim));
      for (int bit = 0; bit != bits; ++bit) {
        fromThreads.push_back(bit < from.bits(dim) ? from.bases(dim)[bit] : 0);
        toThreads.push_back(bit < to.bits(dim) ? to.bases(dim)[bit] : 0);
      }
      (dim == Dim::Lane ? lanes : dim == Dim::Warp ? warps : blocks) = bits;
    }
  }
  int threadBits() const { return lanes + warps + blocks; }

  int lanes = 0, warps = 0, blocks = 0; // bits of each
  std::vector<std::uint32_t> fromRegisters, fromThreads, toRegisters, toThreads;
};

/// The functions of the comment above, by their columns.
struct Exchange {
  std::vector<Place> rounds;            // q and s of each bit of a round's number
  std::vector<std::uint32_t> lanes;     // H of each bit of the reading thread
  std::vector<std::uint32_t> registers; // M of each bit of the offering thread
  std::vector<std::uint32_t> targets;   // N of each bit of the reading thread
};

} // namespace

// -- Equations --------------------------------------------------------------------------------------------------------

template <class Value> static Value sumOf(const std::vector<Value> &columns, std::uint64_t bits) {
  Value sum{};
  for (; bits != 0; bits &= bits - 1)
    sum ^= columns[std::countr_zero(bits)];
  return sum;
}

static std::uint32_t lowBits(std::uint64_t number, std::size_t count) {
  return static_cast<std::uint32_t>(number & ((std::uint64_t{1} << count) - 1));
}

/// Places of the source by the columns of its registers and lanes, a register of the own lane if there is one.
class Places {
public:
  explicit Places(const Pair &pair) : registers(pair.fromRegisters.size()) {
    span.insertAll(pair.fromRegisters);
    span.insertAll(std::span(pair.fromThreads).first(pair.lanes));
  }
  /// Where the warp has an element that it has.
  Place find(std::uint32_t element) const { return split(span.combinationOf(element).value_or(0)); }
  Place split(std::uint64_t combination) const {
    return {lowBits(combination, registers), static_cast<std::uint32_t>(combination >> registers)};
  }

private:
  std::size_t registers;
  Span span;
};

/// The exchange that keeps what threads have, if each thread has something.
static std::optional<Exchange> keepingExchange(const Pair &pair, const std::vector<Place> &rounds) {
  Span span;
  span.insertAll(pair.fromRegisters);
  span.insertAll(pair.toRegisters);
  Exchange result;
  result.rounds = rounds;
  for (int bit = 0; bit != pair.threadBits(); ++bit) {
    const auto found = span.combinationOf(pair.fromThreads[bit] ^ pair.toThreads[bit]);
    if (!found)
      return std::nullopt;
    result.lanes.push_back(bit < pair.lanes ? std::uint32_t{1} << bit : 0);
    result.registers.push_back(lowBits(*found, pair.fromRegisters.size()));
    result.targets.push_back(static_cast<std::uint32_t>(*found >> pair.fromRegisters.size()));
  }
  for (Place &round : result.rounds)
    round.reg ^= sumOf(result.registers, round.lane);
  return result;
}

namespace {

/// Finds an exchange in which threads read in all rounds.
class MovingExchange {
public:
  MovingExchange(const Pair &pair, const Places &places, const std::vector<Place> &rounds,
                 const std::vector<Place> &threads)
      : pair(pair), threads(threads) {
    result.rounds = rounds;
    targets.insertAll(pair.toRegisters);
    // What tells lanes apart: copies in the source first, since they cost nothing.
    std::vector<std::uint64_t> sources(pair.fromRegisters.begin(), pair.fromRegisters.end());
    sources.insert(sources.end(), pair.fromThreads.begin(), pair.fromThreads.begin() + pair.lanes);
    for (const std::uint64_t copy : LinearMap(std::move(sources), kMaxBits).kernel())
      room.push_back({0, places.split(copy), 0});
    for (std::size_t bit = 0; bit != rounds.size(); ++bit)
      room.push_back({0, rounds[bit], std::uint32_t{1} << bit});
  }

  /// With \p copiesFirst, lanes that need the same elements read the same words; this leaves room for others.
  Exchange find(bool copiesFirst) {
    if (copiesFirst)
      addCopies();
    for (int bit = 0; bit != pair.lanes; ++bit)
      if (!known.contains(std::uint64_t{1} << bit))
        addLane(std::uint32_t{1} << bit);
    finish();
    return std::move(result);
  }

private:
  /// Lanes that differ by `lanes` read lanes and registers that differ by `place`, with targets that differ by
  /// `target`.
  struct Step {
    std::uint32_t lanes = 0;
    Place place;
    std::uint32_t target = 0;

    Step &operator^=(const Step &other) {
      lanes ^= other.lanes;
      place ^= other.place;
      target ^= other.target;
      return *this;
    }
  };

  void add(const Step &step) {
    known.insert(step.lanes);
    read.insert(step.place.lane);
    steps.push_back(step);
  }

  void addCopies() {
    std::vector<std::uint64_t> columns(pair.toThreads.begin(), pair.toThreads.begin() + pair.lanes);
    columns.insert(columns.end(), pair.toRegisters.begin(), pair.toRegisters.end());
    for (const std::uint64_t copy : LinearMap(std::move(columns), kMaxBits).kernel())
      add({lowBits(copy, pair.lanes), {}, static_cast<std::uint32_t>(copy >> pair.lanes)});
  }

  void addLane(std::uint32_t lane) {
    Step step{lane, sumOf(threads, lane), 0};
    const auto others = read.combinationOf(step.place.lane);
    if (others) {
      // With these others it reads the lane that lane 0 reads.
      step ^= sumOf(steps, *others);
      if (step.place.reg != 0)
        tellApart(step);
    }
    add(step);
  }

  /// Changes \p step, which reads another register of the same lane.
  void tellApart(Step &step) {
    if (const auto target = targets.combinationOf(sumOf(pair.fromRegisters, step.place.reg))) {
      step.place = {}; // a copy of what the lane needs in another round
      step.target ^= static_cast<std::uint32_t>(*target);
      return;
    }
    const auto found =
        std::find_if(room.begin(), room.end(), [&](const Step &way) { return !read.contains(way.place.lane); });
    if (found != room.end()) {
      step ^= *found;
      return;
    }
    // Twice the rounds; in the second half all offer the other register.
    step.target ^= std::uint32_t{1} << result.rounds.size();
    result.rounds.push_back(step.place);
    step.place = {};
  }

  void finish() {
    Span whole = read; // the lanes that nobody reads offer anything
    for (int bit = 0; bit != pair.lanes; ++bit)
      whole.insert(std::uint64_t{1} << bit);
    const std::uint64_t asked = (std::uint64_t{1} << steps.size()) - 1;
    for (int bit = 0; bit != pair.lanes; ++bit)
      result.registers.push_back(
          sumOf(steps, whole.combinationOf(std::uint64_t{1} << bit).value_or(0) & asked).place.reg);
    for (int bit = 0; bit != pair.lanes; ++bit) {
      const Step step = sumOf(steps, known.combinationOf(std::uint64_t{1} << bit).value_or(0));
      result.lanes.push_back(step.place.lane);
      result.targets.push_back(step.target);
    }
    for (int bit = pair.lanes; bit != pair.threadBits(); ++bit) {
      const Place place = threads[bit];
      result.lanes.push_back(place.lane);
      result.registers.push_back(place.reg ^ sumOf(result.registers, place.lane));
      result.targets.push_back(0);
    }
    for (Place &round : result.rounds)
      round.reg ^= sumOf(result.registers, round.lane);
  }

  const Pair &pair;
  const std::vector<Place> &threads;
  std::vector<Step> room;  // additions that change no element read, only where it is read
  std::vector<Step> steps; // a basis of the lanes
  Span known, read;        // the lanes of the steps; the lanes that they read
  Span targets;            // registers of the destination
  Exchange result;
};

} // namespace

/// An exchange with the fewest shuffles, of elements that stay in their warp.
static Exchange exchangeFor(const Pair &pair) {
  const Places places(pair);
  std::vector<Place> rounds, threads;
  for (const std::uint32_t column : pair.toRegisters)
    rounds.push_back(places.find(column));
  if (auto keeping = keepingExchange(pair, rounds))
    return std::move(*keeping);
  // A lane may read any lane; warps and blocks read their own.
  for (int bit = 0; bit != pair.threadBits(); ++bit)
    threads.push_back(places.find(pair.toThreads[bit] ^ (bit < pair.lanes ? 0 : pair.fromThreads[bit])));
  Exchange moving = MovingExchange(pair, places, rounds, threads).find(/*copiesFirst=*/false);
  if (moving.rounds.size() == rounds.size())
    return moving;
  return MovingExchange(pair, places, rounds, threads).find(/*copiesFirst=*/true);
}

// -- From an exchange to steps ----------------------------------------------------------------------------------------

namespace {

/// A choice by the number of the thread: where the parity is odd, of the register whose number differs by `change`.
struct Choice {
  std::uint32_t change = 0;
  ThreadParity parity;
};

class Emitter {
public:
  Emitter(const Exchange &exchange, const Pair &pair, ConversionPlan &plan)
      : exchange(exchange), pair(pair), plan(plan), offers(choicesOf(exchange.registers)),
        takes(choicesOf(exchange.targets)) {}

  /// \p sourceOf is the number of each value of the source, \p packed the exponent of the elements in a word.
  void emit(std::vector<std::uint32_t> sourceOf, int packed, std::size_t targets) {
    offered.assign(offers.size() + 1, std::vector<std::uint32_t>(sourceOf.size(), kNone));
    next = static_cast<std::uint32_t>(plan.results.size()); // the registers of the source, copies included
    plan.results.clear();
    offered[0] = std::move(sourceOf);
    taken.assign(takes.size() + 1, std::vector<std::uint32_t>(std::size_t{1} << exchange.rounds.size(), kNone));
    runRounds(packed);
    for (std::uint32_t target = 0; target != targets; ++target)
      plan.results.push_back(choose(takes, taken, takes.size(), target));
  }

private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// A function of the thread as a chain of choices: each for a vector of a reduced basis of its columns.
  std::vector<Choice> choicesOf(const std::vector<std::uint32_t> &columns) const {
    Span span;
    span.insertAll(columns);
    std::vector<Choice> result;
    for (const std::uint64_t vector : span.basis()) {
      Choice choice{static_cast<std::uint32_t>(vector), {}};
      const std::uint32_t lead = std::bit_floor(choice.change);
      for (int bit = 0; bit != pair.threadBits(); ++bit) {
        if ((columns[bit] & lead) == 0)
          continue;
        if (bit < pair.lanes)
          choice.parity.lanes |= std::uint32_t{1} << bit;
        else if (bit < pair.lanes + pair.warps)
          choice.parity.warps |= std::uint32_t{1} << (bit - pair.lanes);
        else
          choice.parity.blocks |= std::uint32_t{1} << (bit - pair.lanes - pair.warps);
      }
      result.push_back(choice);
    }
    return result;
  }

  /// The value \p index after the first \p depth choices, made when first asked for.
  std::uint32_t choose(const std::vector<Choice> &choices, std::vector<std::vector<std::uint32_t>> &values,
                       std::size_t depth, std::uint32_t index) {
    if (values[depth][index] == kNone) {
      const Choice &choice = choices[depth - 1];
      const std::uint32_t even = choose(choices, values, depth - 1, index),
                          odd = choose(choices, values, depth - 1, index ^ choice.change);
      plan.steps.push_back({.kind = Kind::Select, .values = {even, odd}, .firstResult = next, .parity = choice.parity});
      values[depth][index] = next++;
    }
    return values[depth][index];
  }

  /// Rounds that read the same lanes share words.
  void runRounds(int packed) {
    std::vector<std::uint64_t> lanes;
    for (const Place &round : exchange.rounds)
      lanes.push_back(round.lane);
    std::vector<std::uint64_t> together = LinearMap(lanes, kMaxBits).kernel();
    together.resize(std::min<std::size_t>(together.size(), packed));
    const LinearMap inWord(together, kMaxBits);
    const bool ownLane = plan.shufflesByXor();

    for (std::uint32_t first = 0; first != taken[0].size(); ++first) {
      if (taken[0][first] != kNone)
        continue;
      std::vector<std::uint32_t> values;
      for (std::uint32_t part = 0; part != std::uint32_t{1} << together.size(); ++part) {
        const std::uint32_t round = first ^ static_cast<std::uint32_t>(inWord(part));
        values.push_back(choose(offers, offered, offers.size(), sumOf(exchange.rounds, round).reg));
      }
      const std::uint32_t lane = sumOf(exchange.rounds, first).lane;
      const bool stays = lane == 0 && ownLane;
      for (std::uint32_t part = 0; part != values.size(); ++part)
        taken[0][first ^ inWord(part)] = stays ? values[part] : next + part;
      if (stays)
        continue;
      const std::uint32_t count = static_cast<std::uint32_t>(values.size());
      plan.steps.push_back({.kind = Kind::Shuffle, .values = std::move(values), .firstResult = next, .laneXor = lane});
      next += count;
    }
  }

  const Exchange &exchange;
  const Pair &pair;
  ConversionPlan &plan;
  const std::vector<Choice> offers, takes;
  std::vector<std::vector<std::uint32_t>> offered, taken; // values after each choice; by register, by round
  std::uint32_t next = 0;
};

} // namespace

/// Reads through choices that were made alike before, and drops the steps that nothing reads then. The source has
/// \p sources values.
static void simplify(ConversionPlan &plan, std::uint32_t sources) {
  std::vector<const ConversionStep *> stepOf(sources, nullptr); // of each value
  for (ConversionStep &step : plan.steps) {
    if (step.kind == Kind::Select)
      for (const int side : {0, 1}) {
        std::uint32_t &value = step.values[side];
        while (stepOf[value] && stepOf[value]->kind == Kind::Select && stepOf[value]->parity == step.parity)
          value = stepOf[value]->values[side];
      }
    stepOf.insert(stepOf.end(), step.kind == Kind::Select ? 1 : step.values.size(), &step);
  }

  std::vector<bool> read(stepOf.size(), false);
  for (const std::uint32_t result : plan.results)
    read[result] = true;
  for (std::size_t value = stepOf.size(); value-- != sources;)
    if (read[value])
      for (const std::uint32_t operand : stepOf[value]->values)
        read[operand] = true;

  std::vector<std::uint32_t> number(stepOf.size());
  std::iota(number.begin(), number.end(), 0);
  std::uint32_t next = sources;
  std::vector<ConversionStep> kept;
  for (ConversionStep &step : plan.steps) {
    const std::uint32_t first = step.firstResult, count = step.kind == Kind::Select ? 1 : step.values.size();
    if (std::none_of(read.begin() + first, read.begin() + first + count, std::identity()))
      continue;
    for (std::uint32_t &value : step.values)
      value = number[value];
    std::iota(number.begin() + first, number.begin() + first + count, next);
    step.firstResult = std::exchange(next, next + count);
    kept.push_back(std::move(step));
  }
  plan.steps = std::move(kept);
  for (std::uint32_t &result : plan.results)
    result = number[result];
}

// -- Interface --------------------------------------------------------------------------------------------------------

bool ThreadParity::of(std::uint32_t lane, std::uint32_t warp, std::uint32_t block) const {
  return ((std::popcount(lane & lanes) + std::popcount(warp & warps) + std::popcount(block & blocks)) & 1) != 0;
}

int ConversionPlan::shuffles() const {
  return static_cast<int>(
      std::count_if(steps.begin(), steps.end(), [](const ConversionStep &step) { return step.kind == Kind::Shuffle; }));
}

int ConversionPlan::selects() const { return static_cast<int>(steps.size()) - shuffles(); }

std::uint32_t ConversionPlan::sourceLane(std::uint32_t lane, std::uint32_t warp, std::uint32_t block) const {
  return combined(laneColumns, lane) ^ combined(warpColumns, warp) ^ combined(blockColumns, block);
}

bool ConversionPlan::shufflesByXor() const {
  const auto zero = [](std::uint32_t column) { return column == 0; };
  for (std::size_t bit = 0; bit != laneColumns.size(); ++bit)
    if (laneColumns[bit] != std::uint32_t{1} << bit)
      return false;
  return std::all_of(warpColumns.begin(), warpColumns.end(), zero) &&
         std::all_of(blockColumns.begin(), blockColumns.end(), zero);
}

/// The numbers of \p layout's registers that have no copy with a lower number, in their order.
static std::vector<std::uint32_t> uniqueRegisters(const TileLayout &layout) {
  std::vector<std::uint32_t> result;
  const std::uint32_t copies = layout.copyMask(Dim::Register);
  for (std::uint32_t reg = 0; reg != layout.size(Dim::Register); ++reg)
    if ((reg & copies) == 0)
      result.push_back(reg);
  return result;
}

ConversionPlan planConversion(const TileLayout &from, const TileLayout &to, int elementBits) {
  ConversionPlan plan;
  plan.kind = conversionKind(from, to);
  if (plan.kind == ConversionKind::Shared)
    return plan;
  plan.results.resize(from.size(Dim::Register));
  std::iota(plan.results.begin(), plan.results.end(), 0);
  if (plan.kind == ConversionKind::Identity)
    return plan;

  const TileLayout source = withoutRegisterCopies(from), target = withoutRegisterCopies(to);
  const Pair pair(source, target);
  const Exchange exchange = exchangeFor(pair);

  const auto lanes = exchange.lanes.begin(), warps = lanes + pair.lanes, blocks = warps + pair.warps;
  plan.laneColumns.assign(lanes, warps);
  plan.warpColumns.assign(warps, blocks);
  plan.blockColumns.assign(blocks, exchange.lanes.end());
  const int packed = std::max(0, log2Of(32 / std::min(elementBits, 32)));
  Emitter(exchange, pair, plan).emit(uniqueRegisters(from), packed, target.size(Dim::Register));
  simplify(plan, from.size(Dim::Register));

  // Copies in the destination's registers.
  Span registers;
  registers.insertAll(target.bases(Dim::Register));
  std::vector<std::uint32_t> results;
  for (std::uint32_t reg = 0; reg != to.size(Dim::Register); ++reg)
    results.push_back(plan.results[registers.combinationOf(combined(to.bases(Dim::Register), reg)).value_or(0)]);
  plan.results = std::move(results);
  return plan;
}

ConversionKind conversionKind(const TileLayout &from, const TileLayout &to) {
  const Pair pair(from, to);
  Span span;
  const auto covered = [&](std::uint32_t column) { return span.contains(column); };
  span.insertAll(pair.fromRegisters);
  if (pair.fromThreads == pair.toThreads && std::ranges::all_of(pair.toRegisters, covered))
    return pair.fromRegisters == pair.toRegisters ? ConversionKind::Identity : ConversionKind::Registers;

  const auto lanes = std::span(pair.fromThreads).first(pair.lanes);
  span.insertAll(lanes);
  bool inWarp = std::ranges::all_of(pair.toRegisters, covered);
  for (int bit = 0; bit != pair.threadBits(); ++bit)
    inWarp &= covered(pair.toThreads[bit] ^ (bit < pair.lanes ? 0 : pair.fromThreads[bit]));
  return inWarp ? ConversionKind::Warp : ConversionKind::Shared;
}

bool staysInBlocks(const TileLayout &from, const TileLayout &to) {
  Span held;
  for (const Dim dim : {Dim::Register, Dim::Lane, Dim::Warp})
    held.insertAll(from.bases(dim));
  for (const Dim dim : {Dim::Register, Dim::Lane, Dim::Warp})
    for (const std::uint32_t column : to.bases(dim))
      if (!held.contains(column))
        return false;
  const auto columnOf = [](const TileLayout &layout, int bit) {
    return bit < layout.bits(Dim::Block) ? layout.bases(Dim::Block)[static_cast<std::size_t>(bit)] : 0;
  };
  for (int bit = 0; bit != std::max(from.bits(Dim::Block), to.bits(Dim::Block)); ++bit)
    if (!held.contains(columnOf(from, bit) ^ columnOf(to, bit)))
      return false;
  return true;
}

} // namespace tessera::layout
