//===- CompiledBefore.cpp - find kernels that need no compiling -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Driver/CompiledBefore.h"

#include "IRSupport/ModuleHash.h"
#include "Pipeline/Pipeline.h"
#include "Runtime/Cache/KernelCache.h"
#include "Runtime/CodeFacts.h"
#include "Support/BuildId.h"
#include "Support/Options.h"
#include "Support/Version.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include <chrono>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace tessera::ir {

/// This library and the one below it, as they were built: their passes and tables decide the code.
static const std::string &ownIdentity() {
  static const int here = 0;
  static const std::string *const identity =
      new std::string(fmt::format("tessera {} {} {}", support::libraryVersion(), support::buildIdOf(&here),
                                  support::buildIdOf(support::libraryVersion().data())));
  return *identity;
}

/// Prints and checks show the user's lines when they run, and so does a binary with line tables.
static ModuleHash hashProgram(ModuleOp module, const CompileOptions &options) {
  return hashModule(module, [&](Operation *op) {
    return options.line_info || isa<tile::PrintOp>(op) || (options.checks && isa<tile::AssertOp>(op));
  });
}

KernelIdentity identify(const TracedKernel &traced, const VariantKey &variant, const CompileRequest &request,
                        const Backend &backend) {
  KernelIdentity identity;
  identity.arguments = typesText(traced.facts.dtypes, traced.facts.pointers);
  identity.config = traced.config;
  identity.variant = variant.str(traced.facts);
  identity.program = traced.facts.program;
  identity.strides = traced.facts.strides;
  identity.addresses = traced.facts.addresses;
  identity.toolchain = fmt::format("{}, {}", ownIdentity(), backend.toolchain(request.target));

  support::FieldHasher fields;
  fields.add(support::optionKey(request.options))
      .add(request.target.str())
      .add(request.foldGrid ? 1 : 0)
      .add(request.aligned ? 1 : 0)
      .add(identity.toolchain)
      .add(identity.arguments);
  for (const std::string &name : traced.facts.names)
    fields.add(name);
  const ModuleHash program = hashProgram(*traced.module, request.options);
  support::FieldHasher withLines = fields;
  identity.key = fields.add(program.program.hex()).finish();
  identity.contents = withLines.add(program.placed.hex()).finish();
  return identity;
}

namespace {

/// Images by what made them; kernels made over and over, say in a function, are compiled once. Never destroyed.
class ImageCache {
public:
  static ImageCache &get() {
    static ImageCache *const instance = new ImageCache;
    return *instance;
  }
  std::shared_ptr<const rt::Image> find(const support::Hash128 &contents) {
    const std::lock_guard lock(mutex);
    const auto found = images.find(contents);
    return found == images.end() ? nullptr : found->second;
  }
  /// The image kept under \p contents: \p image, unless another thread was faster.
  std::shared_ptr<const rt::Image> insert(const support::Hash128 &contents, std::shared_ptr<const rt::Image> image) {
    const std::lock_guard lock(mutex);
    return images.emplace(contents, std::move(image)).first->second;
  }

private:
  std::mutex mutex;
  std::map<support::Hash128, std::shared_ptr<const rt::Image>> images;
};

} // namespace

/// Whether \p entry has the texts of those \p stages that compiling it again would give.
static bool hasTexts(const rt::CacheEntry &entry, const Backend &backend, ArrayRef<std::string> stages) {
  return llvm::all_of(stages, [&](const std::string &stage) {
    const bool runs =
        stage == kTileStage || llvm::any_of(backend.stages(), [&](const Stage &each) { return each.name == stage; });
    return !runs || entry.text(stage);
  });
}

bool findCompiled(const KernelIdentity &identity, const CompileRequest &request, const Backend &backend,
                  ArrayRef<std::string> stages, CompiledKernel &compiled) {
  compiled.image = ImageCache::get().find(identity.contents);
  if (compiled.image) {
    compiled.origin = "process";
    return true;
  }
  if (!backend.keepsImages())
    return false;
  std::optional<rt::CacheEntry> entry = rt::findKernel(rt::cacheSettings(), identity.key, request.target.str());
  if (!entry || !hasTexts(*entry, backend, stages))
    return false;
  compiled.origin = "cache";
  if (entry->placed != identity.contents) {
    entry->image.setFact(std::string(rt::kSourceFact), "changed since it was compiled");
    if (!entry->notes.empty())
      compiled.notes.emplace_back(rt::kSourceChanged);
  }
  compiled.notes.insert(compiled.notes.end(), entry->notes.begin(), entry->notes.end());
  compiled.image =
      ImageCache::get().insert(identity.contents, std::make_shared<const rt::Image>(std::move(entry->image)));
  return true;
}

rt::CacheEntry entryOf(const CompiledKernel &compiled, const CompileOptions &options) {
  const KernelIdentity &identity = compiled.identity;
  rt::CacheEntry entry;
  entry.key = identity.key;
  entry.placed = identity.contents;
  entry.program = identity.program;
  entry.arguments = identity.arguments;
  entry.strides = identity.strides;
  entry.addresses = identity.addresses;
  entry.config = identity.config;
  entry.options = support::optionKey(options);
  entry.variant = identity.variant;
  entry.toolchain = identity.toolchain;
  entry.stages = compiled.stages;
  entry.notes = compiled.notes;
  entry.image = *compiled.image;
  return entry;
}

void keepCompiled(const KernelIdentity &identity, const CompileRequest &request, const Backend &backend,
                  std::vector<std::pair<std::string, std::string>> texts, CompiledKernel &compiled) {
  if (backend.keepsImages()) {
    rt::CacheEntry entry = entryOf(compiled, request.options);
    entry.made =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    entry.texts = std::move(texts);
    rt::keepKernel(rt::cacheSettings(), entry);
  }
  compiled.image = ImageCache::get().insert(identity.contents, std::move(compiled.image));
}

} // namespace tessera::ir
