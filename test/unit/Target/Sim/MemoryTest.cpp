//===- MemoryTest.cpp - accesses that the simulated GPU refuses -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/Sim/SimTest.h"

namespace tessera::ir::sim {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

/// 32 threads over one buffer of 32 i32, with 256 bytes of shared memory.
struct Memory : Trial {
  Memory() {
    request.sharedBytes = 256;
    buffer(std::vector<std::int32_t>(32, 5));
  }
  std::string body(const std::string &text) {
    return (*this)("define void @k(ptr addrspace(1) %x) {\n  %t = call i32 @tessera.gpu.thread_id()\n" + text +
                   "  ret void\n}\n");
  }
};

TEST(SimMemory, maskedAccesses) {
  Memory m;
  EXPECT_EQ(m.body(R"(
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %t
  %in = icmp ult i32 %t, 16
  %far = getelementptr i32, ptr addrspace(1) %p, i32 1000
  %a = select i1 %in, ptr addrspace(1) %p, ptr addrspace(1) %far
  %v = call i32 @tessera.gpu.load.i32(ptr addrspace(1) %a, i1 %in, i32 9, i32 0)
  %w = add i32 %v, 1
  call void @tessera.gpu.warp_sync()
  call void @tessera.gpu.store.i32(ptr addrspace(1) %p, i32 %w, i1 true, i32 0)
)"),
            "");
  EXPECT_EQ(m.values<std::int32_t>(0)[0], 6);
  EXPECT_EQ(m.values<std::int32_t>(0)[16], 10);
}

TEST(SimMemory, vectorAccesses) {
  Memory m;
  EXPECT_EQ(m.body(R"(
  %few = icmp ult i32 %t, 8
  %i = mul i32 %t, 4
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %i
  %v = insertelement <4 x i32> zeroinitializer, i32 %t, i32 2
  call void @tessera.gpu.store.v4i32(ptr addrspace(1) %p, <4 x i32> %v, i1 %few, i32 0)
)"),
            "");
  EXPECT_EQ(m.values<std::int32_t>(0)[4 * 7 + 2], 7);
}

TEST(SimMemory, outOfBounds) {
  Memory m;
  EXPECT_THAT(m.body("  %i = add i32 %t, 1\n  %p = getelementptr i32, ptr addrspace(1) %x, i32 %i\n"
                     "  %v = load i32, ptr addrspace(1) %p\n"),
              AllOf(HasSubstr("`load` reads 4 bytes at"), HasSubstr("0 bytes behind buffer `b0` of 128 bytes"),
                    HasSubstr("in program (0, 0, 0), thread 31")));
  EXPECT_THAT(m.body("  %p = getelementptr i32, ptr addrspace(1) %x, i32 -1\n  store i32 0, ptr addrspace(1) %p\n"),
              HasSubstr("`store` writes 4 bytes at"));
  EXPECT_THAT(m.body("  %v = load i32, ptr addrspace(1) null\n"), HasSubstr("not near any buffer"));
}

TEST(SimMemory, misaligned) {
  Memory m;
  EXPECT_THAT(m.body("  %p = getelementptr i8, ptr addrspace(1) %x, i32 2\n  %v = load i32, ptr addrspace(1) %p\n"),
              HasSubstr("which is not a multiple of 4"));
  EXPECT_THAT(
      m.body("  %p = getelementptr i8, ptr addrspace(1) %x, i32 8\n"
             "  %v = call <4 x i32> @tessera.gpu.load.v4i32(ptr addrspace(1) %p, i1 true, <4 x i32> poison, i32 0)\n"),
      HasSubstr("which is not a multiple of 16"));
}

TEST(SimMemory, wrongMemory) {
  Memory m;
  EXPECT_THAT(m.body("  %p = addrspacecast ptr addrspace(3) @tessera.shared to ptr addrspace(1)\n"
                     "  store i32 0, ptr addrspace(1) %p\n"),
              HasSubstr("writes global memory through a pointer to shared memory"));
  EXPECT_THAT(m.body("  %p = addrspacecast ptr addrspace(1) %x to ptr addrspace(3)\n"
                     "  store i32 0, ptr addrspace(3) %p\n"),
              HasSubstr("writes shared memory through address"));
}

TEST(SimMemory, neverWritten) {
  Memory m;
  m.areWritten = false;
  EXPECT_THAT(m.body("  %p = getelementptr i32, ptr addrspace(1) %x, i32 %t\n  %v = load i32, ptr addrspace(1) %p\n"),
              HasSubstr("reads byte 0 of buffer `b0`, which was never written"));
  EXPECT_EQ(m.body("  %p = getelementptr i32, ptr addrspace(1) %x, i32 %t\n  store i32 1, ptr addrspace(1) %p\n"
                   "  %v = load i32, ptr addrspace(1) %p\n"),
            "");
}

TEST(SimMemory, tablesAreReadOnly) {
  Memory m;
  EXPECT_THAT(m("@table = private constant [1 x i32] [i32 10]\ndefine void @k(ptr addrspace(1) %x) {\n"
                "  store i32 1, ptr @table\n  ret void\n}\n"),
              HasSubstr("`store` writes to a buffer, which is read-only"));
}

TEST(SimMemory, shared) {
  Memory m;
  EXPECT_EQ(m.body("  %p = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 %t\n"
                   "  store i32 %t, ptr addrspace(3) %p\n  %v = load i32, ptr addrspace(3) %p\n"),
            "");
  EXPECT_THAT(m.body("  %p = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 %t\n"
                     "  %v = load i32, ptr addrspace(3) %p\n"),
              HasSubstr("reads shared memory at 0, which was never written"));
  EXPECT_THAT(m.body("  %i = add i32 %t, 33\n  %p = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 %i\n"
                     "  store i32 %t, ptr addrspace(3) %p\n"),
              HasSubstr("writes 4 bytes at 256 of shared memory, which has 256"));
  EXPECT_THAT(m.body("  store i32 0, ptr addrspace(3) null\n"), HasSubstr("which is not there"));
}

TEST(SimMemory, sharedIsFreshInEveryBlock) {
  Memory m;
  m.request.grid = {2, 1, 1};
  EXPECT_THAT(m.body(R"(
  %b = call i32 @tessera.gpu.block_id.x()
  %c = icmp eq i32 %b, 0
  %p = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 %t
  br i1 %c, label %w, label %r
w:
  store i32 1, ptr addrspace(3) %p
  br label %r
r:
  %v = load i32, ptr addrspace(3) %p
)"),
              HasSubstr("in program (1, 0, 0)"));
}

TEST(SimMemory, atomicsCountEveryLane) {
  Memory m;
  m.request.grid = {3, 1, 1};
  EXPECT_EQ(m.body("  %c = icmp ne i32 %t, 4\n"
                   "  %o = call i32 @tessera.gpu.atomic.add.i32.relaxed.device(ptr addrspace(1) %x, i32 2, i1 %c)\n"),
            "");
  EXPECT_EQ(m.values<std::int32_t>(0)[0], 5 + 3 * 31 * 2);
}

TEST(SimMemory, compareAndSwap) {
  Memory m;
  EXPECT_EQ(
      m.body(
          "  %o = call i32 @tessera.gpu.atomic.cas.i32.acq_rel.device(ptr addrspace(1) %x, i32 5, i32 7, i1 true)\n"),
      "");
  EXPECT_EQ(m.values<std::int32_t>(0)[0], 7);
}

TEST(SimMemory, faultsNameTheLine) {
  Memory m;
  EXPECT_THAT(m("define void @k(ptr addrspace(1) %x) !dbg !4 {\n  %v = load i64, ptr addrspace(1) null, !dbg !5\n"
                "  ret void\n}\n"
                "!llvm.module.flags = !{!0}\n!llvm.dbg.cu = !{!1}\n!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
                "!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: LineTablesOnly)\n"
                "!2 = !DIFile(filename: \"kernel.cpp\", directory: \"/\")\n!3 = !DISubroutineType(types: !{})\n"
                "!4 = distinct !DISubprogram(name: \"k\", file: !2, line: 1, type: !3, unit: !1, spFlags: "
                "DISPFlagDefinition)\n!5 = !DILocation(line: 12, column: 8, scope: !4)\n"),
              HasSubstr("kernel.cpp:12:8 `load` reads 8 bytes at 0x0"));
}

} // namespace
} // namespace tessera::ir::sim
