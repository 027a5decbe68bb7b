//===- Print.cpp - a random kernel as C++ ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Ops.h"
#include "Trace.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace tessera::fuzz {

namespace {

/// What the kernels use beside the language.
constexpr const char *kHelpers = R"(#include <tessera/tessera.h>

using namespace tessera;

// Numbers a tile's elements; order 1 counts down, 2 runs column by column.
Tile places(const Shape &shape, int order) {
  Tile at = Tile(0);
  std::int64_t stride = order == 2 ? 1 : shape.elements();
  for (int axis = 0; axis != shape.rank(); ++axis) {
    if (order != 2)
      stride /= shape[axis];
    Shape around;
    for (int i = 0; i != shape.rank(); ++i)
      around.push_back(i == axis ? shape[i] : 1);
    at = at + reshape(arange(0, shape[axis]), around) * stride;
    if (order == 2)
      stride *= shape[axis];
  }
  return order == 1 ? Tile(shape.elements() - 1 - at) : at;
}
// The box of the upper half of an axis.
std::pair<Shape, Shape> upper_half_box(const Tile &x, int axis) {
  std::pair<Shape, Shape> box;
  for (int i = 0; i != x.rank(); ++i) {
    box.first.push_back(i == axis ? x.shape()[i] / 2 : 0);
    box.second.push_back(i == axis ? x.shape()[i] / 2 : x.shape()[i]);
  }
  return box;
}
Tile upper_half(const Tile &x, int axis) {
  return slice(x, upper_half_box(x, axis).first, upper_half_box(x, axis).second);
}
Tile insert_upper_half(const Tile &x, const Tile &part, int axis) {
  return insert(x, part, upper_half_box(x, axis).first);
}
)";

std::string nameOf(int variable) { return "v" + std::to_string(variable); }
std::string extentsText(const Extents &extents) { return fmt::format("{{{}}}", fmt::join(extents, ", ")); }

class Printer {
public:
  Printer(const Program &program, const Layout &layout) : program(program), layout(layout) {}

