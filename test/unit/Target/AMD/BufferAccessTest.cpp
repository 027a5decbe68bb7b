//===- BufferAccessTest.cpp - masked accesses of buffers ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/AMD/Compile.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::test;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

/// A kernel that loads an i32 at \p address, computed from thread %t, arguments %x (a pointer), %n and %l (i32 and i64)
/// and the block %b, if the thread is below %n, and stores it likewise.
std::string copied(const std::string &address, const std::string &other = "0", const std::string &hints = "0") {
  return fmt::format(R"(
declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn
declare i32 @tessera.gpu.block_id.x() memory(none) nounwind willreturn
declare i32 @tessera.gpu.load.i32(ptr addrspace(1), i1, i32, i32) memory(argmem: read) nounwind willreturn
declare void @tessera.gpu.store.i32(ptr addrspace(1), i32, i1, i32) memory(argmem: write) nounwind willreturn
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n, i64 %l) {{
  %t = call i32 @tessera.gpu.thread_id()
  %b = call i32 @tessera.gpu.block_id.x()
  %m = icmp ult i32 %t, %n
  %w = zext i32 %t to i64
{}
  %a = call i32 @tessera.gpu.load.i32(ptr addrspace(1) %p, i1 %m, i32 {}, i32 {})
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %w
  call void @tessera.gpu.store.i32(ptr addrspace(1) %q, i32 %a, i1 %m, i32 0)
  ret void
}}
)",
                     address, other, hints);
}

} // namespace

TEST(AmdBuffers, takeThePlaceOfBranches) {
  for (const arch::Chip *chip : amdChips()) {
    SCOPED_TRACE(chip->name);
    const std::string code = amdAsmOf(copied("  %p = getelementptr i32, ptr addrspace(1) %x, i64 %w"), *chip);
    EXPECT_THAT(code, AllOf(ContainsRegex("buffer_load_(dword|b32)"), ContainsRegex("buffer_store_(dword|b32)"),
                            Not(HasSubstr("cbranch")), Not(ContainsRegex("global_(load|store)"))));
    EXPECT_EQ(countOf(code, "v_cndmask"), 1); // one offset serves both
  }
}

TEST(AmdBuffers, baseIsWhatLanesShareAndConstantsAreParts) {
  const std::string code = amdAsmOf(copied(R"(
  %row = mul i64 %l, 4096
  %r = getelementptr i8, ptr addrspace(1) %x, i64 %row
  %s = getelementptr i32, ptr addrspace(1) %r, i64 %w
  %p = getelementptr i8, ptr addrspace(1) %s, i64 1024)"),
                                    amdChip("gfx942"));
  EXPECT_THAT(code, AllOf(ContainsRegex("buffer_load_dword v[0-9]+, v[0-9]+, s\\[[0-9:]+\\], 0 offen offset:1024"),
                          Not(HasSubstr("cbranch"))));
}

TEST(AmdBuffers, whatIsElsewhereHasItsOwnValue) {
  const std::string code =
      amdAsmOf(copied("  %p = getelementptr i32, ptr addrspace(1) %x, i64 %w", "77"), amdChip("gfx942"));
  EXPECT_THAT(code, AllOf(HasSubstr("buffer_load_dword"), HasSubstr("0x4d"), Not(HasSubstr("cbranch"))));
}

// 2^31 bytes behind the base, before it, or anywhere.
TEST(AmdBuffers, holdNothingThatMayLieFarAway) {
  for (const char *address : {"  %p = getelementptr [67108864 x i32], ptr addrspace(1) %x, i64 %w",
                              "  %d = sub i64 5, %w\n  %p = getelementptr i32, ptr addrspace(1) %x, i64 %d",
                              "  %f = mul i64 %w, %l\n  %p = getelementptr i32, ptr addrspace(1) %x, i64 %f",
                              "  %i = add i32 %t, %n\n  %p = getelementptr i32, ptr addrspace(1) %x, i32 %i"}) {
    SCOPED_TRACE(address);
    EXPECT_THAT(amdAsmOf(copied(address), amdChip("gfx942")),
                AllOf(HasSubstr("global_load_dword"), HasSubstr("cbranch")));
  }
}

TEST(AmdBuffers, baseDiffersInNoLane) {
  const std::string code = amdAsmOf(copied(R"(
  %e = getelementptr ptr addrspace(1), ptr addrspace(1) %x, i64 %w
  %r = load ptr addrspace(1), ptr addrspace(1) %e
  %p = getelementptr i32, ptr addrspace(1) %r, i64 %w)"),
                                    amdChip("gfx942"));
  EXPECT_THAT(code, AllOf(Not(HasSubstr("buffer_load")), Not(HasSubstr("readfirstlane"))));
}

TEST(AmdBuffers, keepHints) {
  const auto load = [](const char *hints) {
    return amdAsmOf(copied("  %p = getelementptr i32, ptr addrspace(1) %x, i64 %w", "0", hints), amdChip("gfx942"));
  };
  EXPECT_THAT(load("0"), Not(ContainsRegex("buffer_load_dword .* nt")));
  EXPECT_THAT(load("3"), ContainsRegex("buffer_load_dword .* nt"));
  EXPECT_THAT(load("4"), AllOf(Not(HasSubstr("buffer_load")), ContainsRegex("global_load_dword .* sc0 sc1")));
}

// An offset that an access of a buffer gave is replaced before it is used.
TEST(AmdBuffers, offsetsMayComeFromBuffers) {
  const std::string code = amdAsmOf(R"(
declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn
declare i8 @tessera.gpu.load.i8(ptr addrspace(1), i1, i8, i32) memory(argmem: read) nounwind willreturn
declare i32 @tessera.gpu.load.i32(ptr addrspace(1), i1, i32, i32) memory(argmem: read) nounwind willreturn
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @tessera.gpu.thread_id()
  %m = icmp ult i32 %t, %n
  %w = zext i32 %t to i64
  %p = getelementptr i8, ptr addrspace(1) %x, i64 %w
  %a = call i8 @tessera.gpu.load.i8(ptr addrspace(1) %p, i1 %m, i8 0, i32 0)
  %i = zext i8 %a to i64
  %q = getelementptr i32, ptr addrspace(1) %x, i64 %i
  %v = call i32 @tessera.gpu.load.i32(ptr addrspace(1) %q, i1 %m, i32 0, i32 0)
  %r = getelementptr i32, ptr addrspace(1) %out, i64 %w
  store i32 %v, ptr addrspace(1) %r
  ret void
}
)",
                                    amdChip("gfx942"));
  EXPECT_THAT(code, AllOf(HasSubstr("buffer_load_ubyte"), HasSubstr("buffer_load_dword"), Not(HasSubstr("cbranch"))));
}
