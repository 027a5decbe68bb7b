//===- Harness.h - run tile text on the interpreter --------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Tests give a kernel as text and its buffers as vectors. `elementwise` writes the kernel around one operation.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_INTERP_HARNESS_H
#define TESSERA_TEST_UNIT_INTERP_HARNESS_H

#include "Target/Interp/Elem.h"
#include "Target/Interp/Program.h"

#include <array>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tessera::ir::interp {

/// A pointer argument's memory. Guard space lies around it; `values` is read before a run and written after it.
template <class T> struct Memory {
  std::vector<T> values;
  explicit Memory(std::vector<T> values) : values(std::move(values)) {}
  explicit Memory(std::size_t count, T fill = {}) : values(count, fill) {}
  Memory(std::initializer_list<T> values) : values(values) {}
  T &operator[](std::size_t i) { return values[i]; }
  const T &operator[](std::size_t i) const { return values[i]; }
  std::size_t size() const { return values.size(); }
};

/// An address as an argument, for null pointers and pointers into other buffers.
struct Address {
  std::uint64_t value;
};

/// Memory of the test's own, used where it lies.
struct Region {
  void *memory;
  std::size_t bytes;
};

/// An address in the buffer of an earlier argument, the n-th Memory of the call.
struct Into {
  std::size_t memory;
  std::int64_t bytes = 0;
};

/// The spelling of a storage type in IR.
template <class T> constexpr std::string_view irType() {
  if constexpr (std::is_same_v<T, Bool>)
    return "i1";
  else if constexpr (std::is_same_v<T, F16>)
    return "f16";
  else if constexpr (std::is_same_v<T, BF16>)
    return "bf16";
  else if constexpr (std::is_same_v<T, float>)
    return "f32";
  else if constexpr (std::is_same_v<T, double>)
    return "f64";
  else if constexpr (std::is_same_v<T, E4M3>)
    return "f8E4M3FN";
  else if constexpr (std::is_same_v<T, E5M2>)
    return "f8E5M2";
  else if constexpr (std::is_same_v<T, E4M3Fnuz>)
    return "f8E4M3FNUZ";
  else if constexpr (std::is_same_v<T, E5M2Fnuz>)
    return "f8E5M2FNUZ";
  else if constexpr (sizeof(T) == 1)
    return "i8";
  else if constexpr (sizeof(T) == 2)
    return "i16";
  else if constexpr (sizeof(T) == 4)
    return "i32";
  else
    return "i64";
}

/// A built kernel. Failure to parse, verify or build fails the test and leaves it empty.
class TestKernel {
public:
  explicit TestKernel(std::string_view text);
  TestKernel &threads(unsigned n) { return options.threads = n, *this; }
  TestKernel &checks(bool on) { return options.checks = on, *this; }
  TestKernel &maxFaults(unsigned n) { return options.maxFaults = n, *this; }

  /// Runs a grid. Arguments are Memory<T>, Address or scalars of the parameter's storage type.
  template <class... Args> Faults run(std::array<std::int64_t, 3> grid, Args &&...args) {
    Call call;
    (call.add(args), ...);
    Faults faults = execute(grid, call);
    call.finish();
    return faults;
  }
  /// The same for one program.
  template <class... Args> Faults run1(Args &&...args) { return run({1, 1, 1}, std::forward<Args>(args)...); }

  const Program *operator->() const { return program.get(); }

private:
  struct Call {
    static constexpr std::size_t guard = 256;
    struct Block {
      std::vector<std::uint64_t> words;
      std::size_t bytes = 0;
      void *home = nullptr;
      std::byte *data() { return reinterpret_cast<std::byte *>(words.data()) + guard; }
    };
    std::list<Block> blocks;
    std::list<std::array<std::byte, 8>> values;
    std::vector<Region> regions;
    std::vector<const void *> arguments;

