//===- BorderTest.cpp - what becomes of each function of the border -------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Border.h"
#include "unit/Target/Gpu/CallOf.h"
#include "unit/Target/NVIDIA/Compile.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::test;
namespace border = ir::border;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The PTX of \p text on \p chip, assembled where there is ptxas.
std::string lowered(const std::string &text, const arch::Chip &chip) {
  const std::string ptx = ptxOf(text, chip);
  if (ptxas())
    assembled(ptx, chip);
  return ptx;
}

const arch::Chip &hopper() { return nvidiaChip("sm_90a"); }

} // namespace

TEST(NvidiaBorder, numbersOfThreadsAndBlocks) {
  for (const auto &[name, words] : {std::pair("thread_id", "%tid.x"), std::pair("block_id.x", "%ctaid.x"),
                                    std::pair("block_id.y", "%ctaid.y"), std::pair("block_id.z", "%ctaid.z"),
                                    std::pair("num_blocks.x", "%nctaid.x"), std::pair("num_blocks.z", "%nctaid.z")})
    EXPECT_THAT(lowered(callOf(fmt::format("tessera.gpu.{}", name), "i32", ""), hopper()), HasSubstr(words));
  EXPECT_THAT(lowered(callOf("tessera.gpu.lane_id", "i32", ""), hopper()), ContainsRegex("and.b32.*, 31;"));
  EXPECT_THAT(lowered(callOf("tessera.gpu.warp_id", "i32", ""), hopper()), ContainsRegex("shr.u32.*, 5;"));
}

TEST(NvidiaBorder, theOptimiserKnowsHowManyThreadsThereAre) {
  // 128 threads have four warps, and no number of a thread reaches 128.
  const std::string ptx = ptxOf(R"(
declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn
define void @k(ptr addrspace(1) %out) {
  %t = call i32 @tessera.gpu.thread_id()
  %c = icmp ult i32 %t, 128
  %r = select i1 %c, i32 7, i32 9
  store i32 %r, ptr addrspace(1) %out
  ret void
}
)",
                                hopper());
  EXPECT_THAT(ptx, AllOf(Not(HasSubstr("%tid")), ContainsRegex("st.global.b32.*, 7;")));
}

TEST(NvidiaBorder, lanes) {
  const auto shuffle = [](const char *how) {
    return lowered(callOf(fmt::format("tessera.gpu.shuffle.{}", how), "i32", "i32 %i; i32 3", "convergent nounwind"),
                   hopper());
  };
  EXPECT_THAT(shuffle("idx"), ContainsRegex("shfl.sync.idx.b32.*, 3, 31, -1;"));
  EXPECT_THAT(shuffle("xor"), ContainsRegex("shfl.sync.bfly.b32.*, 3, 31, -1;"));
  EXPECT_THAT(shuffle("down"), ContainsRegex("shfl.sync.down.b32.*, 3, 31, -1;"));
  EXPECT_THAT(shuffle("up"), ContainsRegex("shfl.sync.up.b32.*, 3, 0, -1;"));
  EXPECT_THAT(lowered(callOf("tessera.gpu.ballot", "i64", "i1 %m", "convergent nounwind"), hopper()),
              HasSubstr("vote.sync.ballot.b32"));
  for (const auto &[how, words] :
       {std::pair("add", "add.s32"), std::pair("smin", "min.s32"), std::pair("smax", "max.s32"),
        std::pair("umin", "min.u32"), std::pair("umax", "max.u32"), std::pair("and", "and.b32"),
        std::pair("or", "or.b32"), std::pair("xor", "xor.b32")})
    EXPECT_THAT(
        lowered(callOf(fmt::format("tessera.gpu.reduce.{}", how), "i32", "i32 %i", "convergent nounwind"), hopper()),
        HasSubstr(fmt::format("redux.sync.{}", words)));
}

