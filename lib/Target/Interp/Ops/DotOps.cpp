//===- DotOps.cpp - products of tiles -----------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The oracle's dot is more accurate than any unit it is compared with.
//  - f32, f16, bf16 and fp8 (SEMANTICS D1): a product is exact in double, products are summed in double in the order of
//  k,
//    the accumulator is added in double, and the whole is rounded once to f32. Error: half an ulp of the result and
//    (K + 1) * 2^-53 * sum |a b|. Partial sums beyond f32's range cancel where an f32 accumulator would have
//    overflowed.
//  - f64: a compensated dot product (Ogita, Rump, Oishi 2005, Dot2), as if summed with 106 bits and rounded once.
//  - i8: exact modulo 2^32.
// `precision` and `max_imprecise_k` allow less than this and change nothing (SEMANTICS D2).
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Float.h"
#include "Target/Interp/Frame.h"
#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Families.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include <cmath>

namespace tessera::ir::interp {

using namespace mlir;

namespace {

struct DotPayload : Payload {
  std::int64_t batches = 1, m = 1, n = 1, k = 1;
};

// -- Row-major products: c[m, n] = sum over k of a[m, k] * b[k, n] --------------------------------

constexpr std::int64_t kRows = 4, kColumns = 8;

/// One block of \p rows x \p columns results, which stay in vector registers.
template <class V, std::int64_t rows, std::int64_t columns>
[[gnu::always_inline]] inline void multiplyBlock(const V *a, const V *b, V *c, std::int64_t n, std::int64_t k) {
  V sum[rows][columns] = {};
  for (std::int64_t p = 0; p != k; ++p) {
    const V *row = b + p * n;
    for (std::int64_t r = 0; r != rows; ++r) {
      const V scale = a[r * k + p];
      for (std::int64_t j = 0; j != columns; ++j)
        sum[r][j] += scale * row[j];
    }
  }
  for (std::int64_t r = 0; r != rows; ++r)
    for (std::int64_t j = 0; j != columns; ++j)
      c[r * n + j] = sum[r][j];
}

/// Extents are powers of two, so blocks fit or the extent is smaller than a block.
template <class V>
[[gnu::always_inline]] inline void multiplyAll(const V *a, const V *b, V *c, std::int64_t m, std::int64_t n,
                                               std::int64_t k) {
  if (m % kRows == 0 && n % kColumns == 0) {
    for (std::int64_t j = 0; j != n; j += kColumns)
      for (std::int64_t i = 0; i != m; i += kRows)
        multiplyBlock<V, kRows, kColumns>(a + i * k, b + j, c + i * n + j, n, k);
  } else if (n % kColumns == 0) {
    for (std::int64_t i = 0; i != m; ++i)
      for (std::int64_t j = 0; j != n; j += kColumns)
        multiplyBlock<V, 1, kColumns>(a + i * k, b + j, c + i * n + j, n, k);
  } else {
    for (std::int64_t i = 0; i != m; ++i)
      for (std::int64_t j = 0; j != n; ++j)
        multiplyBlock<V, 1, 1>(a + i * k, b + j, c + i * n + j, n, k);
  }
}

using MultiplyDouble = void (*)(const double *, const double *, double *, std::int64_t, std::int64_t, std::int64_t);
using MultiplyWord = void (*)(const std::uint32_t *, const std::uint32_t *, std::uint32_t *, std::int64_t, std::int64_t,
                              std::int64_t);

void multiplyDouble(const double *a, const double *b, double *c, std::int64_t m, std::int64_t n, std::int64_t k) {
  multiplyAll(a, b, c, m, n, k);
}
void multiplyWord(const std::uint32_t *a, const std::uint32_t *b, std::uint32_t *c, std::int64_t m, std::int64_t n,
                  std::int64_t k) {
  multiplyAll(a, b, c, m, n, k);
}

// Wider vectors where the host has them. Products are exact, so a fused multiply-add gives the same bits.
#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void multiplyDoubleWide(const double *a, const double *b, double *c, std::int64_t m,
                                                    std::int64_t n, std::int64_t k) {
  multiplyAll(a, b, c, m, n, k);
}
[[gnu::target("avx2,fma")]] void multiplyWordWide(const std::uint32_t *a, const std::uint32_t *b, std::uint32_t *c,
                                                  std::int64_t m, std::int64_t n, std::int64_t k) {
  multiplyAll(a, b, c, m, n, k);
}
bool hostIsWide() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
constexpr MultiplyDouble multiplyDoubleWide = multiplyDouble;
constexpr MultiplyWord multiplyWordWide = multiplyWord;
bool hostIsWide() { return false; }
#endif

// -- Instructions ---------------------------------------------------------------------------------

/// f32, f16, bf16, fp8: operands of types A and B, accumulator and result f32.
template <class A, class B> void dotFloat(const Inst &inst, Frame &frame) {
  static const MultiplyDouble multiply = hostIsWide() ? multiplyDoubleWide : multiplyDouble;
  const auto &dot = inst.payload<DotPayload>();
  const std::int64_t as = dot.m * dot.k, bs = dot.k * dot.n, cs = dot.m * dot.n;
  const A *a = frame.in<A>(inst, 0);
  const B *b = frame.in<B>(inst, 1);
  const float *acc = frame.in<float>(inst, 2);
  float *result = frame.out<float>(inst);
  double *wideA = frame.scratch<double>(1, as), *wideB = frame.scratch<double>(2, bs),
         *sum = frame.scratch<double>(3, cs);
  for (std::int64_t batch = 0; batch != dot.batches; ++batch, a += as, b += bs, acc += cs, result += cs) {
    for (std::int64_t i = 0; i != as; ++i)
      wideA[i] = widen(a[i]);
    for (std::int64_t i = 0; i != bs; ++i)
      wideB[i] = widen(b[i]);
    multiply(wideA, wideB, sum, dot.m, dot.n, dot.k);
    for (std::int64_t i = 0; i != cs; ++i)
      result[i] = static_cast<float>(sum[i] + acc[i]);
  }
}

void dotDouble(const Inst &inst, Frame &frame) {
  const auto &dot = inst.payload<DotPayload>();
  const double *a = frame.in<double>(inst, 0), *b = frame.in<double>(inst, 1), *acc = frame.in<double>(inst, 2);
  double *result = frame.out<double>(inst), *error = frame.scratch<double>(1, dot.n);
  for (std::int64_t batch = 0; batch != dot.batches; ++batch, b += dot.k * dot.n)
    for (std::int64_t i = 0; i != dot.m; ++i, a += dot.k, acc += dot.n, result += dot.n) {
      std::copy_n(acc, dot.n, result);
      std::fill_n(error, dot.n, 0.0);
      for (std::int64_t p = 0; p != dot.k; ++p)
        for (std::int64_t j = 0; j != dot.n; ++j) {
          // The sum of products is kept as result + error, the error exact but for its own additions.
          const double x = a[p], y = b[p * dot.n + j];
          const double product = x * y, productError = std::fma(x, y, -product);
          const double sum = result[j] + product, back = sum - result[j];
          const double sumError = (result[j] - (sum - back)) + (product - back);
          result[j] = sum;
          error[j] += productError + sumError;
        }
      for (std::int64_t j = 0; j != dot.n; ++j)
        if (std::isfinite(result[j]))
          result[j] += error[j];
    }
}

/// i8 operands, i32 accumulator.
void dotInt(const Inst &inst, Frame &frame) {
  static const MultiplyWord multiply = hostIsWide() ? multiplyWordWide : multiplyWord;
  const auto &dot = inst.payload<DotPayload>();
  const std::int64_t as = dot.m * dot.k, bs = dot.k * dot.n, cs = dot.m * dot.n;
  const std::int8_t *a = frame.in<std::int8_t>(inst, 0), *b = frame.in<std::int8_t>(inst, 1);
  const std::uint32_t *acc = frame.in<std::uint32_t>(inst, 2);
  std::uint32_t *result = frame.out<std::uint32_t>(inst);
  auto *wideA = frame.scratch<std::uint32_t>(1, as), *wideB = frame.scratch<std::uint32_t>(2, bs);
  for (std::int64_t batch = 0; batch != dot.batches; ++batch, a += as, b += bs, acc += cs, result += cs) {
    for (std::int64_t i = 0; i != as; ++i)
      wideA[i] = static_cast<std::uint32_t>(std::int32_t(a[i]));
    for (std::int64_t i = 0; i != bs; ++i)
      wideB[i] = static_cast<std::uint32_t>(std::int32_t(b[i]));
    multiply(wideA, wideB, result, dot.m, dot.n, dot.k);
    for (std::int64_t i = 0; i != cs; ++i)
      result[i] += acc[i];
  }
}

// -- Lowering -------------------------------------------------------------------------------------

/// The instruction for operands of types \p a and \p b, or null.
ExecFn pickDot(Elem a, Elem b) {
  if (a == Elem::F64 && b == Elem::F64)
    return dotDouble;
  if (a == Elem::I8 && b == Elem::I8)
    return dotInt;
  return dispatchAnyFloat<ExecFn>(a, [&]<class A>() -> ExecFn {
    return dispatchAnyFloat<ExecFn>(b, []<class B>() -> ExecFn {
      if constexpr ((sizeof(A) == 1 && sizeof(B) == 1) || (std::is_same_v<A, B> && !std::is_same_v<A, double>))
        return dotFloat<A, B>;
      else
        return nullptr;
    });
  });
}

LogicalResult lowerDot(Operation &op, Builder &b) {
  auto dot = cast<tile::DotOp>(op);
  const Elem lhs = b.in(dot.getA()).elem, rhs = b.in(dot.getB()).elem, acc = b.in(dot.getAcc()).elem;
  const ExecFn exec = pickDot(lhs, rhs);
  const Elem wanted = lhs == Elem::F64 ? Elem::F64 : lhs == Elem::I8 ? Elem::I32 : Elem::F32;
  if (!exec || acc != wanted)
    return b.refuse(op, llvm::Twine("of ") + nameOf(lhs) + " and " + nameOf(rhs) + " into " + nameOf(acc) +
                            " is not known to the interpreter");
  auto payload = std::make_unique<DotPayload>();
  const Shape left = shapeOf(dot.getA().getType()), result = shapeOf(dot.getAcc().getType());
  payload->batches = result.rank == 3 ? result.extent[0] : 1;
  payload->m = result.extent[result.rank - 2];
  payload->n = result.extent[result.rank - 1];
  payload->k = left.extent[left.rank - 1];
  b.emit(op, exec).extra = std::move(payload);
  return success();
}

} // namespace

void registerDotOps(OpTable &table) { table.add<tile::DotOp>(lowerDot); }

} // namespace tessera::ir::interp
