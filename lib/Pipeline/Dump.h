//===- Dump.h - show the program after each stage --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// TESSERA_DUMP=tile,asm prints these stages, `all` every stage, `passes` the module after every pass; to standard
// error, or with TESSERA_DUMP_DIR into one file per kernel and stage.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_PIPELINE_DUMP_H
#define TESSERA_PIPELINE_DUMP_H

#include "IRSupport/LLVM.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::ir {

/// The module as text, with the user's names; with \p locations every op shows the user's file:line.
std::string printModule(ModuleOp module, bool locations);

/// What the environment asks to see of one compilation.
class Dump {
public:
  /// Reads TESSERA_DUMP and TESSERA_DUMP_DIR. \p stages are the names it may contain beside `all` and `passes`;
  /// UsageError for others. \p title names the compilation, \p stem its files.
  static Dump fromEnvironment(ArrayRef<StringRef> stages, std::string title, std::string stem);

  /// Whether anything is asked for, so that nothing may be skipped.
  bool active() const { return all || passes || !names.empty(); }
  /// Whether to call stage() with the text after the stage.
  bool wantsStage(StringRef stage) const;
  /// Whether to call pass() after every pass.
  bool wantsPasses() const { return passes; }
  void stage(StringRef stage, StringRef text);
  void pass(StringRef pass, ModuleOp module);

private:
  void write(StringRef what, StringRef file, StringRef text, bool append);

  std::vector<std::string> names;
  bool all = false, passes = false;
  std::string title, stem, folder;
  int stagesSeen = 0;
};

} // namespace tessera::ir

#endif // TESSERA_PIPELINE_DUMP_H
