//===- Disassemble.h - a cubin for people ----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_NVIDIA_DISASSEMBLE_H
#define TESSERA_TARGET_NVIDIA_DISASSEMBLE_H

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <string>

namespace tessera::ir::nvidia {

/// The instructions of \p cubin as the vendor's nvdisasm or cuobjdump prints them; a line that says why there are none
/// if that fails.
std::string disassemble(llvm::ArrayRef<std::byte> cubin);

} // namespace tessera::ir::nvidia

#endif // TESSERA_TARGET_NVIDIA_DISASSEMBLE_H
