//===- SimTest.cpp - run LLVM text on the simulated GPU -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/Sim/SimTest.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

namespace tessera::ir::sim {

const char *const kDeclarations = R"(
@tessera.shared = external addrspace(3) global [0 x i8], align 16
declare i32 @tessera.gpu.thread_id()
declare i32 @tessera.gpu.lane_id()
declare i32 @tessera.gpu.warp_id()
declare i32 @tessera.gpu.block_id.x()
declare i32 @tessera.gpu.num_blocks.x()
declare void @tessera.gpu.barrier()
declare void @tessera.gpu.cluster_barrier()
declare void @tessera.gpu.named_barrier(i32, i32)
declare void @tessera.gpu.warp_sync()
declare void @tessera.gpu.fence.device()
declare i32 @tessera.gpu.shuffle.idx(i32, i32)
declare i32 @tessera.gpu.shuffle.xor(i32, i32)
declare i32 @tessera.gpu.shuffle.up(i32, i32)
declare i32 @tessera.gpu.shuffle.down(i32, i32)
declare i64 @tessera.gpu.ballot(i1)
declare i32 @tessera.gpu.reduce.add(i32)
declare i32 @tessera.gpu.load.i32(ptr addrspace(1), i1, i32, i32)
declare <4 x i32> @tessera.gpu.load.v4i32(ptr addrspace(1), i1, <4 x i32>, i32)
declare void @tessera.gpu.store.i32(ptr addrspace(1), i32, i1, i32)
declare void @tessera.gpu.store.v4i32(ptr addrspace(1), <4 x i32>, i1, i32)
declare void @tessera.gpu.cluster_store.i32(ptr addrspace(3), i32, i32, i1)
declare i32 @tessera.gpu.atomic.add.i32.relaxed.device(ptr addrspace(1), i32, i1)
declare i32 @tessera.gpu.atomic.add.i32.acq_rel.device(ptr addrspace(1), i32, i1)
declare i32 @tessera.gpu.atomic.add.i32.release.device(ptr addrspace(1), i32, i1)
declare i32 @tessera.gpu.atomic.load.i32.acquire.device(ptr addrspace(1), i1)
declare i32 @tessera.gpu.atomic.cas.i32.acq_rel.device(ptr addrspace(1), i32, i32, i1)
)";

std::unique_ptr<Program> decodeText(const std::string &text, std::string &why, const Machine &machine) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(kDeclarations + text, diagnostic, context);
  if (!module) {
    why = "does not parse: " + diagnostic.getMessage().str() + " at " + diagnostic.getLineContents().str();
    return nullptr;
  }
  DecodeError error;
  auto program = decode(*module, "k", machine, error);
  why = error.message();
  return program;
}

std::string Trial::operator()(const std::string &text) {
  std::string why;
  const std::unique_ptr<Program> program = decodeText(text, why, machine);
  if (!program)
    return "refused: " + why;
  std::vector<interp::LiveBuffer> live;
  std::vector<std::uint64_t> addresses;
  std::vector<std::vector<std::uint8_t>> written;
  std::vector<std::pair<std::uint64_t, std::string>> names;
  // Every buffer in memory of its own, aligned and with room around it.
  std::vector<std::unique_ptr<std::byte[]>> memory;
  for (std::vector<std::byte> &buffer : buffers) {
    memory.push_back(std::make_unique<std::byte[]>(buffer.size() + 1024));
    std::uint64_t address = (reinterpret_cast<std::uint64_t>(memory.back().get()) + 511) & ~std::uint64_t(255);
    std::memcpy(reinterpret_cast<void *>(address), buffer.data(), buffer.size());
    addresses.push_back(address);
    written.emplace_back(buffer.size(), areWritten);
    live.push_back({address, buffer.size(), written.back().data(), false, true});
    names.push_back({address, "`b" + std::to_string(names.size()) + "`"});
  }
  if (prepare)
    prepare(addresses);
  std::vector<const void *> arguments;
  for (const std::uint64_t &address : addresses)
    arguments.push_back(&address);
  for (const std::uint64_t &number : numbers)
    arguments.push_back(&number);
  if (arguments.size() != program->parameters.size())
    return "refused: the test gives another number of arguments";
  request.arguments = arguments;
  request.buffers = live;
  request.names = names;
  const interp::Faults faults = run(*program, request);
  for (std::size_t i = 0; i != buffers.size(); ++i)
    std::memcpy(buffers[i].data(), reinterpret_cast<const void *>(addresses[i]), buffers[i].size());
  return faults.text();
}

} // namespace tessera::ir::sim
