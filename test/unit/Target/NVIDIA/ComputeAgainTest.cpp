//===- ComputeAgainTest.cpp - halves wait, and not what comes of them -----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/NVIDIA/Compile.h"

#include <gtest/gtest.h>

#include <string_view>

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr int kWords = 16, kElements = 2 * kWords;

void replaceAll(std::string &text, char mark, const std::string &by) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += by.size())
    text.replace(at, 1, by);
}

/// \p line for each word, whose number stands for #; with ~ for each half of it, which a letter stands for, and ^ for
/// its offset.
std::string repeated(const std::string &line) {
  std::string text;
  for (int i = 0; i != kWords; ++i)
    for (int half = 0; half != (line.find('~') == std::string::npos ? 1 : 2); ++half) {
      std::string each = line;
      replaceAll(each, '#', std::to_string(i));
      replaceAll(each, '~', half ? "u" : "l");
      replaceAll(each, '^', half ? "4" : "0");
      text += each;
    }
  return text;
}

const std::string kWordsOfHalves = "%p# = getelementptr i8, ptr addrspace(1) %x, i64 #00\n"
                                   "%w# = load i32, ptr addrspace(1) %p#, align 4\n"
                                   "%b#l = trunc i32 %w# to i16\n%s# = lshr i32 %w#, 16\n%b#u = trunc i32 %s# to i16\n"
                                   "%h#l = bitcast i16 %b#l to half\n%h#u = bitcast i16 %b#u to half\n";
const std::string kHalves = "%p#~ = getelementptr i8, ptr addrspace(1) %x, i64 #0^\n"
                            "%h#~ = load half, ptr addrspace(1) %p#~, align 2\n";
const std::string kExponential = "%d#~ = fsub float %f#~, %m\n"
                                 "%e#~ = call float @tessera.nv.ex2.approx.ftz.f32(float %d#~)\n";

/// A row of halves that \p load gives, of which \p make makes numbers that are stored for others; after the threads
/// have met, they are multiplied with what one of them stored.
std::string kernelWith(const std::string &load, const std::string &make) {
  return "declare void @tessera.gpu.barrier() convergent\n"
         "declare float @tessera.nv.ex2.approx.ftz.f32(float) memory(none)\n"
         "@tessera.shared = external addrspace(3) global [0 x i8], align 16\n"
         "define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, float %m) {\n" +
         repeated(load) + repeated("%f#~ = fpext half %h#~ to float\n" + make) +
         repeated("store float %e#~, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tessera.shared, i64 #0^)"
                  ", align 4\n") +
         "call void @tessera.gpu.barrier()\n%s = load float, ptr addrspace(3) @tessera.shared, align 4\n" +
         repeated("%r#~ = fmul float %e#~, %s\n") +
         repeated("%q#~ = getelementptr i8, ptr addrspace(1) %y, i64 #0^\n"
                  "store float %r#~, ptr addrspace(1) %q#~, align 4\n") +
         "ret void\n}\n";
}

int countOf(std::string_view text, std::string_view words) {
  int count = 0;
  for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1))
    ++count;
  return count;
}

std::string ptxWith(const std::string &load, const std::string &make, std::uint32_t threads) {
  return ptxOf(kernelWith(load, make), nvidiaChip("sm_90a"), {.entry = "k", .threads = threads});
}

} // namespace

// 1024 threads that hold 32 floats each are alone; with 16 words of halves there are two such blocks.
TEST(NvidiaComputeAgain, whereASecondBlockFits) {
  const std::string ptx = ptxWith(kWordsOfHalves, kExponential, 1024);
  EXPECT_EQ(countOf(ptx, "ex2.approx.ftz.f32"), 2 * kElements) << ptx;
  EXPECT_EQ(countOf(ptx, ".minnctapersm 2"), 1) << ptx;
}

// A result is made where it is stored, so that few are there at once.
TEST(NvidiaComputeAgain, oneByOne) {
  const std::string ptx = ptxWith(kWordsOfHalves, kExponential, 1024);
  const std::string_view after = std::string_view(ptx).substr(ptx.find("bar.sync"));
  const std::string_view untilStore = after.substr(0, after.find("st.global"));
  EXPECT_EQ(countOf(untilStore, "ex2.approx.ftz.f32"), 1) << ptx;
}

TEST(NvidiaComputeAgain, notWhereTwoBlocksFitAnyway) {
  EXPECT_EQ(countOf(ptxWith(kWordsOfHalves, kExponential, 512), "ex2.approx.ftz.f32"), kElements);
}

// A half that was loaded alone has a register of its own.
TEST(NvidiaComputeAgain, notWhereHalvesAreAlone) {
  EXPECT_EQ(countOf(ptxWith(kHalves, kExponential, 1024), "ex2.approx.ftz.f32"), kElements);
}

// What takes many instructions waits.
TEST(NvidiaComputeAgain, notWhatIsDear) {
  std::string make = "%a#~_0 = fsub float %f#~, %m\n";
  for (int i = 0; i != 8; ++i)
    make += "%a#~_" + std::to_string(i + 1) + " = call float @tessera.nv.ex2.approx.ftz.f32(float %a#~_" +
            std::to_string(i) + ")\n";
  make += "%e#~ = fadd float %a#~_8, %m\n";
  EXPECT_EQ(countOf(ptxWith(kWordsOfHalves, make, 1024), "ex2.approx.ftz.f32"), 8 * kElements);
}
