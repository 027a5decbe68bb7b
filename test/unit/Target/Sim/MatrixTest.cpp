//===- MatrixTest.cpp - matrix instructions of the simulated GPU ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/Sim/SimTest.h"

#include <fmt/format.h>

namespace tessera::ir::sim {
namespace {

using testing::Each;
using testing::HasSubstr;

/// f16 of a small whole number.
std::uint16_t half(int x) {
  if (x == 0)
    return 0;
  const unsigned sign = x < 0 ? 0x8000 : 0;
  unsigned magnitude = static_cast<unsigned>(x < 0 ? -x : x), exponent = 15 + 10;
  while (!(magnitude >> 10)) {
    magnitude <<= 1;
    --exponent;
  }
  return static_cast<std::uint16_t>(sign | exponent << 10 | (magnitude & 0x3ff));
}

/// A kernel that loads fragments of A (16 x 16, by rows) and B (8 x 16, by columns of B), multiplies and stores D.
std::string product() {
  std::string text = R"(
declare { float, float, float, float } @tessera.nv.mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32({ i32, i32, i32, i32 }, { i32, i32 }, { float, float, float, float })
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %d) {
  %l = call i32 @tessera.gpu.lane_id()
  %g = lshr i32 %l, 2
  %t = and i32 %l, 3
  %t2 = shl i32 %t, 1
)";
  for (int r = 0; r != 4; ++r)
    text +=
        fmt::format("  %ar{0} = add i32 %g, {1}\n  %am{0} = mul i32 %ar{0}, 16\n  %ac{0} = add i32 %t2, {2}\n"
                    "  %ai{0} = add i32 %am{0}, %ac{0}\n  %ap{0} = getelementptr i16, ptr addrspace(1) %a, i32 %ai{0}\n"
                    "  %av{0} = load i32, ptr addrspace(1) %ap{0}\n"
                    "  %as{0} = insertvalue {{ i32, i32, i32, i32 }} {3}, i32 %av{0}, {0}\n",
                    r, 8 * (r & 1), 8 * (r >> 1), r ? fmt::format("%as{}", r - 1) : "poison");
  for (int r = 0; r != 2; ++r)
    text += fmt::format("  %bm{0} = mul i32 %g, 16\n  %bc{0} = add i32 %t2, {1}\n  %bi{0} = add i32 %bm{0}, %bc{0}\n"
                        "  %bp{0} = getelementptr i16, ptr addrspace(1) %b, i32 %bi{0}\n"
                        "  %bv{0} = load i32, ptr addrspace(1) %bp{0}\n"
                        "  %bs{0} = insertvalue {{ i32, i32 }} {2}, i32 %bv{0}, {0}\n",
                        r, 8 * r, r ? "%bs0" : "poison");
  text += "  %r = call { float, float, float, float } @tessera.nv.mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32("
          "{ i32, i32, i32, i32 } %as3, { i32, i32 } %bs1, { float, float, float, float } zeroinitializer)\n";
  for (int e = 0; e != 4; ++e)
    text += fmt::format(
        "  %dr{0} = add i32 %g, {1}\n  %dm{0} = mul i32 %dr{0}, 8\n  %dc{0} = add i32 %t2, {2}\n"
        "  %di{0} = add i32 %dm{0}, %dc{0}\n  %dp{0} = getelementptr float, ptr addrspace(1) %d, i32 %di{0}\n"
        "  %dv{0} = extractvalue {{ float, float, float, float }} %r, {0}\n"
        "  store float %dv{0}, ptr addrspace(1) %dp{0}\n",
        e, 8 * (e >> 1), e & 1);
  return text + "  ret void\n}\n";
}

/// Whether the product of two matrices of whole numbers comes out.
bool multiplies(Sabotage sabotage) {
  std::vector<std::uint16_t> a(16 * 16), b(8 * 16);
  std::vector<float> expected(16 * 8);
  const auto atA = [](int row, int k) { return (row * 7 + k * 3) % 11 - 5; };
  const auto atB = [](int k, int column) { return (k * 5 + column * 2) % 13 - 6; };
  for (int row = 0; row != 16; ++row)
    for (int k = 0; k != 16; ++k) {
      a[static_cast<std::size_t>(16 * row + k)] = half(atA(row, k));
      for (int column = 0; column != 8; ++column) {
        b[static_cast<std::size_t>(16 * column + k)] = half(atB(k, column));
        expected[static_cast<std::size_t>(8 * row + column)] += static_cast<float>(atA(row, k) * atB(k, column));
      }
    }
  Trial run;
  run.request.sabotage = sabotage;
  run.buffer(a);
  run.buffer(b);
  run.buffer(std::vector<float>(16 * 8));
  EXPECT_EQ(run(product()), "");
  return run.values<float>(2) == expected;
}

TEST(SimMatrix, fragmentsAreThoseOfPtx) { EXPECT_TRUE(multiplies({})); }

TEST(SimMatrix, misorderedFragmentsAreSeen) {
  Sabotage sabotage;
  sabotage.misorderFragment = true;
  EXPECT_FALSE(multiplies(sabotage));
}

TEST(SimMatrix, otherShapes) {
  // All elements 1: every sum is the length of k, plus C.
  const auto product = [](const std::string &opcode, int a, int b, const std::string &one, const std::string &type) {
    const auto group = [](int n, const std::string &of) {
      std::string text = "{ " + of;
      for (int i = 1; i < n; ++i)
        text += ", " + of;
      return text + " }";
    };
    const auto values = [&](int n, const std::string &of) { return group(n, of) + " " + group(n, of + " " + one); };
    const std::string d = group(4, type), c = group(4, type) + " zeroinitializer";
    Trial run;
    run.buffer(std::vector<std::int32_t>(32));
    EXPECT_EQ(run("declare " + d + " @tessera.nv.mma.sync.aligned." + opcode + "(" + group(a, "i32") + ", " +
                  group(b, "i32") + ", " + d + ")\ndefine void @k(ptr addrspace(1) %x) {\n" + "  %r = call " + d +
                  " @tessera.nv.mma.sync.aligned." + opcode + "(" + values(a, "i32") + ", " + values(b, "i32") + ", " +
                  c + ")\n  %v = extractvalue " + d +
                  " %r, 3\n  %l = call i32 @tessera.gpu.lane_id()\n"
                  "  %p = getelementptr i32, ptr addrspace(1) %x, i32 %l\n  store " +
                  type + " %v, ptr addrspace(1) %p\n  ret void\n}\n"),
              "");
    return run.values<std::int32_t>(0);
  };
  EXPECT_THAT(product("m16n8k32.row.col.s32.s8.s8.s32", 4, 2, "16843009", "i32"), Each(32));
  EXPECT_THAT(product("m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, "1065353216", "float"), Each(0x41000000));  // 8.0
  EXPECT_THAT(product("m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 2, "943208504", "float"), Each(0x42000000));  // 32.0
  EXPECT_THAT(product("m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, "1065369472", "float"), Each(0x41800000)); // 16.0
}

TEST(SimMatrix, wrongNumberOfRegistersIsRefused) {
  Trial run;
  const std::string name = "@tessera.nv.mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
  const std::string d = "{ float, float, float, float }";
  EXPECT_THAT(run("declare " + d + " " + name + "({ i32, i32 }, { i32, i32 }, " + d +
                  ")\ndefine void @k() {\n  %r = call " + d + " " + name +
                  "({ i32, i32 } zeroinitializer, { i32, i32 } zeroinitializer, " + d +
                  " zeroinitializer)\n  ret void\n}\n"),
              HasSubstr("it has another number of registers"));
}

/// Every lane stores a row of 8 numbers at 16 times its number and loads matrices from there.
std::string loadMatrix(const std::string &suffix, const std::string &between) {
  return "declare { i32, i32, i32, i32 } @tessera.nv.ldmatrix.sync.aligned.m8n8.x4" + suffix +
         ".shared.b16(ptr addrspace(3))\n"
         "define void @k(ptr addrspace(1) %x) {\n"
         "  %l = call i32 @tessera.gpu.lane_id()\n"
         "  %o = mul i32 %l, 16\n"
         "  %p = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %o\n"
         "  %h = trunc i32 %l to i16\n"
         "  %a = insertelement <8 x i16> poison, i16 %h, i32 0\n"
         "  %b = shufflevector <8 x i16> %a, <8 x i16> poison, <8 x i32> zeroinitializer\n"
         "  %c = shl <8 x i16> %b, splat (i16 8)\n"
         "  %d = or <8 x i16> %c, <i16 0, i16 1, i16 2, i16 3, i16 4, i16 5, i16 6, i16 7>\n"
         "  store <8 x i16> %d, ptr addrspace(3) %p\n" +
         between + "  %r = call { i32, i32, i32, i32 } @tessera.nv.ldmatrix.sync.aligned.m8n8.x4" + suffix +
         ".shared.b16(ptr addrspace(3) %p)\n"
         "  %v = extractvalue { i32, i32, i32, i32 } %r, 1\n"
         "  %q = getelementptr i32, ptr addrspace(1) %x, i32 %l\n"
         "  store i32 %v, ptr addrspace(1) %q\n  ret void\n}\n";
}

TEST(SimMatrix, ldmatrix) {
  Trial run;
  run.request.sharedBytes = 512;
  run.buffer(std::vector<std::uint32_t>(32));
  EXPECT_EQ(run(loadMatrix("", "  call void @tessera.gpu.warp_sync()\n")), "");
  // Lane 6 of matrix 1: row 1, columns 4 and 5.
  EXPECT_EQ(run.values<std::uint32_t>(0)[6], 0x09050904u);
  EXPECT_EQ(run(loadMatrix(".trans", "  call void @tessera.gpu.warp_sync()\n")), "");
  EXPECT_EQ(run.values<std::uint32_t>(0)[6], 0x0d010c01u);
}

TEST(SimMatrix, ldmatrixWithoutAnOrderIsARace) {
  // Lane l's own row is read through lane l's own address: the rows of others need a warp_sync.
  Trial run;
  run.request.sharedBytes = 512;
  run.buffer(std::vector<std::uint32_t>(32));
  std::string text =
      loadMatrix("", "  %m = xor i32 %o, 16\n  %n = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %m\n");
  text.replace(text.rfind("b16(ptr addrspace(3) %p)"), 24, "b16(ptr addrspace(3) %n)");
  EXPECT_THAT(run(text), HasSubstr("lanes of a warp need a warp_sync"));
}

} // namespace
} // namespace tessera::ir::sim
