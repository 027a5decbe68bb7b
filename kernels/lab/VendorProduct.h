//===- VendorProduct.h - products by a library that is there -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What people would use instead of a kernel of their own, opened at run time where it is installed: cuBLAS on devices
// of NVIDIA's, OpenBLAS on the host. Neither is needed to build or to run a lab.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_LAB_VENDORPRODUCT_H
#define TESSERA_KERNELS_LAB_VENDORPRODUCT_H

#include "tessera/tessera.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tessera::kernels::lab {

/// out[m,n] = a[m,k] * b[k,n], all row-major, lda, ldb and ldc elements from row to row; with `ta` a is stored as its
/// transpose, with `tb` b. In the memory of a device.
struct VendorProduct {
  DType type;
  bool tf32 = false;
  bool ta = false, tb = false;
  std::int64_t m = 0, n = 0, k = 0, lda = 0, ldb = 0, ldc = 0;
  const void *a = nullptr, *b = nullptr;
  void *out = nullptr;
};

class VendorLibrary {
public:
  virtual ~VendorLibrary();
  /// The library for products of \p type on \p device; null if there is none, and \p why says so in words.
  static std::unique_ptr<VendorLibrary> open(const Device &device, DType type, std::string &why);

  virtual std::string name() const = 0;
  /// Enqueues the product on the device's default stream. DeviceError if the library refuses it.
  virtual void multiply(const VendorProduct &product) = 0;
};

} // namespace tessera::kernels::lab

#endif // TESSERA_KERNELS_LAB_VENDORPRODUCT_H