    template <class T> void value(const T &v) {
      std::memcpy(values.emplace_back().data(), &v, sizeof(T));
      arguments.push_back(values.back().data());
    }
    template <class T> void add(Memory<T> &memory) {
      Block &b = blocks.emplace_back();
      b.bytes = memory.values.size() * sizeof(T);
      b.words.assign((b.bytes + 2 * guard + 7) / 8, 0xAAAAAAAAAAAAAAAAull);
      b.home = memory.values.data();
      if (b.bytes)
        std::memcpy(b.data(), b.home, b.bytes);
      value(reinterpret_cast<std::uint64_t>(b.data()));
    }
    void add(const Address &address) { value(address.value); }
    void add(const Region &region) {
      regions.push_back(region);
      value(reinterpret_cast<std::uint64_t>(region.memory));
    }
    void add(const Into &into) {
      value(reinterpret_cast<std::uint64_t>(std::next(blocks.begin(), static_cast<long>(into.memory))->data()) +
            static_cast<std::uint64_t>(into.bytes));
    }
    template <class T> std::enable_if_t<std::is_arithmetic_v<T>> add(const T &v) { value(v); }
    template <class T> std::enable_if_t<std::is_class_v<T>> add(const T &v) { value(v); }
    void finish() {
      for (Block &b : blocks)
        if (b.bytes)
          std::memcpy(b.home, b.data(), b.bytes);
    }
  };
  Faults execute(std::array<std::int64_t, 3> grid, Call &call);

  std::unique_ptr<Program> program;
  std::shared_ptr<void> compiled; ///< of a harness that compiles kernels instead
  RunOptions options;
};

/// Parses, verifies and builds \p text; returns what went wrong, empty if nothing.
std::string whyNotBuilt(std::string_view text);

/// Replaces every occurrence of a key by its value.
std::string substitute(std::string_view text, std::initializer_list<std::pair<std::string_view, std::string>> values);

/// A tensor type, "tensor<64xf32>".
std::string tensorType(std::size_t n, std::string_view element);

/// What a kernel of elementwise operations gives. `body` computes %r from %a, %b, %c; $A, $B, $C, $R stand for their
/// tensor types and $N for the number of lanes, the inputs' common size rounded up to a power of two. Reports faults.
template <class R, class... In> std::vector<R> elementwise(std::string_view body, const std::vector<In> &...inputs);

// -- implementation -------------------------------------------------------------------------------

void expectNoFaults(const Faults &faults);

template <class R, class... In> std::vector<R> elementwise(std::string_view body, const std::vector<In> &...inputs) {
  const std::size_t given[] = {inputs.size()...};
  const std::size_t n = std::bit_ceil(given[0]);
  constexpr std::string_view letters[] = {"a", "b", "c", "d"};
  const std::string_view types[] = {irType<In>()...};
  std::string parameters, loads;
  for (std::size_t i = 0; i != sizeof...(In); ++i) {
    const std::string letter(letters[i]), type(types[i]), count = std::to_string(n);
    const std::string pointers = "tensor<" + count + "x!tile.ptr<" + type + ">>";
    parameters += "%p" + letter + ": !tile.ptr<" + type + ">, ";
    loads += "%s" + letter + " = tile.splat %p" + letter + " : " + pointers + "\n%q" + letter + " = tile.addptr %s" +
             letter + ", %lane : " + pointers + ", tensor<" + count + "xi32>\n%" + letter + " = tile.load %q" + letter +
             " : " + pointers + "\n";
  }
  const std::string count = std::to_string(n), result(irType<R>()),
                    pointers = "tensor<" + count + "x!tile.ptr<" + result + ">>";
  const auto typeOf = [&](std::size_t i) { return i < sizeof...(In) ? tensorType(n, types[i]) : std::string(); };
  const std::string text =
      "tile.kernel @k(" + parameters + "%out: !tile.ptr<" + result + ">) {\n%lane = tile.arange 0 to " + count +
      " : tensor<" + count + "xi32>\n" + loads +
      substitute(
          body,
          {{"$A", typeOf(0)}, {"$B", typeOf(1)}, {"$C", typeOf(2)}, {"$R", tensorType(n, result)}, {"$N", count}}) +
      "\n%so = tile.splat %out : " + pointers + "\n%qo = tile.addptr %so, %lane : " + pointers + ", tensor<" + count +
      "xi32>\ntile.store %qo, %r : " + pointers + "\ntile.return\n}";
  TestKernel kernel(text);
  Memory<R> out(n);
  const auto padded = [&](const auto &v) {
    auto copy = v;
    copy.resize(n, v.back());
    return Memory(copy);
  };
  std::tuple memories{padded(inputs)...};
  expectNoFaults(std::apply([&](auto &...m) { return kernel.run1(m..., out); }, memories));
  out.values.resize(given[0]);
  return out.values;
}

} // namespace tessera::ir::interp

#endif // TESSERA_TEST_UNIT_INTERP_HARNESS_H
