//===- NativeWgmma.cpp - NVIDIA's products of a warpgroup -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each of the four warps makes its 16 rows. Operands in shared memory are described by 64 bits: the start, the
// distances of groups along the two axes, and the swizzle (PTX ISA, "Matrix Descriptor Format").
//
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/NativeWgmma.h"

#include "Target/Sim/Ops/Touch.h"
#include "Target/Sim/Ops/Words.h"

#include <charconv>
#include <fmt/format.h>

namespace tessera::ir::sim {

std::uint64_t WgmmaShape::encode() const {
  return n | std::uint64_t(k) << 16 | std::uint64_t(d) << 32 | std::uint64_t(a) << 40 | std::uint64_t(b) << 48 |
         std::uint64_t(hasAInRegisters) << 56 | std::uint64_t(transposesA) << 57 | std::uint64_t(transposesB) << 58;
}
WgmmaShape WgmmaShape::decode(std::uint64_t word) {
  const auto bits = [&](unsigned at, std::uint64_t mask) { return static_cast<unsigned>(word >> at & mask); };
  return {bits(0, 0xffff),
          bits(16, 0xffff),
          static_cast<MatrixType>(bits(32, 0xff)),
          static_cast<MatrixType>(bits(40, 0xff)),
          static_cast<MatrixType>(bits(48, 0xff)),
          bits(56, 1) != 0,
          bits(57, 1) != 0,
          bits(58, 1) != 0};
}

std::optional<WgmmaShape> parseWgmma(std::string_view opcode) {
  const Words words = wordsOf(opcode);
  if (words.size() != 8 || !startWith(words, {"wgmma", "mma_async", "sync", "aligned"}) ||
      !words[4].starts_with("m64n"))
    return std::nullopt;
  WgmmaShape shape;
  const std::string_view numbers = words[4].substr(4);
  const char *end = numbers.data() + numbers.size();
  auto [rest, error] = std::from_chars(numbers.data(), end, shape.n);
  if (error != std::errc() || rest == end || *rest != 'k' || std::from_chars(rest + 1, end, shape.k).ptr != end)
    return std::nullopt;
  const auto d = matrixTypeNamed(words[5]), a = matrixTypeNamed(words[6]), b = matrixTypeNamed(words[7]);
  if (!d || !a || !b || bitsOf(*a) != bitsOf(*b) || bitsOf(*a) > 32 || bitsOf(*d) > 32 || shape.k * bitsOf(*a) != 256 ||
      shape.n % 8 || shape.n == 0 || shape.n > 256)
    return std::nullopt;
  shape.d = *d;
  shape.a = *a;
  shape.b = *b;
  return shape;
}

namespace {

/// An operand in shared memory.
struct Operand {
  std::uint64_t start, leading, stride;
  unsigned swizzle; ///< 0 none, 1: 128 bytes, 2: 64, 3: 32
  bool isTransposed;
  unsigned elementBytes;

  Operand(std::uint64_t descriptor, MatrixType type, bool isTransposed)
      : start((descriptor & 0x3fff) << 4), leading((descriptor >> 16 & 0x3fff) << 4),
        stride((descriptor >> 32 & 0x3fff) << 4), swizzle(static_cast<unsigned>(descriptor >> 62)),
        isTransposed(isTransposed), elementBytes(bitsOf(type) / 8) {}

  /// The address in shared memory of element (\p row, \p k); rows are columns of B.
  std::uint64_t at(unsigned row, unsigned k) const {
    // The axis that is contiguous, in bytes, and the other one.
    const unsigned along = (isTransposed ? row : k) * elementBytes, across = isTransposed ? k : row;
    const unsigned span = swizzle ? 256u >> swizzle : 16;
    std::uint64_t address = start + across % 8 * span + along % span;
    if (swizzle)
      address += across / 8 * stride + along / span * leading;
    else // groups of 8 x 16 bytes
      address +=
          isTransposed ? across / 8 * leading + along / span * stride : across / 8 * stride + along / span * leading;
    const std::uint64_t mask = swizzle ? (8u >> swizzle << 1) - 1 : 0;
    return address ^ ((address >> 7 & mask) << 4);
  }
};

/// Reads operands of products.
class Reader {
public:
  Reader(Warp &w, const Inst &inst) : w(w), inst(inst), op(w.program.memory[inst.extra]) {}

