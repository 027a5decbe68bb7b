//===- token_mutator.h - mutations that keep text readable --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Most random bytes do not get past a lexer. This changes words, numbers and lines as wholes, so that a good share of
// what comes out still parses and reaches the verifiers and folders.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_TOKEN_MUTATOR_H
#define TESSERA_TEST_FUZZ_TOKEN_MUTATOR_H

#include <cstdint>
#include <string>

namespace tessera::fuzz {

/// Changes one thing in \p text: a number, a word, a type, or a line removed, repeated or moved. Deterministic in \p
/// seed.
std::string mutateTokens(const std::string &text, unsigned seed);

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_TOKEN_MUTATOR_H
