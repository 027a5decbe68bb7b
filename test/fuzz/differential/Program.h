//===- Program.h - kernels as data -----------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A random kernel is a tree of statements over numbered variables, small enough to be cut down by the shrinker. It can
// be traced as a kernel of the language and printed as C++ that says the same.
//
// The kernel reads three buffers of elements of one dtype each and a few scalars, and writes one buffer, in which every
// store of every program has a place of its own.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_DIFFERENTIAL_PROGRAM_H
#define TESSERA_TEST_FUZZ_DIFFERENTIAL_PROGRAM_H

#include "tessera/tessera.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::fuzz {

using Extents = std::vector<std::int64_t>;

/// The type of a variable.
struct Type {
  DType dtype;
  Extents shape;

  bool operator==(const Type &) const = default;
  std::int64_t count() const;
};

inline constexpr int kInputs = 3;
/// Elements of an input.
inline constexpr std::int64_t kInputCount = 8192;

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
  enum class Kind : std::uint8_t {
    Let,     ///< a variable of its own: result = op(args; numbers)
    Assign,  ///< args[0] = args[1], of one type
    Store,   ///< writes args[0], where args[1] (if given) holds; numbers: a StoreForm, and of kThroughView which of
             ///< kViewPlaces
    Reload,  ///< writes args[0] and reads it back in another order: the variable result
    If,      ///< on args[0], i1: body, else otherwise
    For,     ///< from numbers[0] by numbers[2] to numbers[1], or to args[0], numbers[3] stages deep; result counts
    While,   ///< as often as args[0] says, at most numbers[0] times; result counts
    BreakIf, ///< on args[0], i1
    ReturnIf,
  };
  Kind kind = Kind::Let;
  int op = -1;     ///< of Let, a number in ops()
  int result = -1; ///< the variable that is declared
  Type type;       ///< of the result; of Let's leaves it is chosen, of others it follows
  std::vector<int> args;
  std::vector<std::int64_t> numbers;
  Block body, otherwise;
};

/// How a store reaches its place. The first three are orders of places().
enum StoreForm : std::int64_t {
  kRows,
  kReversed,
  kColumns,
  kThroughView, ///< of rank 2: through a view, at one of kViewPlaces, so that edges are dropped
  kAtomic,      ///< adds integers, takes the maximum of f32, at eight places for all lanes
  kStoreForms,
};
/// Whether values of \p type can be stored so; pointers cannot.
bool canStore(const Type &type, std::int64_t form);

struct Program {
  std::uint64_t seed = 0; ///< of the inputs
  std::array<DType, kInputs> inputs = {f32, i32, f16};
  bool isSmall = false; ///< whether inputs are integers from -2 to 2, of which long sums of products are exact
  std::int64_t grid = 1;
  std::int64_t n = 3;
  CompileOptions options = {}; ///< what results must not depend on
  Block body;
};

/// One store's place in the output.
/// Where a store through a view begins, and how many columns the view has less than the tile. Copies by descriptor take
/// columns that are multiples of 16 bytes; rows before the view, and rows of it that end within 16 bytes, are special.
struct ViewPlace {
  std::int64_t row, column, fewer;

  std::int64_t columnsOf(const Type &tile) const { return std::max<std::int64_t>(1, tile.shape[1] - fewer); }
};
inline constexpr ViewPlace kViewPlaces[] = {{-1, 1, 0}, {0, 0, 0}, {-2, 0, 3}, {1, 16, 0}, {0, -16, 1}, {0, 0, 5}};

struct Slot {
  Type type;
  std::int64_t offset = 0; ///< in bytes, of program 0
  bool isExact = true;     ///< otherwise its elements may differ by the bound of an elementary function
};

/// Calls \p fn on every statement, outermost and first ones first.
template <class BlockType, class Fn> void walk(BlockType &block, Fn &&fn) {
  for (auto &statement : block) {
    fn(statement);
    walk(statement.body, fn);
    walk(statement.otherwise, fn);
  }
}

/// The places of all stores, in the order of a walk, and the size of the output. Programs follow one another.
struct Layout {
  std::vector<Slot> slots;
  std::int64_t bytesPerProgram = 0;
};
/// Also gives every variable its type, from those of the leaves; nothing if the program is not well formed.
std::optional<Layout> layOut(Program &program);

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_DIFFERENTIAL_PROGRAM_H
