//===- HostTarget.h - what code for a processor is made for ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_CPU_HOSTTARGET_H
#define TESSERA_TARGET_CPU_HOSTTARGET_H

#include "Conversion/TileToHost/HostOptions.h"

#include "tessera/core/CompileOptions.h"
#include "tessera/core/Target.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace tessera::ir::host {

/// A processor in the words of LLVM. Code uses the named instruction sets and no others, whatever processor it is tuned
/// for.
struct HostTarget {
  std::string triple;
  std::string tuning; ///< the processor whose speeds count
  llvm::SmallVector<llvm::StringRef, 32> instructionSets;
  unsigned vectorBytes = 0, streamVectorBytes = 0, vectorRegisters = 0;
  std::string problem; ///< why no code can be made for it, in the words of an error; else empty

  /// Whether code may use an instruction set.
  bool has(llvm::StringRef name) const;
  /// The instruction sets, separated by commas: the image's fact.
  std::string features() const;
};

/// The processor that \p target, of family "cpu", names: one of the table of chips, or this machine's.
HostTarget hostTargetOf(const Target &target);

/// What the conversion to loops over vectors must know of \p host, which is \p target's.
HostOptions hostOptionsOf(const HostTarget &host, const Target &target, const CompileOptions &options);

/// LLVM's code generator for \p host; null with the reason in \p problem. Made anew for each compilation.
std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const HostTarget &host, std::string &problem);

} // namespace tessera::ir::host

#endif // TESSERA_TARGET_CPU_HOSTTARGET_H
