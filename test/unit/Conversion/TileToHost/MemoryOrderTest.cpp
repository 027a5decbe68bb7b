//===- MemoryOrderTest.cpp - loads and stores in the order of the text ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Random kernels load and store overlapping pieces of little memory, through pointers and views, in loops that carry
// tiles and in branches, and are executed by a simple walk over their statements as well (SEMANTICS M3).
// TESSERA_TEST_KERNELS says how many, TESSERA_TEST_FIRST where to start.
//
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>

using namespace tessera::ir::interp;

namespace {

constexpr int kLanes = 16;  ///< of every tile: 16, or 4 x 4
constexpr int kWords = 128; ///< of each buffer

using Lanes = std::vector<std::uint32_t>;

struct Statement;
using Statements = std::vector<Statement>;

struct Variable {
  int name = -1;
  int rank = 0; ///< 0: a scalar

  std::string text() const { return "%v" + std::to_string(name); }
  std::string type() const { return rank == 0 ? "i32" : rank == 1 ? "tensor<16xi32>" : "tensor<4x4xi32>"; }
};

/// Lanes `offset + outer * i + inner * j` of an argument, the first \p count of them. Of rank 1, i is 0.
struct Place {
  int argument = 0, rank = 0, offset = 0, outer = 0, inner = 0, count = kLanes;
  bool throughView = false;

  int at(int lane) const {
    return rank == 2 ? offset + outer * (lane / 4) + inner * (lane % 4) : offset + inner * lane;
  }
};

struct Statement {
  enum Kind { Load, Store, Atomic, Op, Trans, Reshape, Flip, Splat, Reduce, For, If };

  explicit Statement(Kind kind, Variable result = {}, std::vector<Variable> args = {})
      : kind(kind), result(result), args(std::move(args)) {}

