//===- Program.cpp - types of variables, places of stores --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Program.h"

#include "Ops.h"

#include <algorithm>
#include <bit>
#include <map>

namespace tessera::fuzz {

std::int64_t Type::count() const {
  std::int64_t count = 1;
  for (std::int64_t extent : shape)
    count *= extent;
  return count;
}

bool canStore(const Type &type, std::int64_t form) {
  if (type.dtype.isPointer())
    return false;
  if (form == kThroughView)
    return type.shape.size() == 2;
  if (form == kAtomic)
    return type.dtype == f32 || (type.dtype.isInt() && type.dtype.bits() >= 32);
  return true;
}

namespace {

constexpr std::int64_t kMostElements = 1 << 13;

bool isBlock(const Type &type) {
  return type.shape.size() <= 5 && type.count() <= kMostElements &&
         std::all_of(type.shape.begin(), type.shape.end(),
                     [](std::int64_t extent) { return extent > 0 && std::has_single_bit(std::uint64_t(extent)); });
}

/// Goes through a program in the order in which it is traced.
class Checker {
public:
  bool check(Block &block) {
    std::vector<int> declared;
    const bool isGood = std::all_of(block.begin(), block.end(), [&](Statement &s) { return check(s, declared); });
    for (int variable : declared)
      known.erase(variable);
    return isGood;
  }

  Layout layout;

private:
  struct Known {
    Type type;
    bool isExact;
  };

  bool isScalar(const Statement &s, std::size_t arg, DType dtype) const {
    const auto found = arg < s.args.size() ? known.find(s.args[arg]) : known.end();
    return found != known.end() && found->second.type == Type{dtype, {}} && found->second.isExact;
  }
  bool declare(Statement &s, const Type &type, bool isExact, std::vector<int> &declared) {
    if (!isBlock(type))
      return false;
    s.type = type;
    known[s.result] = {type, isExact};
    declared.push_back(s.result);
    return true;
  }
  bool checkLoop(Statement &s) {
    known[s.result] = {{i64, {}}, true};
    const bool isGood = check(s.body);
    known.erase(s.result);
    return isGood;
  }

  bool check(Statement &s, std::vector<int> &declared) {
    for (int arg : s.args)
      if (!known.contains(arg))
        return false;
    switch (s.kind) {
    case Statement::Kind::Let: {
      const Op &op = ops()[static_cast<std::size_t>(s.op)];
      std::vector<Type> types;
      bool isExact = op.isExact;
      for (int arg : s.args) {
        types.push_back(known[arg].type);
        isExact = isExact && known[arg].isExact;
        if (!known[arg].isExact && !op.keepsBound)
          return false;
      }
      if (types.size() != static_cast<std::size_t>(op.args))
        return false;
      const std::optional<Type> type = op.infer(types, s);
      return type && declare(s, *type, isExact, declared);
    }
    case Statement::Kind::Assign:
      return known[s.args[0]].type == known[s.args[1]].type && known[s.args[0]].isExact && known[s.args[1]].isExact;
    case Statement::Kind::Store: {
      const Known &value = known[s.args[0]];
      if (s.args.size() > 1 && known[s.args[1]].type != Type{i1, value.type.shape})
        return false;
      const std::int64_t bytes = value.type.count() * value.type.dtype.bytes();
      // Atomics reach eight places.
      layout.slots.push_back({value.type, layout.bytesPerProgram, value.isExact});
      layout.bytesPerProgram += (std::max<std::int64_t>(bytes, 64) + 63) / 64 * 64;
      return canStore(value.type, s.numbers[0]) && (value.isExact || s.numbers[0] != kAtomic);
    }
    case Statement::Kind::Reload: {
      const Known value = known[s.args[0]];
      if (!canStore(value.type, kRows))
        return false;
      layout.slots.push_back({value.type, layout.bytesPerProgram, value.isExact});
      layout.bytesPerProgram += (value.type.count() * value.type.dtype.bytes() + 63) / 64 * 64;
      return declare(s, value.type, value.isExact, declared);
    }
    case Statement::Kind::If:
      return isScalar(s, 0, i1) && check(s.body) && check(s.otherwise);
    case Statement::Kind::For:
      return (s.args.empty() || isScalar(s, 0, i64)) && checkLoop(s);
    case Statement::Kind::While:
      return isScalar(s, 0, i64) && checkLoop(s);
    case Statement::Kind::BreakIf:
    case Statement::Kind::ReturnIf:
      return isScalar(s, 0, i1);
    }
    return false;
  }

  std::map<int, Known> known;
};

} // namespace

std::optional<Layout> layOut(Program &program) {
  Checker checker;
  if (!checker.check(program.body))
    return std::nullopt;
  checker.layout.bytesPerProgram = std::max<std::int64_t>(checker.layout.bytesPerProgram, 64);
  return checker.layout;
}

} // namespace tessera::fuzz
