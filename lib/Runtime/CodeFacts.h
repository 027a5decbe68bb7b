//===- CodeFacts.h - accesses and products as facts of an image *- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Facts of an image are texts by name. These are lists, an entry a line, words first and the place last, so that a path
// may hold anything but the end of a line:
//
//   accesses   load 16 of 16 at softmax.h:75:12
//   products   wgmma.m64n256k16.f16 at matmul.h:40:9
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CODEFACTS_H
#define TESSERA_RUNTIME_CODEFACTS_H

#include "tessera/runtime/Report.h"

#include <string_view>
#include <vector>

namespace tessera::rt {

struct Image;

inline constexpr std::string_view kAccessesFact = "accesses";
inline constexpr std::string_view kProductsFact = "products";
/// The units of all products, each once.
inline constexpr std::string_view kMatrixUnitFact = "matrix_unit";
inline constexpr std::string_view kWavefrontsFact = "shared_wavefronts";
/// Present in what came from the disk for another text of the kernel, which is equal but for its lines.
inline constexpr std::string_view kSourceFact = "source";
inline constexpr std::string_view kSourceChanged =
    "the source has changed since this kernel was compiled; lines named here are those of then";

void setAccesses(Image &image, const std::vector<MemoryAccess> &accesses);
void setProducts(Image &image, const std::vector<MatrixProduct> &products);

/// Entries that cannot be read are left out.
std::vector<MemoryAccess> readAccesses(std::string_view fact);
std::vector<MatrixProduct> readProducts(std::string_view fact);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_CODEFACTS_H
