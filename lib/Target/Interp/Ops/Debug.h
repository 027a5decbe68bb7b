//===- Debug.h - elements as people read them ---------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_OPS_DEBUG_H
#define TESSERA_TARGET_INTERP_OPS_DEBUG_H

#include "Target/Interp/Frame.h"

namespace tessera::ir::interp {

/// Element \p index of a register, in the low bits.
std::uint64_t elementBits(const Frame &frame, const Slot &slot, std::uint64_t index);

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_OPS_DEBUG_H
