//===- TuneRecord.cpp - what tuning found out, as lines of text --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/TuneRecord.h"

#include "Support/Hash.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace tessera::rt {

static constexpr std::string_view kMagic = "tune1 ";
static constexpr std::size_t kHashDigits = 16;
/// Where the parts of a line begin.
static constexpr std::size_t kCheckAt = kMagic.size(), kProblemAt = kCheckAt + kHashDigits + 1,
                             kFieldsAt = kProblemAt + kHashDigits + 1;
static constexpr std::size_t kFields = 19;

static std::string shortHash(std::string_view text) { return support::hashText(text).hex().substr(0, kHashDigits); }

std::string TuneProblemId::hash() const {
  return support::FieldHasher().add(kernel).add(arguments).add(key).add(device).finish().hex().substr(0, kHashDigits);
}

/// Appends a field; control characters would end it or the line.
static void append(std::string &line, std::string_view field) {
  line += '\t';
  for (const char c : field) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '\\')
      line += fmt::format("\\{:02x}", byte);
    else
      line += c;
  }
}

static int digitOf(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

static std::optional<std::string> plain(std::string_view field) {
  std::string text;
  for (std::size_t i = 0; i != field.size(); ++i) {
    if (field[i] != '\\') {
      text += field[i];
      continue;
    }
    const int high = i + 2 < field.size() ? digitOf(field[i + 1]) : -1;
    const int low = i + 2 < field.size() ? digitOf(field[i + 2]) : -1;
    if (high < 0 || low < 0)
      return std::nullopt;
    text += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return text;
}

template <class Number> static bool read(const std::string &text, Number &number) {
  const char *end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end;
}

/// Times are finite and not negative, whatever a file says.
static bool readTime(const std::string &text, double &ms) { return read(text, ms) && std::isfinite(ms) && ms >= 0; }

std::string encodeRecord(const TuneRecord &record) {
  std::string fields;
  for (const std::string *text :
       {&record.problem.kernel, &record.problem.arguments, &record.problem.key, &record.problem.device, &record.driver,
        &record.toolchain, &record.config, &record.options, &record.program, &record.batch})
    append(fields, *text);
  append(fields, record.again ? "again" : "");
  append(fields, fmt::format("{}", record.time.ms));
  append(fields, fmt::format("{}", record.time.low));
  append(fields, fmt::format("{}", record.time.high));
  append(fields, fmt::format("{}", record.time.samples));
  append(fields, fmt::format("{}{}", record.lethal ? "!" : "", record.skipped));
  append(fields, fmt::format("{:.3f}", record.compileMs));
  append(fields, fmt::format("{:.3f}", record.timingMs));
  append(fields, fmt::format("{}", record.recorded));
  const std::string checked = record.problem.hash() + fields;
  std::string line = fmt::format("{}{} {}\n", kMagic, shortHash(checked), checked);
  return line.size() > kMostLineBytes ? std::string() : line;
}

bool isRecord(std::string_view line) {
  return line.size() > kFieldsAt && line.size() < kMostLineBytes && line.starts_with(kMagic) &&
         line[kProblemAt - 1] == ' ' && line[kFieldsAt - 1] == '\t' &&
         line.substr(kCheckAt, kHashDigits) == shortHash(line.substr(kProblemAt));
}

std::string_view problemHashOf(std::string_view line) { return line.substr(kProblemAt, kHashDigits); }

std::optional<TuneRecord> decodeRecord(std::string_view line) {
  if (!isRecord(line))
    return std::nullopt;
  std::vector<std::string> fields;
  for (std::string_view rest = line.substr(kFieldsAt);;) {
    const std::size_t tab = std::min(rest.find('\t'), rest.size());
    std::optional<std::string> field = plain(rest.substr(0, tab));
    if (!field || fields.size() == kFields)
      return std::nullopt;
    fields.push_back(std::move(*field));
    if (tab == rest.size())
      break;
    rest.remove_prefix(tab + 1);
  }
  if (fields.size() != kFields)
    return std::nullopt;
  TuneRecord record;
  std::size_t next = 0;
  for (std::string *text :
       {&record.problem.kernel, &record.problem.arguments, &record.problem.key, &record.problem.device, &record.driver,
        &record.toolchain, &record.config, &record.options, &record.program, &record.batch})
    *text = std::move(fields[next++]);
  record.again = fields[next++] == "again";
  const bool times = readTime(fields[next], record.time.ms) && readTime(fields[next + 1], record.time.low) &&
                     readTime(fields[next + 2], record.time.high) && read(fields[next + 3], record.time.samples);
  record.skipped = std::move(fields[next + 4]);
  if (!times || record.time.samples < 0 || record.skipped.empty() == (record.time.samples == 0) ||
      !readTime(fields[next + 5], record.compileMs) || !readTime(fields[next + 6], record.timingMs) ||
      !read(fields[next + 7], record.recorded))
    return std::nullopt;
  if (record.skipped.starts_with('!')) {
    record.lethal = true;
    record.skipped.erase(0, 1);
  }
  // The hash in front must be the problem's own, or lookups by it would miss the record.
  if (record.problem.hash() != problemHashOf(line))
    return std::nullopt;
  return record;
}

} // namespace tessera::rt
