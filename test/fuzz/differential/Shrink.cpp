//===- Shrink.cpp - a small kernel with the same fault --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each step makes the program smaller and is kept if the program still fails. Statements go first, in large runs before
// single ones; then regions give way to what is in them, operations to constants of their type or to one of their
// arguments, and extents are halved.
//
//===---------------------------------------------------------------------===//

#include "Shrink.h"

#include "Ops.h"

#include <algorithm>
#include <set>

namespace tessera::fuzz {

namespace {

class Shrinker {
public:
  Shrinker(Program program, const std::function<bool(const Program &, const Layout &)> &fails, int tries)
      : best(std::move(program)), fails(fails), left(tries) {}

  Program run() {
    for (bool isSmaller = true; isSmaller && left > 0;) {
      isSmaller = false;
      isSmaller |= dropStatements();
      isSmaller |= simplify();
      isSmaller |= halveExtents();
      isSmaller |= fewerPrograms();
    }
    return best;
  }

private:
  bool accept(Program candidate) {
    if (left <= 0)
      return false;
    dropUnused(candidate);
    const std::optional<Layout> layout = layOut(candidate);
    if (!layout || layout->slots.empty())
      return false;
    --left;
    if (!fails(candidate, *layout))
      return false;
    best = std::move(candidate);
    return true;
  }

  /// Removes variables that nothing uses.
  static void dropUnused(Program &program) {
    for (bool isDone = false; !isDone;) {
      std::set<int> used;
      walk(program.body, [&](Statement &s) {
        for (std::size_t i = s.kind == Statement::Kind::Assign ? 1 : 0; i < s.args.size(); ++i)
          used.insert(s.args[i]);
      });
      isDone = true;
      const auto isUnused = [&](const Statement &s) {
        const bool isIdle = (s.kind == Statement::Kind::Let && !used.contains(s.result)) ||
                            (s.kind == Statement::Kind::Assign && !used.contains(s.args[0]));
        isDone = isDone && !isIdle;
        return isIdle;
      };
      std::erase_if(program.body, isUnused);
      walk(program.body, [&](Statement &s) {
        std::erase_if(s.body, isUnused);
        std::erase_if(s.otherwise, isUnused);
      });
    }
  }

  /// Every block of \p program, outermost first.
  static std::vector<Block *> blocksOf(Program &program) {
    std::vector<Block *> blocks{&program.body};
    walk(program.body, [&](Statement &s) {
      blocks.push_back(&s.body);
      blocks.push_back(&s.otherwise);
    });
    return blocks;
  }

  bool dropStatements() {
    bool isSmaller = false;
    for (std::size_t block = 0; block < blocksOf(best).size(); ++block)
      for (std::size_t run = std::max<std::size_t>(blocksOf(best)[block]->size() / 2, 1); run != 0; run /= 2)
        for (std::size_t first = 0; block < blocksOf(best).size() && first < blocksOf(best)[block]->size();) {
          Program candidate = best;
          Block &statements = *blocksOf(candidate)[block];
          const auto from = statements.begin() + static_cast<std::ptrdiff_t>(first);
          const auto count = static_cast<std::ptrdiff_t>(std::min(run, statements.size() - first));
          statements.erase(from, from + count);
          if (accept(std::move(candidate)))
            isSmaller = true;
          else
            first += run;
        }
    return isSmaller;
  }

  static std::vector<Statement *> statementsOf(Program &program) {
    std::vector<Statement *> statements;
    walk(program.body, [&](Statement &s) { statements.push_back(&s); });
    return statements;
  }
  static void rename(Program &program, int from, int to) {
    walk(program.body, [&](Statement &s) { std::replace(s.args.begin(), s.args.end(), from, to); });
  }

  /// Puts the statements of a region in its place.
  static bool unwrap(Program &program, std::size_t number) {
    std::size_t seen = 0;
    for (Block *block : blocksOf(program))
      for (std::size_t i = 0; i != block->size(); ++i)
        if (seen++ == number) {
          Statement region = (*block)[i];
          if (region.body.empty() && region.otherwise.empty())
            return false;
          Block inside = region.body;
          if (region.result >= 0) {
            Statement counter;
            counter.op = opNamed("n");
            counter.result = region.result;
            inside.insert(inside.begin(), counter);
          }
          inside.insert(inside.end(), region.otherwise.begin(), region.otherwise.end());
          block->erase(block->begin() + static_cast<std::ptrdiff_t>(i));
          block->insert(block->begin() + static_cast<std::ptrdiff_t>(i), inside.begin(), inside.end());
          return true;
        }
    return false;
  }

  bool simplify() {
    bool isSmaller = false;
    for (std::size_t i = 0; i < statementsOf(best).size(); ++i) {
      Program candidate = best;
      if (unwrap(candidate, i) && accept(std::move(candidate))) {
        isSmaller = true;
        continue;
      }
      candidate = best;
      Statement &s = *statementsOf(candidate)[i];
      if (s.kind == Statement::Kind::Store && (s.args.size() > 1 || s.numbers[0] != 0)) {
        s.args.resize(1);
        s.numbers[0] = 0;
        isSmaller |= accept(std::move(candidate));
        continue;
      }
      static const int full = opNamed("full");
      if (s.kind != Statement::Kind::Let || s.op == full)
        continue;
      bool isReplaced = false;
      for (int arg : s.args) {
        Program other = best;
        rename(other, s.result, arg);
        isReplaced = isReplaced || accept(std::move(other));
      }
      if (!isReplaced && !s.type.dtype.isBool() && !s.type.dtype.isPointer()) {
        s.op = full;
        s.args.clear();
        s.numbers = {1};
        isReplaced = accept(std::move(candidate));
      }
      isSmaller |= isReplaced;
    }
    return isSmaller;
  }

  /// Halves all extents of one length.
  bool halveExtents() {
    std::set<std::int64_t, std::greater<>> extents;
    walk(best.body, [&](Statement &s) { extents.insert(s.type.shape.begin(), s.type.shape.end()); });
    bool isSmaller = false;
    for (std::int64_t extent : extents) {
      if (extent <= 1)
        continue;
      Program candidate = best;
      walk(candidate.body,
           [&](Statement &s) { std::replace(s.type.shape.begin(), s.type.shape.end(), extent, extent / 2); });
      isSmaller |= accept(std::move(candidate));
    }
    return isSmaller;
  }

  bool fewerPrograms() {
    if (best.grid == 1)
      return false;
    Program candidate = best;
    candidate.grid = 1;
    return accept(std::move(candidate));
  }

  Program best;
  const std::function<bool(const Program &, const Layout &)> &fails;
  int left;
};

} // namespace

Program shrink(Program program, const std::function<bool(const Program &, const Layout &)> &fails, int tries) {
  return Shrinker(std::move(program), fails, tries).run();
}

} // namespace tessera::fuzz