  void print(const Block &block, int depth) {
    for (const Statement &statement : block)
      print(statement, depth);
  }
  std::string text;

private:
  template <class... Args> void line(int depth, fmt::format_string<Args...> format, Args &&...args) {
    text +=
        std::string(static_cast<std::size_t>(2 * depth), ' ') + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  /// Replaces {x} by its meaning and doubled braces by single ones.
  std::string expression(const Statement &s) const {
    const Op &op = ops()[static_cast<std::size_t>(s.op)];
    const Type first = s.args.empty() ? s.type : types.at(s.args[0]);
    const auto rank = std::max<std::int64_t>(1, static_cast<std::int64_t>(first.shape.size()));
    const std::int64_t axis = s.numbers.empty() ? 0 : s.numbers[0] % rank;
    std::map<std::string, std::string> words = {
        {"t", s.type.dtype.name()},
        {"sh", extentsText(s.type.shape)},
        {"axis", std::to_string(axis)},
        {"bits", std::to_string(first.dtype.bits())},
        {"count", std::to_string(s.type.count())},
        {"extent", std::to_string(first.shape.empty() ? 1 : first.shape[static_cast<std::size_t>(axis)])}};
    for (std::size_t i = 0; i != s.args.size(); ++i)
      words[std::to_string(i)] = nameOf(s.args[i]);
    for (std::size_t i = 0; i != s.numbers.size(); ++i)
      words["n" + std::to_string(i)] = std::to_string(s.numbers[i]);
    std::string result;
    for (std::size_t i = 0; i < op.text.size(); ++i) {
      const char c = op.text[i];
      if ((c == '{' || c == '}') && i + 1 < op.text.size() && op.text[i + 1] == c) {
        result += c;
        ++i;
      } else if (c == '{') {
        const std::size_t end = op.text.find('}', i);
        result += words[op.text.substr(i + 1, end - i - 1)];
        i = end;
      } else {
        result += c;
      }
    }
    return result;
  }

  std::string startOf(const Slot &slot) const {
    if (program.grid == 1)
      return fmt::format("(out + {}).as({})", slot.offset, slot.type.dtype.name());
    return fmt::format("(out + (program_id(0) * {} + {})).as({})", layout.bytesPerProgram, slot.offset,
                       slot.type.dtype.name());
  }

  void printStore(const Statement &s, const Slot &slot, int depth) {
    const std::string value = nameOf(s.args[0]), extents = extentsText(slot.type.shape);
    const std::string mask = s.args.size() > 1 ? fmt::format(", {{.mask = {}}}", nameOf(s.args[1])) : "";
    if (s.numbers[0] == kThroughView) {
      const ViewPlace &place = kViewPlaces[s.numbers[1]];
      line(depth, "view(Ptr<{}>({}), {{{}, {}}}, {{{}, 1}}).store({{{}, {}}}, {});", slot.type.dtype.name(),
           startOf(slot), slot.type.shape[0], place.columnsOf(slot.type), slot.type.shape[1], place.row, place.column,
           value);
    } else if (s.numbers[0] == kAtomic)
      line(depth, "{}({} + (places({}, 0) & 7), {}{});", slot.type.dtype == f32 ? "atomic_max" : "atomic_add",
           startOf(slot), extents, value, mask);
    else
      line(depth, "store({} + places({}, {}), {}{});", startOf(slot), extents, s.numbers[0], value, mask);
  }

  void print(const Statement &s, int depth) {
    switch (s.kind) {
    case Statement::Kind::Let:
      types[s.result] = s.type;
      line(depth, "Tile {} = {}; // {} {}", nameOf(s.result), expression(s), s.type.dtype.name(),
           extentsText(s.type.shape));
      break;
    case Statement::Kind::Assign:
      line(depth, "{} = {};", nameOf(s.args[0]), nameOf(s.args[1]));
      break;
    case Statement::Kind::Store:
      printStore(s, layout.slots[nextSlot++], depth);
      break;
    case Statement::Kind::Reload: {
      const Slot &slot = layout.slots[nextSlot++];
      types[s.result] = s.type;
      line(depth, "store({} + places({}, 0), {});", startOf(slot), extentsText(slot.type.shape), nameOf(s.args[0]));
      line(depth, "Tile {} = load({} + places({}, 1));", nameOf(s.result), startOf(slot), extentsText(slot.type.shape));
      break;
    }
    case Statement::Kind::If:
      line(depth, "if_({}, [&] {{", nameOf(s.args[0]));
      print(s.body, depth + 1);
      line(depth, "}}, [&] {{");
      print(s.otherwise, depth + 1);
      line(depth, "}});");
      break;
    case Statement::Kind::For:
      types[s.result] = {i64, {}};
      line(depth, "for_range({}, {}, {}, [&](Int i{}) {{", s.numbers[0],
           s.args.empty() ? std::to_string(s.numbers[1]) : nameOf(s.args[0]) + " & 7", s.numbers[2], s.result);
      line(depth + 1, "Tile {} = i{};", nameOf(s.result), s.result);
      print(s.body, depth + 1);
      line(depth, "}}, {{.num_stages = {}}});", s.numbers[3]);
      break;
    case Statement::Kind::While:
      types[s.result] = {i64, {}};
      line(depth, "Tile {} = Tile(0).to(i64), limit{} = {} & {};", nameOf(s.result), s.result, nameOf(s.args[0]),
           s.numbers[0]);
      line(depth, "while_([&] {{ return {} < limit{}; }}, [&] {{", nameOf(s.result), s.result);
      print(s.body, depth + 1);
      line(depth + 1, "{} += 1;", nameOf(s.result));
      line(depth, "}});");
      break;
    case Statement::Kind::BreakIf:
      line(depth, "break_if({});", nameOf(s.args[0]));
      break;
    case Statement::Kind::ReturnIf:
      line(depth, "return_if({});", nameOf(s.args[0]));
      break;
    }
  }

  const Program &program;
  const Layout &layout;
  std::size_t nextSlot = 0;
  std::map<int, Type> types;
};

} // namespace

std::string cppText(const Program &program, const Layout &layout) {
  Printer printer(program, layout);
  printer.print(program.body, 1);
  return fmt::format(
      "{}\n// Grid {}, n = {}, inputs from seed {}, {} warps, {} stages, {} blocks{}.\n"
      "const auto fuzz = kernel(\"fuzz\", [](Ptr<{}> in0, Ptr<{}> in1, Ptr<{}> in2, Ptr<u8> out, Int n) {{\n{}}});\n",
      kHelpers, program.grid, program.n, program.seed, program.options.num_warps, program.options.num_stages,
      program.options.cluster, program.options.deterministic ? ", deterministic" : "", program.inputs[0].name(),
      program.inputs[1].name(), program.inputs[2].name(), printer.text);
}

} // namespace tessera::fuzz
