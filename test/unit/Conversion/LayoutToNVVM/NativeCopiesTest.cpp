//===- NativeCopiesTest.cpp - copies as NVIDIA's instructions ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"
#include "Conversion/LayoutToNVVM/NvidiaHooks.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera::ir;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

/// A kernel of one warp around \p body, which has a view %v of f16 and a buffer %b, as code for \p target; what is
/// wrong with it if it cannot be.
std::string codeOf(const std::string &target, const std::string &body) {
  mlir::DialectRegistry registry;
  registry.insert<tile::TileDialect, layout::LayoutDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string words;
  const mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    words += diagnostic.str();
    return success();
  });
  const std::string text = R"(
#a = #layout.tile<16x64, register = [(0, 1), (0, 2), (0, 4), (4, 0), (8, 0)], lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)]>
#s = #layout.shared<16x64, offsets = [1, 2, 4, 8, 16, 32, 72, 144, 288, 512]>
tile.kernel @k(%x: !tile.ptr<f16>, %m: i64, %n: i64, %ld: i64, %i: i64, %slot: i32, %parity: i1)
    attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64, layout.shared_bytes = 2080 : i64} {
  %one = arith.constant 1 : i64
  %v = tile.make_view %x, [%m, %n], [%ld, %one] : !tile.view<f16, 2>
  %b = layout.shared_alloc offset 0 : !layout.buffer<16x64xf16, #s>
  %f = layout.mbarrier_alloc offset 2048 : !layout.mbarrier<4>
)" + body + "\nlayout.shared_free %b : !layout.buffer<16x64xf16, #s>\ntile.return\n}";
  auto module = mlir::parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "does not parse: " + words;
  const gpu::NvidiaHooks hooks(*tessera::arch::findChip(target));
  mlir::PassManager passes(&context);
  passes.addPass(gpu::createLayoutToLLVMPass({.target = target}, hooks));
  if (failed(passes.run(*module)))
    return words;
  std::string code;
  llvm::raw_string_ostream stream(code);
  module->print(stream);
  return code;
}

const char *const kByThreads =
    "layout.view_async_copy %v[%i, %i] by #a into %b {layout.vector = 8} : !tile.view<f16, 2>, "
    "!layout.buffer<16x64xf16, #s>\nlayout.async_commit\nlayout.async_wait pending 2\n";
const char *const kByBoxes = "layout.tensor_load %v[%i, %i] into %b signals %f[%slot] : !tile.view<f16, 2>, "
                             "!layout.buffer<16x64xf16, #s>, !layout.mbarrier<4>\n";

} // namespace

TEST(NativeCopies, threadsCopySixteenBytes) {
  const std::string code = codeOf("cuda:sm_80", kByThreads);
  EXPECT_THAT(code, HasSubstr("call @tessera.nv.cp.async.cg.shared.global("));
  EXPECT_THAT(code, HasSubstr("call @tessera.nv.cp.async.commit_group()"));
  EXPECT_THAT(code, HasSubstr("call @tessera.nv.cp.async.wait_group("));
  EXPECT_THAT(code, Not(HasSubstr("cp.async.ca")));
}

TEST(NativeCopies, narrowCopiesKeepTheirLine) {
  std::string body = kByThreads;
  body.replace(body.find("vector = 8"), 10, "vector = 2");
  EXPECT_THAT(codeOf("cuda:sm_80", body), HasSubstr("call @tessera.nv.cp.async.ca.shared.global("));
  body.replace(body.find("vector = 2"), 10, "vector = 1");
  EXPECT_THAT(codeOf("cuda:sm_80", body),
              HasSubstr("`layout.view_async_copy` copies 2 bytes at a time; threads can copy 4, 8 or 16"));
}

TEST(NativeCopies, boxesHaveADescriptor) {
  const std::string code = codeOf("cuda:sm_90a", kByBoxes);
  EXPECT_THAT(code, HasSubstr("!llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>}"));
  EXPECT_THAT(code, HasSubstr("tessera.tensor_maps = [{base = 0 : i64"));
  EXPECT_THAT(code, HasSubstr("tessera.requirements = ["));
  EXPECT_THAT(code, HasSubstr("call @tessera.nv.prefetch.tensormap("));
  EXPECT_THAT(code,
              HasSubstr("call @\"tessera.nv.cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
                        "bytes\"("));
}

