//===- Expect.h - read the words of an error -------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_EXPECT_H
#define TESSERA_TEST_UNIT_EXPECT_H

#include "tessera/core/Error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tessera::test {

/// What \p run says when it throws \p E; an empty string and a failure if it does not.
template <class E, class Run> std::string wordsOf(Run run) {
  try {
    run();
  } catch (const E &error) {
    return error.what();
  } catch (const std::exception &error) {
    ADD_FAILURE() << "threw another kind of error: " << error.what();
    return {};
  }
  ADD_FAILURE() << "threw nothing";
  return {};
}

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_EXPECT_H
