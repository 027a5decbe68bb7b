//===- Dump.h - show the program after each stage --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// TESSERA_DUMP=tile,asm prints these stages, `all` every stage, `passes` the module after every pass; to standard
// error, or with TESSERA_DUMP_DIR into one file per kernel and stage. TESSERA_CACHE_KEEP=tile,asm has their texts kept
// with the kernel instead.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_PIPELINE_DUMP_H
#define TESSERA_PIPELINE_DUMP_H

#include "IRSupport/LLVM.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tessera::ir {

/// The module as text, with the user's names; with \p locations every op shows the user's file:line.
std::string printModule(ModuleOp module, bool locations);

/// What the environment asks to see of one compilation.
class Dump {
public:
  /// Reads TESSERA_DUMP, TESSERA_DUMP_DIR and TESSERA_CACHE_KEEP. \p stages are the names it may contain beside `all`
  /// and `passes`; UsageError for others. \p title names the compilation, \p stem its files.
  static Dump fromEnvironment(ArrayRef<StringRef> stages, std::string title, std::string stem);

  /// Whether anything is to be shown, so that nothing may be skipped.
  bool active() const { return all || passes || !names.empty(); }
  /// Whether to call stage() with the text after the stage.
  bool wantsStage(StringRef stage) const;
  /// Whether to call pass() after every pass.
  bool wantsPasses() const { return passes; }
  void stage(StringRef stage, StringRef text);
  void pass(StringRef pass, ModuleOp module);

  /// The stages whose texts are to be kept, and the texts of those that ran.
  ArrayRef<std::string> keptStages() const { return kept; }
  std::vector<std::pair<std::string, std::string>> takeTexts() { return std::move(texts); }

private:
  void write(StringRef what, StringRef file, StringRef text, bool append);

  bool shows(StringRef stage) const;

  std::vector<std::string> names, kept;
  std::vector<std::pair<std::string, std::string>> texts;
  bool all = false, passes = false;
  std::string title, stem, folder;
  int stagesSeen = 0;
};

} // namespace tessera::ir

#endif // TESSERA_PIPELINE_DUMP_H
