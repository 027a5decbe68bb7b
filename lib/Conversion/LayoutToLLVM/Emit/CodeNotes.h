//===- CodeNotes.h - what reports say of the code --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// While a kernel is emitted, what a report will say of it is kept here: how wide its accesses of global memory are,
// what multiplies its products, how well its accesses of shared memory spread over the banks. A kernel may hold several
// versions of a line; the best one counts, since the others serve the ends of what it works on.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_CODENOTES_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_CODENOTES_H

#include "IRSupport/LLVM.h"
#include "Layout/Access.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tessera::ir::gpu {

class CodeNotes {
public:
  /// Threads move \p bytes of the \p held bytes that each has of the tile of \p op at a time.
  void access(Operation &op, StringRef kind, std::int64_t bytes, std::int64_t held);
  /// The product \p op is made by \p unit: an instruction, or "fma".
  void product(Operation &op, StringRef unit);
  /// A warp makes \p accesses accesses of shared memory like this one.
  void shared(std::int64_t accesses, const ::tessera::layout::Wavefronts &each);

  /// Puts them on \p function (LayoutToLLVM.h).
  void attach(mlir::LLVM::LLVMFuncOp function) const;

private:
  struct Access {
    std::string at, kind;
    std::int64_t bytes = 0, held = 0;
  };
  std::vector<Access> accesses;
  std::vector<std::pair<std::string, std::string>> products; ///< place and unit
  std::int64_t actual = 0, ideal = 0;
};

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_CODENOTES_H
