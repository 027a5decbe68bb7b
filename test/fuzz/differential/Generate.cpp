//===- Generate.cpp - random kernels -----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Statements are drawn one after another over the variables in sight. An operation is drawn by weight; its first
// argument is any variable, later ones are variables of a type that fits, which is made from the first's where there is
// none. What does not fit is drawn again.
//
// Some kernels are mainly loops of products, whose factors are loaded in each round in one of several ways. Their
// inputs are small integers.
//
//===---------------------------------------------------------------------===//

#include "Generate.h"

#include "Ops.h"
#include "Random.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <tuple>

namespace tessera::fuzz {

namespace {

constexpr DType kAll[] = {i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, e4m3, e5m2};
/// Of matrices, and what their products are.
constexpr std::pair<DType, DType> kFactors[] = {{f16, f32}, {f16, f32},  {bf16, f32}, {f32, f32},
                                                {i8, i32},  {e4m3, f32}, {e5m2, f32}, {f64, f64}};
constexpr DType kCommon[] = {f32, f32, f32, i32, i32, f16, bf16, i64, u8, i8};

class Generator {
public:
  explicit Generator(std::uint64_t seed) : random(seed), depths(~seed ^ 0xDE9) {
    program.seed = seed;
    for (DType &input : program.inputs)
      input = random.chance(60) ? random.pick(kCommon) : random.pick(kAll);
    program.grid = 1 + random.below(4);
    program.n = random.below(9);
    if (Random(seed ^ 0xD07).chance(30))
      chooseProducts();
  }