TEST(NvidiaBorder, barriersAndFences) {
  const auto call = [](const char *name, const char *arguments = "") {
    return lowered(callOf(fmt::format("tessera.gpu.{}", name), "void", arguments, "convergent nounwind"), hopper());
  };
  EXPECT_THAT(call("barrier"), ContainsRegex("bar(rier)?(.cta)?.sync(.aligned)?[ \t]+0;"));
  EXPECT_THAT(call("named_barrier", "i32 3; i32 64"), ContainsRegex("bar(rier)?(.cta)?.sync(.aligned)?[ \t]+3, 64;"));
  EXPECT_THAT(call("warp_sync"), HasSubstr("bar.warp.sync"));
  EXPECT_THAT(call("fence.block"), HasSubstr("fence.acq_rel.cta;"));
  EXPECT_THAT(call("fence.device"), HasSubstr("fence.acq_rel.gpu;"));
  EXPECT_THAT(call("fence.system"), HasSubstr("fence.acq_rel.sys;"));
}

TEST(NvidiaBorder, loadsOfEveryWidth) {
  for (const auto &[type, words] :
       {std::pair("i8", ".b8 %rs"), std::pair("i16", ".b16 %rs"), std::pair("i32", ".b32 %r"),
        std::pair("i64", ".b64 %rd"), std::pair("v2i8", ".b16 %rs"), std::pair("v4i8", ".b32 %r"),
        std::pair("v2i16", ".b32 %r"), std::pair("v8i8", ".v2.b32 \\{"), std::pair("v2i32", ".v2.b32 \\{"),
        std::pair("v4i16", ".v2.b32 \\{"), std::pair("v16i8", ".v4.b32 \\{"), std::pair("v8i16", ".v4.b32 \\{"),
        std::pair("v4i32", ".v4.b32 \\{"), std::pair("v2i64", ".v2.b64 \\{")}) {
    const llvm::StringRef name = type;
    const std::string llvmType = name[0] == 'v' ? fmt::format("<{} x {}>", name.slice(1, name.find('i')).str(),
                                                              name.substr(name.find('i')).str())
                                                : name.str();
    EXPECT_THAT(lowered(callOf(fmt::format("tessera.gpu.load.{}", type), llvmType,
                               fmt::format("ptr addrspace(1) %p; i1 %m; {} zeroinitializer; i32 0", llvmType)),
                        hopper()),
                ContainsRegex(fmt::format("@%p[0-9]+ ld.global{}", words)));
    EXPECT_THAT(lowered(callOf(fmt::format("tessera.gpu.shared_load.{}", type), llvmType,
                               fmt::format("ptr addrspace(3) %s; i1 %m; {} zeroinitializer", llvmType)),
                        hopper()),
                ContainsRegex(fmt::format("@%p[0-9]+ ld.shared{}", words)));
    EXPECT_THAT(lowered(callOf(fmt::format("tessera.gpu.store.{}", type), "void",
                               fmt::format("ptr addrspace(1) %p; {} zeroinitializer; i1 %m; i32 0", llvmType)),
                        hopper()),
                ContainsRegex(fmt::format("@%p[0-9]+ st.global{} *\\[", llvm::StringRef(words).rsplit(' ').first)));
  }
}

TEST(NvidiaBorder, widestAccessesDependOnTheChip) {
  const std::string text =
      callOf("tessera.gpu.load.v8i32", "<8 x i32>", "ptr addrspace(1) %p; i1 %m; <8 x i32> zeroinitializer; i32 0");
  EXPECT_THAT(ptxErrorOf(text, hopper()), HasSubstr("`tessera.gpu.load.v8i32`: the chip has no access of 32 bytes"));
  EXPECT_THAT(lowered(text, nvidiaChip("sm_100a")), HasSubstr("ld.global.v8.b32 {"));
  EXPECT_THAT(lowered(text, nvidiaChip("sm_120")), HasSubstr("ld.global.v8.b32 {"));
}