  Kind kind;
  Variable result;
  std::vector<Variable> args; ///< of For: what it carries, at first
  Place place;
  int number = 0; ///< which operation, trips, or condition
  Statements body, otherwise;
  std::vector<Variable> carried, yielded, otherwiseYielded, results;
};

/// Makes a kernel, its text, and what it does.
class RandomKernel {
public:
  explicit RandomKernel(unsigned seed) : random(seed), overlap(seed % 3 == 0) {
    std::vector<Variable> live;
    program = block(live, 10, 2);
    for (const Variable &variable : live) {
      Statement store{Statement::Store};
      store.args = {variable};
      store.place = {2, variable.rank, kLanes * outputs++, 4, 1, kLanes, false};
      program.push_back(store);
    }
  }

  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random); }

  //===--- Making ---------------------------------------------------------===//

  Variable fresh(int rank) { return {names++, rank}; }

  std::optional<Variable> some(const std::vector<Variable> &live, int rank) {
    std::vector<Variable> fitting;
    for (const Variable &variable : live)
      if (variable.rank == rank)
        fitting.push_back(variable);
    if (fitting.empty())
      return std::nullopt;
    return fitting[static_cast<std::size_t>(pick(static_cast<int>(fitting.size())))];
  }

  Place place(int rank, bool isStore) {
    static constexpr std::pair<int, int> kApart[] = {{4, 1}, {1, 4}, {5, 1}, {8, 2}};
    Place place{pick(2), rank, pick(8), 0, 0, pick(3) ? kLanes : pick(kLanes), rank == 2 && pick(2)};
    if (rank == 0)
      place.count = 1;
    std::tie(place.outer, place.inner) = kApart[pick(4)];
    if (rank == 1) {
      static constexpr int kSteps[] = {1, 1, 2, -1};
      place.inner = kSteps[pick(4)];
      if (place.inner < 0)
        place.offset += kLanes;
    }
    if (!isStore && pick(4) == 0)
      place.inner = 0; // many lanes load one place
    if (place.throughView)
      place.count = kLanes;
    return place;
  }

  Statements block(std::vector<Variable> &live, int length, int depth) {
    Statements result;
    for (int i = 0; i < length; ++i)
      if (std::optional<Statement> statement = next(live, depth)) {
        if (statement->result.name >= 0)
          live.push_back(statement->result);
        live.insert(live.end(), statement->results.begin(), statement->results.end());
        result.push_back(std::move(*statement));
      }
    return result;
  }

  std::optional<Statement> next(std::vector<Variable> &live, int depth) {
    const int rank = 1 + pick(2);
    const std::optional<Variable> a = some(live, rank), b = some(live, rank), scalar = some(live, 0);
    const int choice = pick(20);
    if (!a || choice < 4) {
      Statement load{Statement::Load, fresh(choice == 0 ? 0 : rank)};
      load.place = place(load.result.rank, false);
      return load;
    }
    if (choice < 8) {
      Statement store{Statement::Store};
      store.args = {choice == 4 && scalar ? *scalar : *a};
      store.place = place(store.args[0].rank, true);
      return store;
    }
    if (choice < 11) {
      Statement op{Statement::Op, fresh(rank), {*a, *b}};
      op.number = pick(3);
      return op;
    }
    switch (choice) {
    case 11: {
      Statement atomic{Statement::Atomic, fresh(rank), {*a}};
      atomic.place = place(rank, true);
      atomic.place.throughView = false;
      return atomic;
    }
    case 12:
      return rank == 2 ? std::optional(Statement{Statement::Trans, fresh(2), {*a}}) : std::nullopt;
    case 13:
      return Statement{Statement::Reshape, fresh(3 - rank), {*a}};
    case 14:
      return Statement{Statement::Flip, fresh(rank), {*a}};
    case 15:
      return scalar ? std::optional(Statement{Statement::Splat, fresh(rank), {*scalar}}) : std::nullopt;
    case 16: {
      if (rank != 1)
        return std::nullopt;
      Statement reduce{Statement::Reduce, fresh(0), {*a}};
      reduce.number = pick(2);
      return reduce;
    }
    case 17:
    case 18: {
      if (depth == 0)
        return std::nullopt;
      Statement loop{Statement::For};
      loop.number = pick(4);
      std::vector<Variable> inside = live;
      for (int count = pick(4); count > 0; --count)
        if (const std::optional<Variable> init = some(live, pick(3))) {
          loop.args.push_back(*init);
          loop.carried.push_back(fresh(init->rank));
          inside.push_back(loop.carried.back());
        }
      loop.body = block(inside, 5, depth - 1);
      for (const Variable &variable : loop.carried) {
        loop.yielded.push_back(*some(inside, variable.rank));
        loop.results.push_back(fresh(variable.rank));
      }
      return loop;
    }
    default: {
      if (depth == 0)
        return std::nullopt;
      Statement branch{Statement::If};
      branch.number = pick(2);
      std::vector<Variable> inside = live, otherwise = live;
      branch.body = block(inside, 4, depth - 1);
      branch.otherwise = block(otherwise, 4, depth - 1);
      for (int count = pick(3); count > 0; --count) {
        const int of = pick(3);
        const std::optional<Variable> then = some(inside, of), other = some(otherwise, of);
        if (!then || !other)
          continue;
        branch.yielded.push_back(*then);
        branch.otherwiseYielded.push_back(*other);
        branch.results.push_back(fresh(of));
      }
      return branch;
    }
    }
  }

  //===--- Text -----------------------------------------------------------===//

  std::string text() {
    std::string body;
    write(program, body);
    const char *alias = overlap ? " {tile.may_alias}" : "";
    return fmt::format(
        "tile.kernel @k(%p0: !tile.ptr<i32>, %p1: !tile.ptr<i32>{}, %p2: !tile.ptr<i32>, %yes: i1, %no: i1, "
        "%n: i64, {}%zero: i32) {{\n{}tile.return\n}}\n",
        alias, strideParameters(), constants() + body);
  }

  static std::string strideParameters() {
    std::string result;
    for (int stride : kStrides)
      result += fmt::format("%s{}: i64, ", stride);
    return result;
  }

  static std::string constants() {
    return "%c0 = arith.constant 0 : i64\n%c1 = arith.constant 1 : i64\n"
           "%lane = tile.arange 0 to 16 : tensor<16xi32>\n%four = tile.arange 0 to 4 : tensor<4xi32>\n"
           "%i1 = tile.expand_dims %four axis 1 : tensor<4xi32> -> tensor<4x1xi32>\n"
           "%i = tile.broadcast %i1 : tensor<4x1xi32> -> tensor<4x4xi32>\n"
           "%j1 = tile.expand_dims %four axis 0 : tensor<4xi32> -> tensor<1x4xi32>\n"
           "%j = tile.broadcast %j1 : tensor<1x4xi32> -> tensor<4x4xi32>\n"
           "%lane2 = tile.reshape %lane : tensor<16xi32> -> tensor<4x4xi32>\n";
  }

  static std::string list(const std::vector<Variable> &variables, bool ofTypes) {
    std::string result;
    for (const Variable &variable : variables)
      result += (result.empty() ? "" : ", ") + (ofTypes ? variable.type() : variable.text());
    return result;
  }

  void write(const Statements &statements, std::string &out) {
    for (const Statement &statement : statements)
      write(statement, out);
  }

  /// Pointers to the place as `%q<n>`, and ` mask %m<n>` where not all lanes count.
  std::pair<std::string, std::string> writePlace(const Place &place, std::string &out) {
    const int n = places++;
    if (place.rank == 0) {
      out += fmt::format("%o{0} = arith.constant {1} : i64\n%q{0} = tile.addptr %p{2}, %o{0} : !tile.ptr<i32>, i64\n",
                         n, place.offset, place.argument);
      return {fmt::format("%q{}", n), ""};
    }
    const std::string shape = place.rank == 1 ? "16" : "4x4";
    const auto constant = [&](const char *name, int number) {
      out += fmt::format("%{}{} = arith.constant dense<{}> : tensor<{}xi32>\n", name, n, number, shape);
    };
    constant("b", place.offset);
    constant("t", place.inner);
    out += fmt::format(
        "%u{0} = arith.muli {1}, %t{0} : tensor<{2}xi32>\n%w{0} = arith.addi %u{0}, %b{0} : tensor<{2}xi32>\n", n,
        place.rank == 1 ? "%lane" : "%j", shape);
    std::string offsets = fmt::format("%w{}", n);
    if (place.rank == 2) {
      constant("r", place.outer);
      out += fmt::format(
          "%x{0} = arith.muli %i, %r{0} : tensor<4x4xi32>\n%y{0} = arith.addi %x{0}, %w{0} : tensor<4x4xi32>\n", n);
      offsets = fmt::format("%y{}", n);
    }
    out += fmt::format("%z{0} = tile.splat %p{1} : tensor<{2}x!tile.ptr<i32>>\n"
                       "%q{0} = tile.addptr %z{0}, {3} : tensor<{2}x!tile.ptr<i32>>, tensor<{2}xi32>\n",
                       n, place.argument, shape, offsets);
    if (place.count == kLanes)
      return {fmt::format("%q{}", n), ""};
    constant("k", place.count);
    out += fmt::format("%m{0} = arith.cmpi slt, {1}, %k{0} : tensor<{2}xi32>\n", n,
                       place.rank == 1 ? "%lane" : "%lane2", shape);
    return {fmt::format("%q{}", n), fmt::format(" mask %m{}", n)};
  }

  std::string writeView(const Place &place, std::string &out) {
    const int n = places++;
    out += fmt::format("%o{0} = arith.constant {1} : i64\n%q{0} = tile.addptr %p{2}, %o{0} : !tile.ptr<i32>, i64\n"
                       "%g{0} = tile.make_view %q{0}, [%n, %n], [%s{3}, %s{4}] : !tile.view<i32, 2>\n",
                       n, place.offset, place.argument, place.outer, place.inner);
    return fmt::format("%g{}[%c0, %c0]", n);
  }

  void write(const Statement &s, std::string &out) {
    const auto pointers = [](const Variable &like) {
      return like.rank == 0   ? "!tile.ptr<i32>"
             : like.rank == 1 ? "tensor<16x!tile.ptr<i32>>"
                              : "tensor<4x4x!tile.ptr<i32>>";
    };
    const std::string result = s.result.text(), type = s.result.type();
    switch (s.kind) {
    case Statement::Load: {
      if (s.place.throughView) {
        const std::string view = writeView(s.place, out);
        out += fmt::format("{} = tile.view_load {} : !tile.view<i32, 2> -> {}\n", result, view, type);
        return;
      }
      const auto [place, mask] = writePlace(s.place, out);
      out += fmt::format("{} = tile.load {}{} : {}\n", result, place, mask, pointers(s.result));
      return;
    }
    case Statement::Store: {
      if (s.place.throughView) {
        const std::string view = writeView(s.place, out);
        out +=
            fmt::format("tile.view_store {}, {} : !tile.view<i32, 2>, {}\n", view, s.args[0].text(), s.args[0].type());
        return;
      }
      const auto [place, mask] = writePlace(s.place, out);
      out += fmt::format("tile.store {}, {}{} : {}\n", place, s.args[0].text(), mask, pointers(s.args[0]));
      return;
    }
    case Statement::Atomic: {
      const auto [place, mask] = writePlace(s.place, out);
      out += fmt::format("{} = tile.atomic_rmw add relaxed device {}, {}{} : {}\n", result, place, s.args[0].text(),
                         mask, pointers(s.result));
      return;
    }
    case Statement::Op: {
      static constexpr const char *kOps[] = {"arith.addi", "arith.xori", "arith.muli"};
      out += fmt::format("{} = {} {}, {} : {}\n", result, kOps[s.number], s.args[0].text(), s.args[1].text(), type);
      return;
    }
    case Statement::Trans:
      out += fmt::format("{} = tile.trans {} [1, 0] : {} -> {}\n", result, s.args[0].text(), type, type);
      return;
    case Statement::Reshape:
      out += fmt::format("{} = tile.reshape {} : {} -> {}\n", result, s.args[0].text(), s.args[0].type(), type);
      return;
    case Statement::Flip:
      out += fmt::format("{} = tile.flip {} axis 0 : {}\n", result, s.args[0].text(), type);
      return;
    case Statement::Splat:
      out += fmt::format("{} = tile.splat {} : {}\n", result, s.args[0].text(), type);
      return;
    case Statement::Reduce: // the second is exclusive or, told by more than one op
      out += fmt::format("{} = tile.reduce {} axis 0 : tensor<16xi32> -> i32 by ", result, s.args[0].text());
      out += s.number == 0 ? "arith.addi\n"
                           : "(%l: i32, %r: i32) {\n%a = arith.andi %l, %r : i32\n%o = arith.ori %l, %r : i32\n"
                             "%d = arith.subi %o, %a : i32\ntile.yield %d : i32\n}\n";
      return;
    case Statement::For: {
      std::string head = fmt::format("%h{0} = arith.constant {1} : i64\n", places, s.number);
      std::string carried;
      for (std::size_t i = 0; i < s.carried.size(); ++i)
        carried += (i ? ", " : "") + s.carried[i].text() + " = " + s.args[i].text();
      const std::string results = s.results.empty() ? "" : list(s.results, false) + " = ";
      const std::string arguments =
          s.carried.empty() ? "" : fmt::format(" iter_args({}) -> ({})", carried, list(s.carried, true));
      out +=
          head + fmt::format("{}scf.for %e{} = %c0 to %h{} step %c1{} : i64 {{\n", results, places, places, arguments);
      ++places;
      write(s.body, out);
      if (!s.yielded.empty())
        out += fmt::format("scf.yield {} : {}\n", list(s.yielded, false), list(s.carried, true));
      out += "}\n";
      return;
    }
    case Statement::If: {
      const std::string results = s.results.empty() ? "" : list(s.results, false) + " = ";
      out += fmt::format("{}scf.if {}{} {{\n", results, s.number ? "%yes" : "%no",
                         s.results.empty() ? "" : " -> (" + list(s.results, true) + ")");
      write(s.body, out);
      if (!s.results.empty())
        out += fmt::format("scf.yield {} : {}\n", list(s.yielded, false), list(s.results, true));
      out += "} else {\n";
      write(s.otherwise, out);
      if (!s.results.empty())
        out += fmt::format("scf.yield {} : {}\n", list(s.otherwiseYielded, false), list(s.results, true));
      out += "}\n";
      return;
    }
    }
  }

  //===--- Execution ------------------------------------------------------===//

  std::uint32_t &word(int argument, int at) {
    const bool inFirst = argument == 1 && overlap;
    return memory[static_cast<std::size_t>(inFirst ? 0 : argument)]
                 [static_cast<std::size_t>(at + (inFirst ? shift : 0))];
  }

  void execute(const Statements &statements) {
    for (const Statement &statement : statements)
      execute(statement);
  }

  void execute(const Statement &s) {
    const int lanes = s.place.rank == 0 ? 1 : kLanes;
    Lanes result(s.result.rank == 0 ? 1 : kLanes);
    switch (s.kind) {
    case Statement::Load:
      for (int lane = 0; lane < lanes; ++lane)
        result[lane] = lane < s.place.count ? word(s.place.argument, s.place.at(lane)) : 0;
      break;
    case Statement::Store: {
      const Lanes value = values.at(s.args[0].name);
      for (int lane = 0; lane < lanes && lane < s.place.count; ++lane)
        word(s.place.argument, s.place.at(lane)) = value[lane];
      return;
    }
    case Statement::Atomic:
      for (int lane = 0; lane < lanes; ++lane)
        if (lane < s.place.count) {
          result[lane] = word(s.place.argument, s.place.at(lane));
          word(s.place.argument, s.place.at(lane)) += values.at(s.args[0].name)[lane];
        }
      break;
    case Statement::Op:
      for (int lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t a = values.at(s.args[0].name)[lane], b = values.at(s.args[1].name)[lane];
        result[lane] = s.number == 0 ? a + b : s.number == 1 ? a ^ b : a * b;
      }
      break;
    case Statement::Trans:
      for (int lane = 0; lane < kLanes; ++lane)
        result[lane] = values.at(s.args[0].name)[lane % 4 * 4 + lane / 4];
      break;
    case Statement::Reshape:
      result = values.at(s.args[0].name);
      break;
    case Statement::Flip:
      for (int lane = 0; lane < kLanes; ++lane)
        result[lane] = values.at(s.args[0].name)[s.result.rank == 1 ? 15 - lane : (3 - lane / 4) * 4 + lane % 4];
      break;
    case Statement::Splat:
      result.assign(kLanes, values.at(s.args[0].name)[0]);
      break;
    case Statement::Reduce:
      for (std::uint32_t number : values.at(s.args[0].name))
        result[0] = s.number == 0 ? result[0] + number : result[0] ^ number;
      break;
    case Statement::For: {
      const auto pass = [&](const std::vector<Variable> &from, const std::vector<Variable> &to) {
        std::vector<Lanes> passed;
        for (const Variable &variable : from)
          passed.push_back(values.at(variable.name));
        for (std::size_t i = 0; i < to.size(); ++i)
          values[to[i].name] = passed[i];
      };
      pass(s.args, s.carried);
      for (int turn = 0; turn < s.number; ++turn) {
        execute(s.body);
        pass(s.yielded, s.carried);
      }
      pass(s.carried, s.results);
      return;
    }
    case Statement::If:
      execute(s.number ? s.body : s.otherwise);
      for (std::size_t i = 0; i < s.results.size(); ++i)
        values[s.results[i].name] = values.at((s.number ? s.yielded : s.otherwiseYielded)[i].name);
      return;
    }
    values[s.result.name] = result;
  }

  static constexpr int kStrides[] = {0, 1, 2, 4, 5, 8};

  std::mt19937 random;
  bool overlap;  ///< the second argument lies in the memory of the first
  int shift = 3; ///< this many words further
  int names = 0, places = 0, outputs = 0;
  Statements program;
  std::map<int, Lanes> values;
  std::array<Lanes, 3> memory;
};

