//===- Buffer.h - where a tile's elements lie in a buffer ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A buffer's value in code is its place in the program's shared memory, in bytes (i32). Layouts of tiles and buffers
// are linear, so that the offset of an element is what the thread contributes, xor-ed with what its register does.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_BUFFER_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_BUFFER_H

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

namespace tessera::ir::gpu {

/// The columns of \p layout as offsets into a buffer of \p shared; only bits \p mask of the flat index count.
layout::TileLayout::Bases offsetColumns(const layout::TileLayout &layout, const ::tessera::layout::SharedLayout &shared,
                                        std::uint32_t mask = ~std::uint32_t{0});

/// Places in a buffer that depend on the thread and the register.
class Places {
public:
  /// Of elements of the dialect's type \p element that lie at offsets \p columns after the place \p buffer.
  Places(Emitter &e, Value buffer, Type element, layout::TileLayout::Bases columns);

  /// The pointer to what \p reg holds.
  Value pointer(unsigned reg);
  /// The same with \p more (i32, in elements), whose bits no column has, xor-ed to the offset.
  Value pointer(unsigned reg, Value more) { return at(registerOffset(reg), more, ~std::uint32_t{0}); }
  /// The pointer to the offset \p also, xor-ed with what the thread contributes and with \p more (i32, or null), which
  /// has no bits but \p moreBits. Offsets are in elements; what of \p also no thread changes is part of the access.
  Value at(std::uint32_t also, Value more = {}, std::uint32_t moreBits = 0);
  std::uint32_t registerOffset(unsigned reg) const;

private:
  Emitter &e;
  Value buffer;
  std::int64_t bytes;
  layout::TileLayout::Bases columns;
  Value threadOffset;           ///< in elements
  std::uint32_t threadBits = 0; ///< those it may have
  Value threadPointer;          ///< of offset 0, where no register has bits of the thread's
};

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_LANES_BUFFER_H
