//===- Generate.cpp - random kernels -----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Statements are drawn one after another over the variables in sight. An operation is drawn by weight; its first
// argument is any variable, later ones are variables of a type that fits, which is made from the first's where there is
// none. What does not fit is drawn again.
//
//===---------------------------------------------------------------------===//

#include "Generate.h"

#include "Ops.h"
#include "Random.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

namespace tessera::fuzz {

namespace {

constexpr DType kAll[] = {i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, e4m3, e5m2};
constexpr DType kCommon[] = {f32, f32, f32, i32, i32, f16, bf16, i64, u8, i8};

class Generator {
public:
  explicit Generator(std::uint64_t seed) : random(seed) {
    program.seed = seed;
    for (DType &input : program.inputs)
      input = random.chance(60) ? random.pick(kCommon) : random.pick(kAll);
    program.grid = 1 + random.below(4);
    program.n = random.below(9);
  }

  Program generate() {
    const std::int64_t size = 4 + random.below(22);
    fill(program.body, size, 0);
    if (std::none_of(program.body.begin(), program.body.end(),
                     [](const Statement &s) { return s.kind == Kind::Store; }))
      addStore(program.body);
    return std::move(program);
  }

private:
  using Kind = Statement::Kind;
  struct Variable {
    int number;
    Type type;
    bool isExact;
    int depth;
    bool isCounter;
  };

  Extents shape() {
    static const std::vector<Extents> shapes = {{},        {1},        {2},     {8},      {16},       {32},
                                                {64},      {128},      {1024},  {4, 8},   {8, 16},    {16, 16},
                                                {32, 32},  {1, 16},    {16, 1}, {64, 4},  {2, 64},    {2, 4, 8},
                                                {4, 1, 8}, {2, 8, 16}, {256},   {16, 64}, {3 + 1, 32}};
    return random.pick(shapes);
  }
  DType dtype() { return random.chance(50) ? random.pick(kCommon) : random.pick(kAll); }

  const Variable *anyVariable(bool onlyExact) {
    std::vector<const Variable *> fitting;
    for (const Variable &v : variables)
      if (v.isExact || !onlyExact)
        fitting.push_back(&v);
    // The latest ones are more likely, so that long chains come about.
    if (fitting.empty())
      return nullptr;
    if (random.chance(50))
      fitting.erase(fitting.begin(), fitting.begin() + static_cast<std::ptrdiff_t>(fitting.size() * 2 / 3));
    return random.pick(fitting);
  }
  int variableOf(const Type &type) {
    std::vector<int> fitting;
    for (const Variable &v : variables)
      if (v.isExact && v.type == type)
        fitting.push_back(v.number);
    return fitting.empty() ? -1 : random.pick(fitting);
  }

  int declare(Block &block, Statement s, const Type &type, bool isExact) {
    s.kind = Kind::Let;
    s.result = next++;
    s.type = type;
    variables.push_back({s.result, type, isExact, depth, false});
    block.push_back(std::move(s));
    return next - 1;
  }

  /// A leaf of \p type.
  int makeLeaf(Block &block, const Type &type) {
    Statement s;
    s.type = type;
    std::vector<std::int64_t> inputs;
    for (std::int64_t i = 0; i != kInputs; ++i)
      if (program.inputs[static_cast<std::size_t>(i)] == type.dtype)
        inputs.push_back(i);
    if (!inputs.empty() && random.chance(80)) {
      s.op = opNamed(random.chance(80) ? "load" : "load_first");
      s.numbers = {random.pick(inputs), random.below(100), random.chance(70) ? 0 : 1 + random.below(2)};
    } else {
      s.op = opNamed("full");
      s.numbers = {type.dtype == i1 ? random.below(2) : random.below(7)};
    }
    return declare(block, std::move(s), type, true);
  }

  /// A variable of \p type, made if there is none.
  int variableLike(Block &block, const Type &type) {
    if (const int found = variableOf(type); found >= 0 && random.chance(85))
      return found;
    if (type.dtype == i1) {
      for (const Variable &v : variables)
        if (v.isExact && v.type.shape == type.shape && v.type.dtype != i1) {
          Statement s;
          s.op = opNamed("lt");
          const int number = v.number;
          const Type of = v.type;
          s.args = {number, makeLeaf(block, of)};
          return declare(block, std::move(s), type, true);
        }
    } else if (random.chance(60)) {
      for (const Variable &v : variables)
        if (v.isExact && v.type.shape == type.shape && v.type.dtype != i1 && v.type.dtype != type.dtype) {
          Statement s;
          s.op = opNamed("to");
          s.args = {v.number};
          s.type.dtype = type.dtype;
          return declare(block, std::move(s), type, true);
        }
    }
    return makeLeaf(block, type);
  }