TEST(NvidiaBorder, hintsAreModifiers) {
  const auto load = [](border::Hints hints) {
    return lowered(
        callOf("tessera.gpu.load.i32", "i32", fmt::format("ptr addrspace(1) %p; i1 %m; i32 0; i32 {}", hints.encode())),
        hopper());
  };
  const auto store = [](border::Hints hints) {
    return lowered(callOf("tessera.gpu.store.i32", "void",
                          fmt::format("ptr addrspace(1) %p; i32 %i; i1 %m; i32 {}", hints.encode())),
                   hopper());
  };
  EXPECT_THAT(load({.cache = 1}), HasSubstr("ld.global.ca.b32"));
  EXPECT_THAT(load({.cache = 2}), HasSubstr("ld.global.cg.b32"));
  EXPECT_THAT(load({.cache = 3}), HasSubstr("ld.global.cs.b32"));
  EXPECT_THAT(load({.cache = 4}), HasSubstr("ld.global.cv.b32"));
  EXPECT_THAT(load({.cache = 5}), HasSubstr("ld.global.b32"));
  EXPECT_THAT(load({.evict = 1}), HasSubstr("ld.global.L1::evict_first.b32"));
  EXPECT_THAT(load({.evict = 2}), HasSubstr("ld.global.L1::evict_last.b32"));
  EXPECT_THAT(load({.cache = 2, .evict = 1}), HasSubstr("ld.global.cg.b32"));
  EXPECT_THAT(store({.cache = 1}), HasSubstr("st.global.b32"));
  EXPECT_THAT(store({.cache = 2}), HasSubstr("st.global.cg.b32"));
  EXPECT_THAT(store({.cache = 3}), HasSubstr("st.global.cs.b32"));
  EXPECT_THAT(store({.cache = 4}), HasSubstr("st.global.wt.b32"));
  EXPECT_THAT(store({.cache = 5}), HasSubstr("st.global.wb.b32"));
  EXPECT_THAT(store({.evict = 1}), HasSubstr("st.global.L1::evict_first.b32"));
}

TEST(NvidiaBorder, accessesWithoutMaskAreLLVMsOwn) {
  const std::string ptx = lowered(
      callOf("tessera.gpu.load.v4i32", "<4 x i32>", "ptr addrspace(1) %p; i1 true; <4 x i32> %v; i32 0"), hopper());
  EXPECT_THAT(ptx, AllOf(ContainsRegex("ld.global.v4.b32"), Not(HasSubstr("inline asm"))));
  EXPECT_THAT(
      lowered(callOf("tessera.gpu.volatile_load.i32", "i32", "ptr addrspace(1) %p; i1 true; i32 0; i32 0"), hopper()),
      AllOf(HasSubstr("ld.volatile.global.b32"), Not(HasSubstr("@%p"))));
}

TEST(NvidiaBorder, accessesThatNoLaneMakesAreGone) {
  EXPECT_THAT(lowered(callOf("tessera.gpu.load.i32", "i32", "ptr addrspace(1) %p; i1 false; i32 77; i32 0"), hopper()),
              AllOf(Not(HasSubstr("ld.global")), ContainsRegex("st.global.b32.*, 77;")));
  EXPECT_THAT(lowered(callOf("tessera.gpu.shared_load.i32", "i32", "ptr addrspace(3) %s; i1 false; i32 77"), hopper()),
              Not(HasSubstr("ld.shared")));
  EXPECT_THAT(
      lowered(callOf("tessera.gpu.store.i32", "void", "ptr addrspace(1) %p; i32 %i; i1 false; i32 0"), hopper()),
      Not(HasSubstr("st.global")));
  // An atomic keeps its predicate, which the assembler knows what to do with.
  lowered(callOf("tessera.gpu.atomic.add.i32.relaxed.device", "i32", "ptr addrspace(1) %p; i32 %i; i1 false"),
          hopper());
}

