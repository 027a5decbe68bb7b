//===- TensorMaps.h - views that the chip copies box by box ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `layout.tensor_load` and `layout.tensor_store` need a descriptor of their view, which the launcher makes before the
// kernel starts. This says which views have one for which buffers, and what it is made of: everything in it comes from
// the kernel's arguments.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_TENSORMAPS_H
#define TESSERA_ANALYSIS_TENSORMAPS_H

#include "Analysis/AxisInfo.h"
#include "Runtime/Image.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include <optional>

namespace tessera::ir {

/// One of the copies that move a buffer. All of them have the box of the recipe.
struct TensorPiece {
  SmallVector<int64_t, 5> first; ///< coordinates in the buffer's tile of its first element, by axis of the view
  int64_t byteOffset = 0;        ///< where it begins in the buffer
};

/// How a buffer is copied from or to a view.
struct TensorMapPlan {
  rt::TensorMapRecipe recipe;      ///< of the descriptor. Its Arguments count as signed numbers of their type in the IR
  SmallVector<unsigned, 5> axes;   ///< which axis of the view each axis of the recipe is; axes[0] is the contiguous one
  SmallVector<TensorPiece> pieces; ///< at least one; together they are the buffer
  SmallVector<rt::Expr> requirements; ///< expressions that must not be 0 for the recipe to give a descriptor

  /// What all pieces bring into the buffer, and so what barriers are told to expect; lanes outside of the view count.
  int64_t bytes = 0;
};

/// The axis of \p view along which neighbours are neighbours in memory; nothing if that is not known.
std::optional<unsigned> contiguousAxisOf(Value view);

/// How the chip copies between \p view, at \p coords, and a buffer, or a slot of a ring, of type \p buffer; nothing
/// where it cannot:
///
/// - the base of the view is a parameter of the kernel, or lies so many bytes behind it; that, the extents and the
///   strides are computed from parameters alone; one stride is known to be 1;
/// - base, the other strides and the coordinate along the contiguous axis are multiples of 16 bytes, by what \p infos
///   knows of hints and of the kernel's variant: at other places the chip stops with an illegal instruction;
/// - the element is a float or an integer of 8 to 64 bits, the rank at most 5;
/// - the buffer is a `SharedLayout::tensorCopy` whose fastest axis is the contiguous one.
///
/// There are always `requirements`, so ask for variants of a kernel only whose images may have some
/// (CompileRequest::aligned). Null \p infos: the multiples are known to hold, as they are for ops that were made by
/// what this said.
std::optional<TensorMapPlan> tensorMapOf(Value view, mlir::ValueRange coords, layout::BufferType buffer,
                                         UniformExprs &exprs, const AxisInfos *infos);

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_TENSORMAPS_H
