//===- Kernels.h - kernels that several tests launch -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_DRIVER_KERNELS_H
#define TESSERA_TEST_UNIT_DRIVER_KERNELS_H

#include <tessera/tessera.h>

namespace tessera::test {

struct AddConfig {
  int block = 64;
};

/// A new kernel: nothing of it was compiled yet.
template <DType T> auto makeAdd() {
  return kernel("add", {"x", "y", "out", "n"}, [](const AddConfig &c, Ptr<T> x, Ptr<T> y, Ptr<T> out, Int n) {
    Tile offs = program_id(0) * c.block + arange(0, c.block);
    Tile mask = offs < n;
    store(out + offs, load(x + offs, {.mask = mask}) + load(y + offs, {.mask = mask}), {.mask = mask});
  });
}

/// out[i * stride] = i in programs of one element.
inline auto makeStrided() {
  return kernel("strided", {"out", "stride"}, [](Ptr<i64> out, Int stride) {
    Int i = program_id(0);
    store(out + i * stride, i);
  });
}

/// out[linear program] = its three coordinates, as x * 10000 + y * 100 + z.
inline auto makeCoordinates() {
  return kernel("coordinates", {"out"}, [](Ptr<i64> out) {
    Int x = program_id(0), y = program_id(1), z = program_id(2);
    Int linear = (z * num_programs(1) + y) * num_programs(0) + x;
    store(out + linear, x * 10000 + y * 100 + z);
  });
}

inline Device interp() { return Device::get("interp"); }

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_DRIVER_KERNELS_H