TEST(NvidiaBorder, maskedOffLanesKeepTheOther) {
  EXPECT_THAT(lowered(callOf("tessera.gpu.load.i32", "i32", "ptr addrspace(1) %p; i1 %m; i32 77; i32 0"), hopper()),
              ContainsRegex("mov.b32[ \t]+%r[0-9]+, 77;"));
  // Where nobody looks at it, nothing is set.
  EXPECT_THAT(lowered(callOf("tessera.gpu.load.i32", "i32", "ptr addrspace(1) %p; i1 %m; i32 poison; i32 0"), hopper()),
              Not(ContainsRegex("mov.b32[ \t]+%r[0-9]+, 0;")));
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

TEST(NvidiaBorder, everyAtomicOfEveryChipAssembles) {
  struct Type {
    const char *name, *llvmType, *value;
  };
  static constexpr Type kInts[] = {{"i32", "i32", "%i"}, {"i64", "i64", "%l"}};
  static constexpr Type kFloats[] = {
      {"f16", "half", "%f16"}, {"bf16", "bfloat", "%bf16"}, {"f32", "float", "%f32"}, {"f64", "double", "%f64"}};
  for (const arch::Chip *chip : nvidiaChips()) {
    SCOPED_TRACE(chip->name);
    std::string declarations, calls;
    int number = 0;
    const auto add = [&](const char *op, const Type &type, const char *order) {
      for (const bool shared : {false, true}) {
        const std::string name =
            fmt::format("tessera.gpu.{}atomic.{}.{}.{}.device", shared ? "shared_" : "", op, type.name, order);
        declarations += fmt::format("declare {0} @{1}(ptr addrspace({2}), {0}, i1) nounwind\n", type.llvmType, name,
                                    shared ? 3 : 1);
        const std::string call = fmt::format("call {0} @{1}(ptr addrspace({2}) %{3}, {0} {4}, i1 %m)\n", type.llvmType,
                                             name, shared ? 3 : 1, shared ? "s" : "p", type.value);
        calls += fmt::format("  {0}  %r{1} = {0}  store volatile {2} %r{1}, ptr addrspace(1) %p\n", call, number++,
                             type.llvmType);
      }
    };
    for (const Type &type : kInts)
      for (const char *op : {"add", "smin", "smax", "umin", "umax", "and", "or", "xor", "xchg"})
        add(op, type, "relaxed");
    for (const Type &type : kFloats)
      if (type.name != std::string_view("bf16") || chip->has(arch::Feature::Bf16Atomics))
        add("fadd", type, "acq_rel");
    lowered(fmt::format("@tessera.shared = external addrspace(3) global [4096 x i8], align 16\n{}"
                        "define void @k(ptr addrspace(1) %p, i1 %m, i32 %i, i64 %l, half %f16, bfloat %bf16, "
                        "float %f32, double %f64) {{\n"
                        "  %s = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %i\n{}  ret void\n}}\n",
                        declarations, calls),
            *chip);
  }
  EXPECT_THAT(ptxErrorOf(callOf("tessera.gpu.atomic.fadd.bf16.relaxed.device", "bfloat",
                                "ptr addrspace(1) %p; bfloat %bf16; i1 %m"),
                         nvidiaChip("sm_89")),
              HasSubstr("the chip has no such atomic instruction"));
}

TEST(NvidiaBorder, atomicsHaveOrderAndScope) {
  const auto add = [](const char *order, const char *scope, bool used) {
    return lowered(callOf(fmt::format("tessera.gpu.atomic.add.i32.{}.{}", order, scope), "i32",
                          "ptr addrspace(1) %p; i32 %i; i1 %m", "nounwind", used),
                   hopper());
  };
  EXPECT_THAT(add("relaxed", "block", true), ContainsRegex("@%p[0-9]+ atom.relaxed.cta.global.add.u32 %r"));
  EXPECT_THAT(add("acquire", "device", true), HasSubstr("atom.acquire.gpu.global.add.u32"));
  EXPECT_THAT(add("release", "system", true), HasSubstr("atom.release.sys.global.add.u32"));
  EXPECT_THAT(add("acq_rel", "device", true), HasSubstr("atom.acq_rel.gpu.global.add.u32"));
  // What nobody reads is a reduction, unless it orders what comes behind.
  EXPECT_THAT(add("relaxed", "device", false), HasSubstr("red.relaxed.gpu.global.add.u32 ["));
  EXPECT_THAT(add("release", "device", false), HasSubstr("red.release.gpu.global.add.u32 ["));
  EXPECT_THAT(add("acquire", "device", false), HasSubstr("atom.acquire.gpu.global.add.u32"));
}

TEST(NvidiaBorder, compareAndSwapAndAtomicAccesses) {
  for (const auto &[type, value] : {std::pair("i16", "%h"), std::pair("i32", "%i"), std::pair("i64", "%l")}) {
    const std::string bits = std::string(type).substr(1);
    EXPECT_THAT(lowered(callOf(fmt::format("tessera.gpu.atomic.cas.{}.acq_rel.device", type), type,
                               fmt::format("ptr addrspace(1) %p; {0} {1}; {0} 5; i1 %m", type, value)),
                        hopper()),
                HasSubstr("atom.acq_rel.gpu.global.cas.b" + bits));
    EXPECT_THAT(lowered(callOf(fmt::format("tessera.gpu.shared_atomic.cas.{}.relaxed.block", type), type,
                               fmt::format("ptr addrspace(3) %s; {0} {1}; {0} 5; i1 %m", type, value)),
                        nvidiaChip("sm_80")),
                HasSubstr("atom.relaxed.cta.shared.cas.b" + bits));
  }
  for (const auto &[type, value] :
       {std::pair("i8", "%c"), std::pair("i16", "%h"), std::pair("i32", "%i"), std::pair("i64", "%l")}) {
    const std::string bits = std::string(type).substr(1);
    EXPECT_THAT(lowered(callOf(fmt::format("tessera.gpu.atomic.load.{}.acquire.system", type), type,
                               "ptr addrspace(1) %p; i1 %m"),
                        hopper()),
                HasSubstr("ld.acquire.sys.global.b" + bits));
    EXPECT_THAT(lowered(callOf(fmt::format("tessera.gpu.atomic.store.{}.release.device", type), "void",
                               fmt::format("ptr addrspace(1) %p; {} {}; i1 %m", type, value)),
                        hopper()),
                HasSubstr("st.release.gpu.global.b" + bits));
  }
}

//===----------------------------------------------------------------------===//
// Instructions by name
//===----------------------------------------------------------------------===//

TEST(NvidiaBorder, instructionsByName) {
  EXPECT_THAT(lowered(callOf("tessera.nv.ex2.approx.f32", "float", "float %f32", "memory(none) nounwind"), hopper()),
              ContainsRegex("ex2.approx.f32 %r[0-9]+, %r[0-9]+;"));
  EXPECT_THAT(lowered(callOf("tessera.nv.prmt.b32", "i32", "i32 %i; i32 5; i32 -1", "memory(none) nounwind"), hopper()),
              ContainsRegex("prmt.b32 %r[0-9]+, %r[0-9]+, 5, -1;"));
  EXPECT_THAT(lowered(callOf("tessera.nv.cvt.rn.bf16x2.f32", "i32", "float %f32; float %f32", "memory(none) nounwind"),
                      hopper()),
              ContainsRegex("cvt.rn.bf16x2.f32 %r[0-9]+, %r[0-9]+, %r[0-9]+;"));
  EXPECT_THAT(lowered(callOf("tessera.nv.mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "<4 x float>",
                             "<4 x i32> %v; <2 x i32> zeroinitializer; <4 x float> zeroinitializer",
                             "memory(none) convergent nounwind"),
                      hopper()),
              ContainsRegex("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 \\{[^}]*\\}, \\{[^}]*\\}, \\{"));
  EXPECT_THAT(lowered(callOf("tessera.nv.ldmatrix.sync.aligned.m8n8.x4.shared.b16", "<4 x i32>", "ptr addrspace(3) %s",
                             "convergent nounwind"),
                      hopper()),
              ContainsRegex("ldmatrix.sync.aligned.m8n8.x4.shared.b16 \\{[^}]*\\}, \\[%r[0-9]+\\];"));
  EXPECT_THAT(lowered(callOf("tessera.nv.cp.async.cg.shared.global", "void",
                             "ptr addrspace(3) %s; ptr addrspace(1) %p; i32 16", "nounwind"),
                      hopper()),
              ContainsRegex("cp.async.cg.shared.global \\[%r[0-9]+\\], \\[%rd[0-9]+\\], 16;"));
  EXPECT_THAT(ptxErrorOf(callOf("tessera.nv.strange", "i8", "i8 %c"), hopper()),
              HasSubstr("`tessera.nv.strange`: no registers hold its result"));
  EXPECT_THAT(ptxErrorOf(callOf("tessera.amd.s_nop", "void", ""), hopper()),
              HasSubstr("it is no function of NVIDIA's chips"));
}

TEST(NvidiaBorder, pureInstructionsAreMergedAndDropped) {
  const std::string ptx = lowered(R"(
declare float @tessera.nv.ex2.approx.f32(float) memory(none) nounwind willreturn
define void @k(ptr addrspace(1) %out, float %x) {
  %a = call float @tessera.nv.ex2.approx.f32(float %x)
  %b = call float @tessera.nv.ex2.approx.f32(float %x)
  %c = call float @tessera.nv.ex2.approx.f32(float 1.0)
  %s = fadd float %a, %b
  store float %s, ptr addrspace(1) %out
  ret void
}
)",
                                  hopper());
  const llvm::StringRef text = ptx;
  EXPECT_EQ(text.count("ex2.approx.f32"), 1u) << ptx;
}

