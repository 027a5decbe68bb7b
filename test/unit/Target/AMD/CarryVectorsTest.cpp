//===- CarryVectorsTest.cpp - vectors that loops carry --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/AMD/Codegen.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

/// \p text once its function `k` carries vectors.
std::string carried(const std::string &text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, diagnostic, context);
  if (!module)
    return "cannot be read: " + diagnostic.getMessage().str();
  ir::amd::carryVectors(*module->getFunction("k"));
  std::string out;
  llvm::raw_string_ostream stream(out);
  if (llvm::verifyModule(*module, &stream))
    return "is wrong: " + out;
  module->print(stream, nullptr);
  return out;
}

/// `{each of 0 to count - 1}`, one behind the other.
template <class Each> std::string lines(int count, Each each) {
  std::string text;
  for (int i = 0; i != count; ++i)
    text += "  " + each(i) + "\n";
  return text;
}

/// A loop that carries four sums, which begin as \p first says, and are a vector in the order \p order for `@multiply`
/// only.
std::string sums(const std::string &first, const std::string &order = "0123") {
  return R"(
declare <4 x float> @multiply(<4 x float>) memory(none)
define void @k(ptr %out, i32 %n, float %x) {
  br label %loop
loop:
  %i = phi i32 [0, %0], [%j, %loop]
)" + lines(4, [&](int e) { return fmt::format("%p{0} = phi float [{1}, %0], [%r{0}, %loop]", e, first); }) +
         lines(4,
               [&](int e) {
                 return fmt::format("%v{} = insertelement <4 x float> {}, float %p{}, i32 {}", e,
                                    e == 0 ? "poison" : fmt::format("%v{}", e - 1), e, order[std::size_t(e)]);
               }) +
         "  %w = call <4 x float> @multiply(<4 x float> %v3)\n" +
         lines(4, [&](int e) { return fmt::format("%r{0} = extractelement <4 x float> %w, i32 {0}", e); }) + R"(
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end
end:
)" + lines(4, [&](int e) { return fmt::format("store volatile float %r{}, ptr %out", e); }) +
         "  ret void\n}\n";
}

/// The text from label \p name to the next one.
std::string blockOf(const std::string &text, const std::string &name) {
  const std::size_t begin = text.find("\n" + name + ":");
  return begin == std::string::npos ? std::string() : text.substr(begin, text.find("\n\n", begin) - begin);
}

} // namespace

TEST(AmdCarryVectors, sumsAreOneVector) {
  for (const char *first : {"0.0", "%x"}) {
    const std::string code = carried(sums(first)), loop = blockOf(code, "loop");
    EXPECT_THAT(loop, AllOf(ContainsRegex("phi <4 x float> .*\\[ %w, %loop \\]"), Not(HasSubstr("phi float")),
                            Not(HasSubstr("insertelement")), Not(HasSubstr("extractelement"))));
    // What follows takes elements out where it uses them.
    EXPECT_THAT(blockOf(code, "end"), ContainsRegex("extractelement <4 x float> %w, i(32|64) 3"));
  }
  EXPECT_THAT(carried(sums("0.0")), ContainsRegex("phi <4 x float> \\[ zeroinitializer, %0 \\]"));
}

// The vector that comes round is not the one that is made: elements change places.
TEST(AmdCarryVectors, elementsKeepTheirPlaces) {
  const std::string loop = blockOf(carried(sums("0.0", "1032")), "loop");
  EXPECT_THAT(loop, AllOf(ContainsRegex("phi <4 x float> .*\\[ %w, %loop \\]"), Not(HasSubstr("phi float"))));
  EXPECT_THAT(
      loop, AllOf(ContainsRegex("%v3 = insertelement <4 x float> .*, i32 2"), HasSubstr("@multiply(<4 x float> %v3)")));
}

// Halves that come out of a vector in one of several blocks, and are never one again.
TEST(AmdCarryVectors, partsOfAVectorStayInIt) {
  const std::string code = carried(R"(
define void @k(ptr %x, ptr %out, i32 %n, i1 %c) {
  br label %loop
loop:
  %i = phi i32 [0, %0], [%j, %next]
)" + lines(4, [](int e) { return fmt::format("%p{0} = phi i16 [0, %0], [%q{0}, %next]", e); }) +
                                   R"(
  br i1 %c, label %load, label %next
load:
  %w = load volatile <4 x i16>, ptr %x
)" + lines(4, [](int e) { return fmt::format("%r{0} = extractelement <4 x i16> %w, i32 {0}", e); }) +
                                   R"(
  br label %next
next:
)" + lines(4, [](int e) { return fmt::format("%q{0} = phi i16 [%r{0}, %load], [%p{0}, %loop]", e); }) +
                                   R"(
  %s = add i16 %p0, %p3
  store i16 %s, ptr %out
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
)");
  EXPECT_THAT(code, AllOf(ContainsRegex("phi <4 x i16>"), Not(HasSubstr("phi i16")), Not(HasSubstr("insertelement"))));
}

TEST(AmdCarryVectors, whatIsNoVectorStays) {
  const std::string code = carried(R"(
define void @k(ptr %out, i32 %n, float %x) {
  br label %loop
loop:
  %i = phi i32 [0, %0], [%j, %loop]
  %p = phi float [0.0, %0], [%r, %loop]
  %q = phi float [1.0, %0], [%s, %loop]
  %r = fadd float %p, %x
  %s = fmul float %q, %x
  %v = insertelement <2 x float> poison, float %p, i32 0
  %w = insertelement <2 x float> %v, float %q, i32 1
  store <2 x float> %w, ptr %out
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
)");
  EXPECT_THAT(code, AllOf(HasSubstr("%p = phi float"), HasSubstr("%q = phi float"), Not(HasSubstr("phi <2"))));
}
