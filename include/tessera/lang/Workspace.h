//===- Workspace.h - memory that the launcher provides ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_WORKSPACE_H
#define TESSERA_LANG_WORKSPACE_H

#include "tessera/lang/Ptr.h"

namespace tessera {

struct WorkspaceOptions {
  bool zeroed = false; ///< filled with zeros before the launch; otherwise it holds anything
};

namespace detail {
TESSERA_API Snapshot workspace(DType dtype, const Operand &count, const WorkspaceOptions &options,
                               std::source_location at);
} // namespace detail

/// Memory for \p count elements of \p Element, one piece for all programs of a launch, apart from all arguments: for
/// partial results and counters (SEMANTICS P1b). The launcher must know its size, so \p count is made of integer
/// arguments of the kernel, num_programs and numbers by + - * /, cdiv, floor_div, minimum, maximum and where; otherwise
/// a UsageError. Not inside a loop, nor inside a combine function.
template <DType Element>
Ptr<Element> workspace(IndexOperand count, WorkspaceOptions options = {},
                       std::source_location at = std::source_location::current()) {
  static_assert(Element != any, "workspace<any> has no element type: name one, or take p.pointee() apart with C++ if");
  return Ptr<Element>(detail::workspace(Element, count, options, at), at);
}

} // namespace tessera

#endif // TESSERA_LANG_WORKSPACE_H