TEST(NvidiaBorder, copiesByThreads) {
  for (const char *name : {"sm_80", "sm_90a"}) {
    const std::string ptx = lowered(R"(
@tessera.shared = external addrspace(3) global [4096 x i8], align 16
declare void @tessera.nv.cp.async.cg.shared.global(ptr addrspace(3), ptr addrspace(1), i32, i32) convergent nounwind
declare void @tessera.nv.cp.async.ca.shared.global(ptr addrspace(3), ptr addrspace(1), i32) convergent nounwind
declare void @tessera.nv.cp.async.commit_group() convergent nounwind
declare void @tessera.nv.cp.async.wait_group(i32) convergent nounwind
define void @k(ptr addrspace(1) %p, i1 %m) {
  %bytes = select i1 %m, i32 16, i32 0
  call void @tessera.nv.cp.async.cg.shared.global(ptr addrspace(3) @tessera.shared, ptr addrspace(1) %p, i32 16, i32 %bytes)
  call void @tessera.nv.cp.async.ca.shared.global(ptr addrspace(3) @tessera.shared, ptr addrspace(1) %p, i32 8)
  call void @tessera.nv.cp.async.commit_group()
  call void @tessera.nv.cp.async.wait_group(i32 1)
  ret void
}
)",
                                    nvidiaChip(name));
    EXPECT_THAT(ptx, ContainsRegex("cp.async.cg.shared.global \\[[^]]*\\], \\[%rd[0-9]+\\], 16, %r[0-9]+;"));
    EXPECT_THAT(ptx, ContainsRegex("cp.async.ca.shared.global \\[[^]]*\\], \\[%rd[0-9]+\\], 8;"));
    EXPECT_THAT(ptx, AllOf(HasSubstr("cp.async.commit_group;"), HasSubstr("cp.async.wait_group 1;")));
  }
}

