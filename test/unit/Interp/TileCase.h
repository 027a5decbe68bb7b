//===- TileCase.h - a kernel around operations on blocks of any shape ---*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// TileCase writes a kernel that loads each input block from its own buffer, runs the given operations and stores each
// output block to its own buffer, row-major.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_INTERP_TILECASE_H
#define TESSERA_TEST_UNIT_INTERP_TILECASE_H

#include "unit/Interp/Harness.h"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::ir::interp {

using Extents = std::vector<std::int64_t>;

inline std::int64_t countOf(const Extents &shape) {
  std::int64_t n = 1;
  for (std::int64_t extent : shape)
    n *= extent;
  return n;
}

/// "tensor<4x8xf32>", or "f32" for no extents.
inline std::string tileType(const Extents &shape, std::string_view elem) {
  if (shape.empty())
    return std::string(elem);
  std::string text = "tensor<";
  for (std::int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + std::string(elem) + ">";
}

/// Parameters of the kernel come in the order of the calls: inputs and scalars, then outputs.
class TileCase {
public:
  /// A block %name of \p elem, loaded from its own buffer.
  TileCase &in(std::string name, std::string_view elem, Extents shape) {
    const std::string pointers = "tensor<" + std::to_string(countOf(shape)) + "x!tile.ptr<" + std::string(elem) + ">>";
    parameter("%p_" + name + ": !tile.ptr<" + std::string(elem) + ">");
    head += addresses(name, pointers, countOf(shape));
    head += "%f_" + name + " = tile.load %q_" + name + " : " + pointers + "\n";
    head += "%" + name + " = tile.reshape %f_" + name + " : " + tileType({countOf(shape)}, elem) + " -> " +
            tileType(shape, elem) + "\n";
    return *this;
  }
  /// A parameter as it is.
  TileCase &scalar(const std::string &name, const std::string &type) { return parameter("%" + name + ": " + type); }
  /// The block %name of \p elem, which the operations define, stored to its own buffer.
  TileCase &out(std::string name, std::string_view elem, Extents shape) {
    const std::string pointers = "tensor<" + std::to_string(countOf(shape)) + "x!tile.ptr<" + std::string(elem) + ">>";
    parameter("%p_" + name + ": !tile.ptr<" + std::string(elem) + ">");
    tail += addresses(name, pointers, countOf(shape));
    tail += "%f_" + name + " = tile.reshape %" + name + " : " + tileType(shape, elem) + " -> " +
            tileType({countOf(shape)}, elem) + "\n";
    tail += "tile.store %q_" + name + ", %f_" + name + " : " + pointers + "\n";
    return *this;
  }
  std::string text(std::string_view operations) const {
    return "tile.kernel @k(" + parameters + ") {\n" + head + std::string(operations) + "\n" + tail + "tile.return\n}\n";
  }

private:
  TileCase &parameter(const std::string &text) {
    parameters += (parameters.empty() ? "" : ", ") + text;
    return *this;
  }
  static std::string addresses(const std::string &name, const std::string &pointers, std::int64_t n) {
    const std::string lanes = "tensor<" + std::to_string(n) + "xi32>";
    return "%l_" + name + " = tile.arange 0 to " + std::to_string(n) + " : " + lanes + "\n%s_" + name +
           " = tile.splat %p_" + name + " : " + pointers + "\n%q_" + name + " = tile.addptr %s_" + name + ", %l_" +
           name + " : " + pointers + ", " + lanes + "\n";
  }

  std::string parameters, head, tail;
};

/// Random bits as elements; for floats every kind of value occurs, NaN included.
template <class T> std::vector<T> anyBits(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(n);
  for (T &value : values) {
    const std::uint64_t word = random();
    std::memcpy(&value, &word, sizeof(T));
    if constexpr (std::is_same_v<T, Bool>)
      value.bits &= 1;
  }
  return values;
}

} // namespace tessera::ir::interp

#endif // TESSERA_TEST_UNIT_INTERP_TILECASE_H
