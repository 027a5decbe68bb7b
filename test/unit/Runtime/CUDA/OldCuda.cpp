//===- OldCuda.cpp - a driver library from before what is needed ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include <cstdlib>

extern "C" {

int cuInit(unsigned) { return 0; }
/// 11.4, or what TESSERA_TEST_CUDA_VERSION says.
int cuDriverGetVersion(int *version) {
  const char *said = std::getenv("TESSERA_TEST_CUDA_VERSION");
  *version = said ? std::atoi(said) : 11040;
  return 0;
}

} // extern "C"
