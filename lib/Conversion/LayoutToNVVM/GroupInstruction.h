//===- GroupInstruction.h - products that four warps multiply --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTONVVM_GROUPINSTRUCTION_H
#define TESSERA_CONVERSION_LAYOUTTONVVM_GROUPINSTRUCTION_H

#include "Conversion/Common/MatrixUnit.h"
#include "IRSupport/LLVM.h"
#include "Layout/MatrixUnits.h"

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

#include <optional>
#include <string>

namespace tessera::ir::gpu {

/// A `wgmma`: 64 rows by 8 to 256 columns.
struct GroupInstruction {
  static constexpr std::int64_t kRows = 64, kMinColumns = 8, kMaxColumns = 256;

  StringRef a, b, sum;
  std::int64_t k;
  bool readsAcross = false; ///< operands in shared memory may have another axis than k contiguous
  bool hasSigns = true;     ///< the instruction says whether operands are negated

  /// As reports name it where it has so many columns: "wgmma.m64n256k16.f32.f16.f16".
  std::string name(std::int64_t columns) const;
};

/// That for operands of types \p a and \p b; nothing if there is none.
std::optional<GroupInstruction> groupInstructionOf(Type a, Type b, tile::DotPrecision precision);

/// The unit for \p dot where \p chip has one and every group of four warps has 64 rows; else nothing.
std::optional<MatrixUnit> chooseGroupUnit(const arch::Chip &chip, tile::DotOp dot, unsigned numWarps);

/// Columns of an instruction where the result has \p columns, spread over a grid of warps.
std::int64_t instructionColumns(std::int64_t columns, ::tessera::layout::WarpGrid grid);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTONVVM_GROUPINSTRUCTION_H