  /// What argument number \p number of \p op may be, after the first.
  Type wanted(const std::string &op, std::size_t number, const Type &first, const Statement &s) {
    const auto without = [&](std::int64_t axis) {
      Type type = first;
      if (!type.shape.empty())
        type.shape.erase(type.shape.begin() + axis % static_cast<std::int64_t>(type.shape.size()));
      return type;
    };
    const std::int64_t axis = s.numbers.empty() ? 0 : s.numbers[0];
    if (op == "where" || op == "load_masked")
      return {dtype(), first.shape};
    if (op == "sort_pair")
      return {number == 1 ? dtype() : i1, first.shape};
    if (op == "gather" || op == "ldexp")
      return {i32, first.shape};
    if ((op == "extract_at" || op == "insert_at") && number == 1)
      return {i64, {}};
    if (op == "insert_at")
      return without(axis);
    if (op == "insert" && !first.shape.empty()) {
      Type type = first;
      type.shape[static_cast<std::size_t>(axis % static_cast<std::int64_t>(type.shape.size()))] /= 2;
      return type;
    }
    if (op.starts_with("dot_") && first.shape.size() >= 2) {
      const std::int64_t columns = std::int64_t(1) << random.below(6);
      Type type{i32, first.shape};
      if (number == 1)
        type.shape[type.shape.size() - 2] = first.shape.back();
      type.shape.back() = number == 1 ? columns : dotColumns;
      if (number == 1)
        dotColumns = columns;
      return type;
    }
    return first;
  }

  bool addLet(Block &block) {
    const auto &table = ops();
    static const int total =
        std::accumulate(table.begin(), table.end(), 0, [](int sum, const Op &op) { return sum + op.weight; });
    int number = 0;
    for (std::int64_t left = random.below(total); left >= table[static_cast<std::size_t>(number)].weight; ++number)
      left -= table[static_cast<std::size_t>(number)].weight;
    const Op &op = table[static_cast<std::size_t>(number)];

    Statement s;
    s.op = number;
    const bool isLoad = op.name.starts_with("load") || op.name == "view_load";
    const std::int64_t input = random.below(kInputs);
    s.type = {isLoad ? program.inputs[static_cast<std::size_t>(input)] : dtype(), shape()};
    s.numbers = {random.below(4)};
    if (isLoad)
      s.numbers = {input, random.below(100), random.chance(60) ? 0 : 1 + random.below(2)};
    if (op.name == "view_load")
      s.numbers = {input, random.below(6), random.below(12)};
    if (op.name == "arange")
      s.type = {i32, {std::int64_t(1) << random.below(9)}};
    if (op.name == "full" && s.type.dtype == i1)
      s.numbers[0] %= 2;
    std::vector<Type> types;
    bool isExact = op.isExact;
    const std::size_t before = block.size(), variablesBefore = variables.size();
    for (int i = 0; i != op.args; ++i) {
      int arg;
      if (i == 0 && op.name.starts_with("dot_")) {
        Extents rows = {std::int64_t(1) << random.below(6), std::int64_t(1) << random.below(6)};
        if (random.chance(20))
          rows.insert(rows.begin(), 2);
        arg = variableLike(block, {i32, rows});
      } else if (i == 0) {
        const Variable *first = anyVariable(!op.keepsBound);
        if (!first)
          return false;
        arg = first->number;
      } else if (i == 2 && op.name == "where") {
        arg = variableLike(block, types[1]);
      } else {
        arg = variableLike(block, wanted(op.name, static_cast<std::size_t>(i), types[0], s));
      }
      s.args.push_back(arg);
      const auto found =
          std::find_if(variables.begin(), variables.end(), [&](const Variable &v) { return v.number == arg; });
      types.push_back(found->type);
      isExact = isExact && found->isExact;
    }
    if (op.name == "reshape" || op.name == "broadcast" || op.name == "load_masked" || op.name == "load_at")
      s.type.shape = op.name == "reshape"     ? reshaped(types[0])
                     : op.name == "broadcast" ? broadcast(types[0])
                                              : types[0].shape;
    const std::optional<Type> type = op.infer(types, s);
    if (!type || type->count() > 4096 || type->shape.size() > 4) {
      block.resize(before); // what was made for it goes too
      variables.erase(variables.begin() + static_cast<std::ptrdiff_t>(variablesBefore), variables.end());
      return false;
    }
    declare(block, std::move(s), *type, isExact);
    return true;
  }
  Extents reshaped(const Type &type) {
    Extents shape;
    std::int64_t left = type.count();
    while (left > 1 && shape.size() < 3) {
      const std::int64_t extent = std::min<std::int64_t>(left, std::int64_t(1) << random.below(6));
      shape.push_back(extent);
      left /= extent;
    }
    if (left > 1 && !shape.empty())
      shape.back() *= left;
    return shape;
  }
  Extents broadcast(const Type &type) {
    Extents shape = type.shape;
    for (std::int64_t &extent : shape)
      if (extent == 1)
        extent = std::int64_t(1) << random.below(6);
    if (shape.size() < 3 && random.chance(60))
      shape.insert(shape.begin(), std::int64_t(1) << random.below(5));
    return shape;
  }

