//===- Log.h - events a user may ask to see --------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_LOG_H
#define TESSERA_SUPPORT_LOG_H

#include <functional>
#include <string_view>

namespace tessera::support {

/// What TESSERA_LOG may name.
enum class LogTopic { Compile, Launch, Tune };

/// Whether the topic is asked for: one load in the steady state. UsageError if TESSERA_LOG names an unknown topic.
bool logs(LogTopic topic);

/// Writes `tessera: compile: line` to standard error, whole lines at a time. Ask logs() first.
void log(LogTopic topic, std::string_view line);

/// Writes `tessera: note: line` to standard error, asked for or not: what a user should know once.
void note(std::string_view line);

/// The same, for what comes up again and again: only the first of equal lines is written.
void noteOnce(std::string_view line);

/// Reads TESSERA_LOG again, forgets which lines were noted once, and sends lines and notes to \p sink instead, or to
/// standard error if it is empty. For tests.
void resetLog(std::function<void(std::string_view)> sink = {});

} // namespace tessera::support

#endif // TESSERA_SUPPORT_LOG_H