TEST(NativeCopies, equalBoxesShareADescriptor) {
  const std::string twice = codeOf("cuda:sm_90a", std::string(kByBoxes) + kByBoxes);
  EXPECT_EQ(twice.find("llvm.byval"), twice.rfind("llvm.byval"));
  EXPECT_THAT(twice, HasSubstr("complete_tx::bytes\""));
}

TEST(NativeCopies, hintsArePolicies) {
  std::string body = kByBoxes;
  body.replace(body.find(" :"), 2, " evict first :");
  EXPECT_THAT(codeOf("cuda:sm_90a", body), HasSubstr("complete_tx::bytes.L2::cache_hint"));
  EXPECT_THAT(codeOf("cuda:sm_90a", "layout.tensor_store %b into %v[%i, %i] evict last : "
                                    "!layout.buffer<16x64xf16, #s>, !tile.view<f16, 2>\n"),
              HasSubstr("global.shared::cta.bulk_group.L2::cache_hint"));
}

TEST(NativeCopies, barriersInMemory) {
  const std::string code =
      codeOf("cuda:sm_90a", "layout.mbarrier_init %f count 3 : !layout.mbarrier<4>\n"
                            "layout.mbarrier_arrive %f[%slot] : !layout.mbarrier<4>\n"
                            "layout.mbarrier_expect %f[%slot] bytes 64 : !layout.mbarrier<4>\n"
                            "layout.mbarrier_wait %f[%slot] parity %parity : !layout.mbarrier<4>\n");
  std::size_t made = 0;
  for (std::size_t at = code.find("call @tessera.nv.mbarrier.init"); at != std::string::npos;
       at = code.find("call @tessera.nv.mbarrier.init", at + 1))
    ++made;
  EXPECT_EQ(made, 4u);
  EXPECT_THAT(code, HasSubstr("call @tessera.nv.fence.mbarrier_init.release.cluster()"));
  EXPECT_THAT(code, HasSubstr("call @tessera.nv.mbarrier.arrive.shared.b64("));
  EXPECT_THAT(code, HasSubstr("call @tessera.nv.mbarrier.arrive.expect_tx.shared.b64("));
  EXPECT_THAT(code, AllOf(HasSubstr("scf.while"), HasSubstr("call @tessera.nv.mbarrier.try_wait.parity.shared.b64(")));
}

TEST(NativeCopies, storesAndFences) {
  const std::string code = codeOf(
      "cuda:sm_90a", "layout.proxy_fence shared\nlayout.proxy_fence global\nlayout.proxy_fence all\n"
                     "layout.tensor_store %b into %v[%i, %i] : !layout.buffer<16x64xf16, #s>, !tile.view<f16, 2>\n"
                     "layout.tensor_commit\nlayout.tensor_wait pending 1 read\nlayout.tensor_wait pending 0\n");
  for (const char *word : {"fence.proxy.async.shared::cta\"()", "fence.proxy.async.global()", "fence.proxy.async()",
                           "cp.async.bulk.commit_group()", "cp.async.bulk.wait_group.read(",
                           "cp.async.bulk.wait_group(", "tensor.2d.global.shared::cta.bulk_group\"("})
    EXPECT_THAT(code, HasSubstr(word));
  // Older chips have nothing that such a fence could be about.
  EXPECT_THAT(codeOf("cuda:sm_80", "layout.proxy_fence all\n"), Not(HasSubstr("fence")));
}

TEST(NativeCopies, negative_oldChipsCopyNoBoxes) {
  EXPECT_THAT(codeOf("cuda:sm_80", kByBoxes),
              HasSubstr("`layout.tensor_load` needs a unit that copies boxes; sm_80 has none"));
}

TEST(NativeCopies, negative_whatHasNoDescriptor) {
  std::string body = kByBoxes;
  body = "%w = tile.make_view %x, [%m, %n], [%ld, %ld] : !tile.view<f16, 2>\n" + body.replace(body.find("%v"), 2, "%w");
  EXPECT_THAT(codeOf("cuda:sm_90a", body), HasSubstr("copies what no descriptor can be made for"));
}

TEST(NativeCopies, negative_clusters) {
  std::string body = kByBoxes;
  body.replace(body.find(" :"), 2, " multicast %slot :");
  EXPECT_THAT(codeOf("cuda:sm_90a", body), HasSubstr("goes to several programs of a cluster, which is not emitted"));
  EXPECT_THAT(codeOf("cuda:sm_90a", "layout.mbarrier_arrive %f[%slot] peer %slot : !layout.mbarrier<4>\n"),
              HasSubstr("arrives in another program of a cluster, which is not emitted"));
}