TEST(NvidiaBorder, clustersShareMemory) {
  const std::string text = R"(
@tessera.shared = external addrspace(3) global [4096 x i8], align 16
declare void @tessera.gpu.cluster_barrier() convergent nounwind
declare void @tessera.gpu.cluster_store.v4i32(ptr addrspace(3), i32, <4 x i32>, i1) nounwind
declare void @tessera.gpu.cluster_store.i16(ptr addrspace(3), i32, i16, i1) nounwind
define void @k(i32 %b, <4 x i32> %v, i16 %h, i1 %m) {
  call void @tessera.gpu.cluster_barrier()
  call void @tessera.gpu.cluster_store.v4i32(ptr addrspace(3) @tessera.shared, i32 %b, <4 x i32> %v, i1 %m)
  call void @tessera.gpu.cluster_store.i16(ptr addrspace(3) @tessera.shared, i32 1, i16 %h, i1 true)
  call void @tessera.gpu.cluster_store.i16(ptr addrspace(3) @tessera.shared, i32 2, i16 %h, i1 false)
  call void @tessera.gpu.cluster_barrier()
  ret void
}
)";
  const std::string ptx = lowered(text, hopper());
  EXPECT_THAT(ptx, ContainsRegex("barrier.cluster.arrive.aligned;"));
  EXPECT_THAT(ptx, ContainsRegex("barrier.cluster.wait.aligned;"));
  EXPECT_THAT(ptx, ContainsRegex("mapa.shared::cluster.u32[ \t]+%r[0-9]+, "));
  EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ st.shared::cluster.v4.b32 \\[%r[0-9]+\\], \\{"));
  EXPECT_THAT(ptx, HasSubstr("\n\tst.shared::cluster.b16 [%r"));
  EXPECT_THAT(ptx, Not(HasSubstr(", 2;")));
}