  void addStore(Block &block) {
    const Variable *value = anyVariable(false);
    if (!value) {
      makeLeaf(block, {program.inputs[0], shape()});
      value = &variables.back();
    }
    Statement s;
    s.kind = Kind::Store;
    s.args = {value->number};
    const std::int64_t form = random.chance(60) ? std::int64_t(kRows) : 1 + random.below(kStoreForms - 1);
    const bool canBe = canStore(value->type, form) && (value->isExact || form != kAtomic);
    s.numbers = {canBe ? form : std::int64_t(kRows)};
    if (s.numbers[0] != kThroughView && random.chance(25)) {
      const int mask = variableLike(block, {i1, value->type.shape});
      s.args.push_back(mask);
    }
    block.push_back(std::move(s));
  }

  void addReload(Block &block) {
    const Variable *value = anyVariable(true);
    if (!value)
      return;
    const Type type = value->type;
    Statement s;
    s.args = {value->number};
    declare(block, std::move(s), type, true);
    block.back().kind = Kind::Reload;
  }

  /// Gives a variable from outside the region another value.
  bool addAssign(Block &block) {
    std::vector<Variable> outer;
    for (const Variable &v : variables)
      if (v.depth < depth && v.isExact && !v.isCounter)
        outer.push_back(v);
    if (outer.empty())
      return false;
    const Variable target = random.pick(outer);
    Statement s;
    s.kind = Kind::Assign;
    s.args = {target.number, variableLike(block, target.type)};
    block.push_back(std::move(s));
    return true;
  }

  int scalar(Block &block, DType type) { return variableLike(block, {type, {}}); }

  void addRegion(Block &block, std::int64_t size) {
    Statement s;
    const std::int64_t kind = random.below(5);
    const auto inside = [&](Block &body, bool counts) {
      const std::size_t keep = variables.size();
      ++depth;
      loops += counts;
      if (counts) {
        s.result = next++;
        variables.push_back({s.result, {i64, {}}, true, depth, true});
      }
      fill(body, 1 + random.below(std::max<std::int64_t>(1, size / 2)), counts ? 60 : 50);
      loops -= counts;
      --depth;
      variables.erase(variables.begin() + static_cast<std::ptrdiff_t>(keep), variables.end());
    };
    if (kind < 2) {
      s.kind = Kind::If;
      s.args = {scalar(block, i1)};
      inside(s.body, false);
      if (random.chance(60))
        inside(s.otherwise, false);
    } else if (kind < 4) {
      s.kind = Kind::For;
      s.numbers = {random.below(3), random.below(6), 1 + random.below(2)};
      if (random.chance(40))
        s.args = {scalar(block, i64)};
      inside(s.body, true);
    } else {
      s.kind = Kind::While;
      s.numbers = {3};
      s.args = {scalar(block, i64)};
      inside(s.body, true);
    }
    block.push_back(std::move(s));
  }

  void fill(Block &block, std::int64_t size, int assigns) {
    for (std::int64_t i = 0; i < size; ++i) {
      if (assigns && random.chance(assigns) && addAssign(block))
        continue;
      if (depth < 3 && random.chance(12)) {
        addRegion(block, size);
      } else if (random.chance(12)) {
        addStore(block);
      } else if (random.chance(5)) {
        addReload(block);
      } else if (random.chance(3) && (loops > 0 || depth == 0)) {
        Statement s;
        s.kind = loops > 0 ? Kind::BreakIf : Kind::ReturnIf;
        s.args = {scalar(block, i1)};
        block.push_back(std::move(s));
      } else {
        for (int tries = 0; tries != 40 && !addLet(block); ++tries) {
        }
      }
    }
    if (depth == 0)
      for (int stores = 0; stores != 3; ++stores)
        addStore(block);
  }

  Random random;
  Program program;
  std::vector<Variable> variables;
  int next = 0, depth = 0, loops = 0;
  std::int64_t dotColumns = 1;
};

} // namespace

/// Whether a reduction's bits depend on its order.
static bool roundsSums(const Program &program) {
  static const std::set<std::string> names = {"sum", "prod", "cumsum", "cumsum_exclusive", "cumprod"};
  bool found = false;
  walk(program.body, [&](const Statement &s) {
    found |= s.kind == Statement::Kind::Let && s.type.dtype.isFloat() &&
             names.contains(ops()[static_cast<std::size_t>(s.op)].name);
  });
  return found;
}

Program generate(std::uint64_t seed) {
  Program program = Generator(seed).generate();
  Random random(~seed);
  program.options.num_warps = 1 << random.below(5);
  program.options.num_stages = static_cast<int>(1 + random.below(5));
  program.options.line_info = random.chance(20);
  program.options.deterministic = random.chance(20) || roundsSums(program);
  program.options.fp_contract = false;
  return program;
}

} // namespace tessera::fuzz
