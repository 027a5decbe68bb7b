//===- Pipeline.h - run the stages of a compilation ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One runner for all back ends: passes, then the stage's own step, then the check of its border; with times, dumps, and
// a reproducer when the fault is ours. Nothing here throws; outcomes say whose fault a failure is.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_PIPELINE_PIPELINE_H
#define TESSERA_PIPELINE_PIPELINE_H

#include "Pipeline/Dump.h"
#include "Target/Backend.h"

#include <string>
#include <vector>

namespace tessera::ir {

/// How long a stage took.
struct StageTime {
  std::string stage;
  double ms = 0;
};

/// How running stages ended.
struct PipelineOutcome {
  enum Blame {
    None,   ///< it worked
    Kernel, ///< this target cannot run this kernel: `words` says why, at the user's lines
    Library ///< a defect of ours: `words`, and `reproducer` where one could be written
  };
  Blame blame = None;
  std::string stage; ///< that failed
  std::string pass;  ///< that failed, if it was one
  std::string words; ///< the diagnostics
  std::string reproducer;
  std::vector<StageTime> times;
  std::vector<std::string> notes; ///< warnings and remarks of all stages

  bool ok() const { return blame == None; }
};

/// The name of the stage that all back ends share.
inline constexpr llvm::StringLiteral kTileStage{"tile"};

/// Names of the stages users may ask any target for, whether this build has them or not.
ArrayRef<StringRef> knownStages();

/// Brings a traced module to the canonical form that keys hash. \p dump may be null.
PipelineOutcome runTileStage(ModuleOp module, const CompileRequest &request, Dump *dump);

/// Runs the stages of \p backend in order, up to and including \p last or all if it is empty. With \p text, leaves
/// there what the last one prints.
PipelineOutcome runBackendStages(const Backend &backend, Compilation &compilation, Dump *dump, StringRef last = {},
                                 std::string *text = nullptr);

} // namespace tessera::ir

#endif // TESSERA_PIPELINE_PIPELINE_H
