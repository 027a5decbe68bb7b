//===- DoubleTrig.cpp - sine and cosine of reduced arguments in f64 ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Elementary/Parts.h"

namespace tessera::ir::elementary {

Float sineOfRest64(Parts r) {
  const Float z = r.high * r.high;
  const Float q = polynomial(z, {0x1.5d8cd8ffb5473p-33, -0x1.ae5e503ade499p-26, 0x1.71de355a62745p-19,
                                 -0x1.a01a019bede9ep-13, 0x1.111111110f748p-7, -0x1.5555555555548p-3});
  return r.high + fma(q * z, r.high, r.low);
}

Float cosineOfRest64(Parts r) {
  const Float z = r.high * r.high;
  const Float q = polynomial(z, {-0x1.8fa5375b3d0d9p-37, 0x1.1ee9d99eb730ap-29, -0x1.27e4f7eee8b47p-22,
                                 0x1.a01a019c8c678p-16, -0x1.6c16c16c15005p-10, 0x1.555555555554bp-5});
  const Float h = fma(z, -0.5, 1.0);
  const Float lost = fma(z, -0.5, 1.0 - h);
  return h + fma(-r.high, r.low, fma(q * z, z, lost));
}

} // namespace tessera::ir::elementary
