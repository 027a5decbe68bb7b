//===- Debugger.h - stop a kernel at a line ------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// TESSERA_BREAK=file:line[,program] makes the builder put a stop before the first operation of that line. A stop calls
// `tessera_debug_break`, where a debugger can have its breakpoint; from there `tessera_dump` and its sisters show the
// values that are live in the kernel. While a kernel has stops, no register is used twice, so that everything computed
// so far can be seen, and programs run in grid order on one thread.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_DEBUGGER_H
#define TESSERA_TARGET_INTERP_DEBUGGER_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::ir::interp {

class Builder;
struct Slot;

/// The value of TESSERA_BREAK.
struct BreakRequest {
  std::string file;
  unsigned line = 0;
  /// Which program stops: its number with x fastest in the first place, or its three coordinates; all when empty.
  llvm::SmallVector<std::int64_t, 3> program;

  /// Reads "file:line", "file:line,number" or "file:line,x,y,z". Nothing when it is none of these.
  static std::optional<BreakRequest> parse(std::string_view text);
};

/// The stops of one kernel while it is built.
class Debugger {
public:
  /// The stops of \p kernel that the environment asks for; null when it asks for none or for another file. A malformed
  /// request is told in \p error.
  static std::unique_ptr<Debugger> fromEnvironment(mlir::Operation *kernel, std::string &error);

  /// Whether execution stops before \p op.
  bool stopsBefore(mlir::Operation &op) const { return stops.contains(&op); }
  /// Emits a stop before \p op, at which the values in \p slots that are defined there can be seen.
  void emitStop(mlir::Operation &op, Builder &b, const llvm::DenseMap<mlir::Value, Slot> &slots) const;

private:
  BreakRequest request;
  mlir::Operation *kernel = nullptr;
  llvm::DenseSet<mlir::Operation *> stops;
};

/// Calls \p hook at each stop, after `tessera_debug_break`; none when empty. For tests. Not thread-safe.
void setBreakHook(std::function<void()> hook);

} // namespace tessera::ir::interp

/// Kept out of line and visible, so that a debugger can stop here: \p at is "kernel.cpp:12:8", \p program is
/// "program (1, 0, 0)".
extern "C" void tessera_debug_break(const char *at, const char *program);

// To be called by a debugger while the thread stands in tessera_debug_break; they write to standard error.

/// Shows a value by the user's name or its name in the printed IR ("row", "%row", "%12"), the middle of long axes left
/// out.
extern "C" void tessera_dump(const char *name);
/// Shows \p count elements of a value from number \p first (row-major) on, one a line with its coordinates.
extern "C" void tessera_dump_part(const char *name, long first, long count);
/// Shows all values that are live, innermost first, with their types.
extern "C" void tessera_dump_all();

#endif // TESSERA_TARGET_INTERP_DEBUGGER_H
