//===- OldHip.cpp - a HIP runtime from before what is needed --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include <cstdlib>

extern "C" {

int hipInit(unsigned) { return 0; }
/// 5.1, or what TESSERA_TEST_HIP_VERSION says.
int hipRuntimeGetVersion(int *version) {
  const char *said = std::getenv("TESSERA_TEST_HIP_VERSION");
  *version = said ? std::atoi(said) : 50120531;
  return 0;
}

} // extern "C"
