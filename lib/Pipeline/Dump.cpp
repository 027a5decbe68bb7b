//===- Dump.cpp - show the program after each stage -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Pipeline/Dump.h"

#include "Support/Environment.h"
#include "Support/Files.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace tessera::ir {

using support::Variable;

std::string printModule(ModuleOp module, bool locations) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::OpPrintingFlags flags;
  flags.printNameLocAsPrefix().useLocalScope();
  if (locations)
    flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/true);
  module->print(stream, flags);
  stream << '\n';
  return text;
}

Dump Dump::fromEnvironment(ArrayRef<StringRef> stages, std::string title, std::string stem) {
  Dump dump;
  for (const std::string &name : support::environmentList(Variable::Dump)) {
    if (name == "all")
      dump.all = true;
    else if (name == "passes")
      dump.passes = true;
    else if (llvm::is_contained(stages, name))
      dump.names.push_back(name);
    else
      throw UsageError(fmt::format("TESSERA_DUMP names `{}`; it takes a list of: all, passes, {}", name,
                                   fmt::join(std::vector<std::string>(stages.begin(), stages.end()), ", ")));
  }
  for (const std::string &name : support::environmentList(Variable::CacheKeep)) {
    if (!llvm::is_contained(stages, name))
      throw UsageError(fmt::format("TESSERA_CACHE_KEEP names `{}`; it takes a list of: {}", name,
                                   fmt::join(std::vector<std::string>(stages.begin(), stages.end()), ", ")));
    dump.kept.push_back(name);
  }
  dump.title = std::move(title);
  dump.stem = std::move(stem);
  dump.folder = support::environment(Variable::DumpDir);
  return dump;
}

bool Dump::shows(StringRef stage) const { return all || llvm::is_contained(names, stage); }

bool Dump::wantsStage(StringRef stage) const { return shows(stage) || llvm::is_contained(kept, stage); }

void Dump::stage(StringRef stage, StringRef text) {
  if (llvm::is_contained(kept, stage))
    texts.emplace_back(stage.str(), text.str());
  if (!shows(stage))
    return;
  // Numbered, so that a folder lists the stages in the order they ran.
  write(stage, fmt::format("{}.{}-{}.txt", stem, stagesSeen++, std::string_view(stage)), text, false);
}

void Dump::pass(StringRef pass, ModuleOp module) {
  write(fmt::format("after pass {}", std::string_view(pass)), stem + ".passes.txt", printModule(module, true), true);
}

void Dump::write(StringRef what, StringRef file, StringRef text, bool append) {
  std::string out = fmt::format("// {}: {}\n{}", title, std::string_view(what), std::string_view(text));
  if (!out.ends_with('\n'))
    out += '\n';
  if (folder.empty()) {
    std::fputs(out.c_str(), stderr);
    return;
  }
  // A dump that cannot be written must not stop the program it explains.
  if (const std::string problem = support::writeFile(folder, file.str(), out, append); !problem.empty())
    std::fputs(fmt::format("tessera: dump: {}\n", problem).c_str(), stderr);
}

} // namespace tessera::ir
