//===- tile_parser_fuzzer.cpp - arbitrary text through parser, verifier and canonical form -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Text that parses is valid, prints to text that parses to the same print, in pretty and in generic form, and stays
// valid through canonicalisation, whose result is canonical itself. Everything else must end in a diagnostic. Whatever
// breaks this aborts, which is what the fuzzer looks for.
//
//===---------------------------------------------------------------------===//

#include "token_mutator.h"

#include "IRSupport/TextGuard.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"
#include "tessera-ir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

using namespace mlir;

namespace {

/// Attributes and types are never freed, so that a context is replaced after this many inputs.
constexpr int kInputsPerContext = 512;
std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  registry.insert<tessera::ir::tile::TileDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect>();
  auto context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  context->getDiagEngine().registerHandler([](Diagnostic &) { return success(); });
  return context;
}

std::string print(ModuleOp module, bool generic) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().printGenericOpForm(generic));
  return text;
}

[[noreturn]] void fail(const char *what, const std::string &first, const std::string &second = {}) {
  std::fprintf(stderr, "%s\n--- first\n%s\n--- second\n%s\n", what, first.c_str(), second.c_str());
  std::abort();
}

/// Prints \p module, parses that, and compares the prints.
void checkRoundTrip(ModuleOp module, bool generic) {
  const std::string first = print(module, generic);
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(first, ParserConfig(module.getContext()));
  if (!again)
    fail("a valid module prints to text that does not parse", first);
  const std::string second = print(*again, generic);
  if (first != second)
    fail("a module changes when printed and parsed", first, second);
}

/// Brings \p module into canonical form; false if that refuses what is not of the tile stage.
bool canonicalize(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.enableVerifier(false);
  pm.addPass(tessera::ir::tile::createCanonicalizePass());
  return succeeded(pm.run(module));
}

} // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// Mostly changes whole words; now and then the fuzzer's own bytes.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  if (seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text(reinterpret_cast<const char *>(data), size);
  for (unsigned step = 0; step <= seed % 3; ++step)
    text = tessera::fuzz::mutateTokens(text, seed + step * 7919);
  if (text.empty() || text.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::unique_ptr<MLIRContext> context;
  static int inputs = 0;
  if (inputs++ % kInputsPerContext == 0)
    context = makeContext();

  const std::string text(reinterpret_cast<const char *>(data), size);
  // Names of resources belong to the context: parsing one twice renames it.
  if (tessera::ir::findTextHazard(text) || text.find("dense_resource") != std::string::npos)
    return 0;
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(context.get()));
  if (!module)
    return 0;
  checkRoundTrip(*module, /*generic=*/false);
  checkRoundTrip(*module, /*generic=*/true);

  const std::string before = print(*module, /*generic=*/true);
  if (!canonicalize(*module))
    return 0;
  if (failed(verify(*module)))
    fail("the canonical form of a valid module is not valid", before, print(*module, /*generic=*/true));
  const std::string once = print(*module, /*generic=*/false);
  checkRoundTrip(*module, /*generic=*/false);
  if (!canonicalize(*module) || print(*module, /*generic=*/false) != once)
    fail("the canonical form is not canonical", once, print(*module, /*generic=*/false));
  return 0;
}