  double element(const Operand &operand, MatrixType type, unsigned row, unsigned k) {
    const std::uint64_t address = operand.at(row, k);
    const std::uint64_t offset = address - kSharedBase;
    const Touched from = touch(w, inst, op, Access::kManyLanes, kSharedTag | address, operand.elementBytes, Use::Read);
    if (!from)
      return 0;
    w.block.shared.shadow.forWrites(offset, operand.elementBytes, [&](const Access &write) {
      if (!w.block.bulk.sees(write.warp, write.clock))
        w.fault(
            inst, 0,
            [&] {
              return fmt::format("reads shared memory at {}, which a thread wrote without a proxy fence behind it",
                                 offset);
            },
            "fence.proxy.async, and then a barrier, make writes visible to matrix units");
    });
    return matrixElement(type, from.bytes, 0);
  }

private:
  Warp &w;
  const Inst &inst;
  const MemoryOp &op;
};

void finish(Warp &w, Wgmma &product) {
  const Inst &inst = *product.inst;
  const WgmmaShape s = WgmmaShape::decode(inst.imm);
  Reader reader(w, inst);
  const unsigned firstRow = w.id % 4 * 16;
  std::vector<double> a(16 * s.k), b(std::size_t(s.n) * s.k);
  if (s.hasAInRegisters) {
    const unsigned each = 32 / bitsOf(s.a);
    for (unsigned lane = 0; lane != 32; ++lane)
      for (unsigned r = 0; r != 4; ++r)
        for (unsigned j = 0; j != each; ++j)
          a[(lane / 4 + 8 * (r % 2)) * s.k + lane % 4 * each + 4 * each * (r / 2) + j] =
              matrixElement(s.a, reinterpret_cast<const std::byte *>(&product.a[r][lane]), j);
  } else {
    const Operand operand(product.descriptorA, s.a, s.transposesA);
    for (unsigned row = 0; row != 16; ++row)
      for (unsigned k = 0; k != s.k; ++k)
        a[row * s.k + k] = reader.element(operand, s.a, firstRow + row, k);
  }
  const Operand operand(product.descriptorB, s.b, s.transposesB);
  for (unsigned column = 0; column != s.n; ++column)
    for (unsigned k = 0; k != s.k; ++k)
      b[column * s.k + k] = reader.element(operand, s.b, column, k);

  const unsigned packed = 32 / bitsOf(s.d);
  for (unsigned r = 0; r != s.registersOfD(); ++r)
    for (unsigned lane = 0; lane != 32; ++lane) {
      std::uint32_t &in = product.acc[r][lane];
      in = product.addsUp ? w.wgmma.resolve(in, lane) : 0;
      auto *bits = reinterpret_cast<std::byte *>(&in);
      for (unsigned j = 0; j != packed; ++j) {
        const unsigned e = r * packed + j; // by fours: two columns, then the row 8 below
        const unsigned row = lane / 4 + 8 * (e / 2 % 2), column = e / 4 * 8 + lane % 4 * 2 + e % 2;
        double sum = matrixElement(s.d, bits, j);
        for (unsigned k = 0; k != s.k; ++k)
          sum += a[row * s.k + k] * b[column * s.k + k];
        storeMatrixElement(s.d, bits, j, sum, false);
      }
    }
  product.isDone = true;
}

template <class Scale> void start(const Inst &i, Warp &w) {
  const WgmmaShape s = WgmmaShape::decode(i.imm);
  Wgmma product;
  product.inst = &i;
  unsigned at = 0;
  const auto take = [&](WarpRegisters &registers, unsigned count) {
    registers.resize(count);
    for (auto &each : registers)
      std::memcpy(each.data(), w.reg<std::uint32_t>(i.in(at++)), sizeof each);
  };
  take(product.acc, s.registersOfD());
  if (s.hasAInRegisters)
    take(product.a, 4);
  else
    product.descriptorA = w.reg<std::uint64_t>(i.in(at++))[0];
  product.descriptorB = w.reg<std::uint64_t>(i.in(at++))[0];
  product.addsUp = w.reg<Scale>(i.in(at++))[0] != 0;
  beginTouches(w, w.program.memory[i.extra]);
  const int number = w.wgmma.add(std::move(product));
  if (number < 0)
    return w.block.stop(w, i, "is one product too many for a warp", "the simulated GPU keeps 16384 of them");
  for (unsigned r = 0; r != i.outs; ++r)
    forLanes(
        w, [&](unsigned l) { w.reg<std::uint32_t>(i.out(r))[l] = WgmmaQueue::tag(static_cast<unsigned>(number), r); });
}

void wait(const Inst &i, Warp &w) {
  if (w.block.launch.request.sabotage.dropWait != static_cast<int>(i.imm)) {
    const std::size_t due = w.wgmma.dueWith(w.reg<std::uint32_t>(i.in(0))[0]);
    for (std::size_t number = 0; number != due; ++number)
      if (!w.wgmma.at(number).isDone)
        finish(w, w.wgmma.at(number));
  }
  for (unsigned r = 0; r != i.outs; ++r)
    forLanes(w, [&](unsigned l) {
      w.reg<std::uint32_t>(i.out(r))[l] = w.wgmma.resolve(w.reg<std::uint32_t>(i.in(1 + r))[l], l);
    });
}

} // namespace

ExecFn wgmmaFunction(Type scale) {
  return scale == Type::I1 ? start<std::uint8_t> : scale == Type::I32 ? start<std::uint32_t> : nullptr;
}
ExecFn wgmmaCommitFunction() {
  return [](const Inst &, Warp &w) { w.wgmma.commit(); };
}
ExecFn wgmmaWaitFunction() { return wait; }

} // namespace tessera::ir::sim