int numberFrom(const char *variable, int otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

Memory<std::int32_t> memoryOf(const Lanes &lanes) {
  return Memory<std::int32_t>(std::vector<std::int32_t>(lanes.begin(), lanes.end()));
}

void check(unsigned seed) {
  RandomKernel kernel(seed);
  for (Lanes &words : kernel.memory)
    for (int i = 0; i < kWords; ++i)
      words.push_back(static_cast<std::uint32_t>(kernel.pick(1 << 20)));
  kernel.memory[2].assign(static_cast<std::size_t>(kLanes * (kernel.outputs + 1)), 0);
  Memory<std::int32_t> x = memoryOf(kernel.memory[0]), y = memoryOf(kernel.memory[1]), z = memoryOf(kernel.memory[2]);

  const std::string text = kernel.text();
  TestKernel compiled(text);
  const std::int64_t extent = 4, s0 = 0, s1 = 1, s2 = 2, s4 = 4, s5 = 5, s8 = 8;
  if (kernel.overlap)
    compiled.run1(x, Into{0, 4 * kernel.shift}, z, Bool(true), Bool(false), extent, s0, s1, s2, s4, s5, s8,
                  std::int32_t(0));
  else
    compiled.run1(x, y, z, Bool(true), Bool(false), extent, s0, s1, s2, s4, s5, s8, std::int32_t(0));
  kernel.execute(kernel.program);
  const auto expectSame = [&](const Lanes &expected, const Memory<std::int32_t> &found, const char *name) {
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(expected[i], static_cast<std::uint32_t>(found[i])) << name << "[" << i << "], seed " << seed << "\n"
                                                                   << text;
  };
  expectSame(kernel.memory[0], x, "x");
  if (!kernel.overlap)
    expectSame(kernel.memory[1], y, "y");
  expectSame(kernel.memory[2], z, "z");
}

} // namespace

TEST(MemoryOrder, randomKernels) {
  const int first = numberFrom("TESSERA_TEST_FIRST", 0), count = numberFrom("TESSERA_TEST_KERNELS", 12);
  for (int seed = first; seed < first + count && !testing::Test::HasFailure(); ++seed)
    check(static_cast<unsigned>(seed));
}