TEST(NvidiaBorder, copiesOfBoxes) {
  const std::string ptx = lowered(R"(
@tessera.shared = external addrspace(3) global [4096 x i8], align 16
declare void @tessera.nv.prefetch.tensormap(ptr) convergent nounwind
declare void @"tessera.nv.cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"(ptr addrspace(3), ptr, i32, i32, ptr addrspace(3)) convergent nounwind
declare void @"tessera.nv.cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"(ptr addrspace(3), ptr, i32, i32, i32, ptr addrspace(3), i64) convergent nounwind
declare void @"tessera.nv.cp.async.bulk.tensor.1d.global.shared::cta.bulk_group"(ptr, i32, ptr addrspace(3)) convergent nounwind
declare void @tessera.nv.cp.async.bulk.commit_group() convergent nounwind
declare void @tessera.nv.cp.async.bulk.wait_group.read(i32) convergent nounwind
declare void @tessera.nv.cp.async.bulk.wait_group(i32) convergent nounwind
declare void @tessera.nv.mbarrier.init.shared.b64(ptr addrspace(3), i32) convergent nounwind
declare void @tessera.nv.fence.mbarrier_init.release.cluster() convergent nounwind
declare i64 @tessera.nv.mbarrier.arrive.shared.b64(ptr addrspace(3)) convergent nounwind
declare i64 @tessera.nv.mbarrier.arrive.expect_tx.shared.b64(ptr addrspace(3), i32) convergent nounwind
declare i1 @tessera.nv.mbarrier.try_wait.parity.shared.b64(ptr addrspace(3), i32) convergent nounwind
declare void @tessera.nv.fence.proxy.async() convergent nounwind
declare void @tessera.nv.fence.proxy.async.global() convergent nounwind
declare void @"tessera.nv.fence.proxy.async.shared::cta"() convergent nounwind
define void @k(i32 %x, ptr byval([128 x i8]) align 64 %map) {
  %bar = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 2048
  call void @tessera.nv.prefetch.tensormap(ptr %map)
  call void @tessera.nv.mbarrier.init.shared.b64(ptr addrspace(3) %bar, i32 1)
  call void @tessera.nv.fence.mbarrier_init.release.cluster()
  %s = call i64 @tessera.nv.mbarrier.arrive.shared.b64(ptr addrspace(3) %bar)
  %t = call i64 @tessera.nv.mbarrier.arrive.expect_tx.shared.b64(ptr addrspace(3) %bar, i32 64)
  call void @"tessera.nv.cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"(ptr addrspace(3) @tessera.shared, ptr %map, i32 %x, i32 7, ptr addrspace(3) %bar)
  call void @"tessera.nv.cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"(ptr addrspace(3) @tessera.shared, ptr %map, i32 %x, i32 %x, i32 0, ptr addrspace(3) %bar, i64 1508001719398105088)
  br label %spin
spin:
  %d = call i1 @tessera.nv.mbarrier.try_wait.parity.shared.b64(ptr addrspace(3) %bar, i32 0)
  br i1 %d, label %go, label %spin
go:
  call void @tessera.nv.fence.proxy.async()
  call void @tessera.nv.fence.proxy.async.global()
  call void @"tessera.nv.fence.proxy.async.shared::cta"()
  call void @"tessera.nv.cp.async.bulk.tensor.1d.global.shared::cta.bulk_group"(ptr %map, i32 %x, ptr addrspace(3) @tessera.shared)
  call void @tessera.nv.cp.async.bulk.commit_group()
  call void @tessera.nv.cp.async.bulk.wait_group.read(i32 1)
  call void @tessera.nv.cp.async.bulk.wait_group(i32 0)
  ret void
}
)",
                                  hopper());
  // The descriptor stays where the launch puts it.
  EXPECT_THAT(ptx, ContainsRegex(".param .align 64 .b8 k_param_1\\[128\\]"));
  EXPECT_THAT(ptx, Not(HasSubstr(".local")));
  EXPECT_THAT(ptx, ContainsRegex("prefetch.tensormap \\[%rd[0-9]+\\];"));
  EXPECT_THAT(ptx, ContainsRegex("complete_tx::bytes \\[[^]]*\\], \\[%rd[0-9]+, \\{%r[0-9]+, %r[0-9]+\\}\\], \\["));
  EXPECT_THAT(ptx, ContainsRegex("L2::cache_hint \\[[^]]*\\], \\[%rd[0-9]+, \\{[^}]*\\}\\], \\[[^]]*\\], %rd[0-9]+;"));
  EXPECT_THAT(ptx, ContainsRegex("bulk_group \\[%rd[0-9]+, \\{%r[0-9]+\\}\\], \\["));
  EXPECT_THAT(ptx, ContainsRegex("mbarrier.try_wait.parity.shared.b64 %p[0-9]+, \\["));
}