  Program generate() {
    if (program.isSmall)
      return generateProducts();
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

  /// The numbers of a store of this form.
  std::vector<std::int64_t> formOf(std::int64_t form) {
    if (form != kThroughView)
      return {form};
    return {form, random.below(static_cast<std::int64_t>(std::size(kViewPlaces)))};
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
    s.numbers = formOf(canBe ? form : std::int64_t(kRows));
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
      s.numbers = {random.below(3), random.below(6), 1 + random.below(2), stages()};
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

  /// Of a loop: the kernel's, or others.
  std::int64_t stages() { return depths.chance(50) ? 0 : 1 + depths.below(5); }

  //===--------------------------------------------------------------------===//
  // Loops of products
  //===--------------------------------------------------------------------===//

  void chooseProducts() {
    program.isSmall = true;
    std::tie(factor, sum) = random.pick(kFactors);
    program.inputs = {factor, factor, random.pick(std::array{i8, i32, factor})};
  }

  Program generateProducts() {
    fill(program.body, 1 + random.below(5), 0);
    for (std::int64_t loops = 1 + random.below(2); loops != 0; --loops)
      addProducts(program.body);
    fill(program.body, 1 + random.below(5), 0);
    return std::move(program);
  }

  std::int64_t power(std::int64_t least, std::int64_t most) {
    return std::int64_t(1) << (least + random.below(most - least + 1));
  }
  int constant(Block &block, const Type &type) {
    Statement s;
    s.op = opNamed("full");
    s.type = type;
    s.numbers = {random.below(3)};
    return declare(block, std::move(s), type, true);
  }
  int apply(Block &block, const char *op, std::vector<int> args, const Type &type,
            std::vector<std::int64_t> numbers = {0}) {
    Statement s;
    s.op = opNamed(op);
    s.type = type;
    s.args = std::move(args);
    s.numbers = std::move(numbers);
    return declare(block, std::move(s), type, true);
  }
  static void assign(Block &block, int to, int from) {
    Statement s;
    s.kind = Kind::Assign;
    s.args = {to, from};
    block.push_back(std::move(s));
  }

  /// Pointers that are carried by a loop in \p block, and what they point to in a round. Other statements must not see
  /// them.
  int loadThrough(Block &block, Block &body, const Type &type, std::vector<std::int64_t> place, std::int64_t distance) {
    Type pointers = type;
    pointers.dtype = ptr_to(type.dtype);
    const int carried = apply(block, "pointers", {}, pointers, std::move(place));
    variables.pop_back();
    const int loaded = apply(body, "load_through", {carried}, type);
    const int next = apply(body, "advance", {carried}, pointers, {distance});
    variables.pop_back();
    assign(body, carried, next);
    return loaded;
  }

  /// A tile of factors of \p shape, loaded in each round of the loop that \p counter counts.
  int loadFactor(Block &block, Block &body, int counter, Extents shape) {
    const bool isTransposed = random.chance(30);
    if (isTransposed)
      std::swap(shape[0], shape[1]);
    const Type type{factor, shape};
    const std::int64_t input = random.below(2), distance = random.pick(std::array{8, 16, 37, 64, 100});
    const std::vector<std::int64_t> place = {input, random.below(100), random.pick(std::array{0, 0, 1, 2})};
    const std::vector<std::int64_t> round = {place[0], place[1], place[2], distance};
    const bool isWidened = program.inputs[2] == i8 && (factor == f16 || factor == bf16 || factor == f32);
    int result = -1;
    switch (random.below(7)) {
    case 0:
    case 1:
      result = apply(body, "view_round", {counter}, type, {input, random.below(6), random.below(2), distance});
      break;
    case 2:
      result = apply(body, "load_round_first", {counter}, type, round);
      break;
    case 3:
      result = loadThrough(block, body, type, place, distance);
      break;
    case 4:
      if (program.inputs[2] == i32 || isWidened) {
        const Type other{program.inputs[2], shape};
        const int loaded = apply(body, "load_round", {counter}, other, {2, place[1], place[2], distance});
        result = isWidened ? apply(body, "to", {loaded}, type) : apply(body, "load_at", {loaded}, type, {input});
        break;
      }
      [[fallthrough]];
    default:
      result = apply(body, "load_round", {counter}, type, round);
    }
    if (random.chance(10))
      result = apply(body, "add", {result, result}, type);
    if (isTransposed)
      result = apply(body, "trans", {result}, {factor, {shape[1], shape[0]}});
    return result;
  }

  /// A loop that adds up products, of one or two pairs of factors, or of a product and a factor.
  void addProducts(Block &block) {
    const bool isTiny = random.chance(20);
    const auto extent = [&] { return isTiny ? power(0, 3) : power(3, 6); };
    const std::int64_t m = isTiny ? power(0, 3) : power(4, 6), n = extent(), k = extent();
    const Type type{sum, {m, n}};
    std::vector<int> sums = {constant(block, type)};
    Statement loop;
    loop.kind = Kind::For;
    loop.numbers = {random.below(3), random.below(11), 1 + random.below(2), stages()};
    if (random.chance(25))
      loop.args = {scalar(block, i64)};
    loop.result = next++;
    const std::size_t keep = variables.size();
    Block before; // what the loop carries beside the sums
    ++depth;
    ++loops;
    variables.push_back({loop.result, {i64, {}}, true, depth, true});
    const std::int64_t precision = factor == f32 ? random.below(4) : 0;
    const int left = loadFactor(before, loop.body, loop.result, {m, k});
    const int product = apply(loop.body, "product", {left, loadFactor(before, loop.body, loop.result, {k, n}), sums[0]},
                              type, {precision});
    assign(loop.body, sums[0], product);
    if (const std::int64_t more = random.below(10); more < 3) {
      const Type second{sum, {m, extent()}};
      sums.push_back(constant(before, second));
      const int right = loadFactor(before, loop.body, loop.result, {k, second.shape[1]});
      assign(loop.body, sums[1],
             apply(loop.body, "product",
                   {more == 0 ? loadFactor(before, loop.body, loop.result, {m, k}) : left, right, sums[1]}, second,
                   {precision}));
    } else if (more < 6) {
      const Type second{i32, {m, extent()}};
      sums.push_back(constant(before, second));
      const int right = apply(loop.body, "to", {loadFactor(before, loop.body, loop.result, {n, second.shape[1]})},
                              {i32, {n, second.shape[1]}});
      const int chained =
          apply(loop.body, ("dot_" + factor.name()).c_str(),
                {apply(loop.body, "to", {product}, {i32, {m, n}}), right, sums[1]}, {sum, second.shape});
      assign(loop.body, sums[1], sum == i32 ? chained : apply(loop.body, "to", {chained}, second));
    }
    if (random.chance(40))
      fill(loop.body, 1 + random.below(4), 40);
    --loops;
    --depth;
    variables.erase(variables.begin() + static_cast<std::ptrdiff_t>(keep), variables.end());
    block.insert(block.end(), before.begin(), before.end());
    block.push_back(std::move(loop));
    for (int sum : sums) {
      Statement s;
      s.kind = Kind::Store;
      s.args = {sum};
      s.numbers = formOf(random.chance(50) ? std::int64_t(kRows) : std::int64_t(kThroughView));
      block.push_back(std::move(s));
    }
    if (random.chance(50))
      variables.push_back({sums[0], type, true, depth, false});
  }

  Random random, depths;
  DType factor, sum;
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

/// Whether there is a product of matrices.
static bool multiplies(const Program &program) {
  bool found = false;
  walk(program.body, [&](const Statement &s) {
    if (s.kind != Statement::Kind::Let)
      return;
    const std::string &name = ops()[static_cast<std::size_t>(s.op)].name;
    found |= name.starts_with("dot") || name.starts_with("product");
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
  program.options.cluster = multiplies(program) ? 1 : 1 << random.below(4);
  return program;
}

} // namespace tessera::fuzz
