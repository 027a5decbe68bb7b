//===- tune_record_fuzzer.cpp - arbitrary bytes through the reader of tuning records -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

//
// The checksum would keep a fuzzer out, so the input is also read as what follows it. What the reader accepts is the
// same after another round trip, and choosing among it does not fail; a file made of the input is read without harm.
//
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/TuneFile.h"
#include "Runtime/Autotune/TuneStore.h"
#include "Support/Hash.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace tessera;
using namespace tessera::rt;

static void check(const TuneRecord &record) {
  if (!std::isfinite(record.time.ms) || record.time.samples < 0)
    std::abort();
  std::string line = encodeRecord(record);
  if (line.empty())
    return; // escaping has made it too long
  line.pop_back();
  const std::optional<TuneRecord> again = decodeRecord(line);
  if (!again || again->problem != record.problem || again->time != record.time || again->skipped != record.skipped)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  std::size_t damaged = 0;
  for (const TuneRecord &record : parseRecords(text, damaged))
    check(record);

  // Each line as the fields of a record whose hashes are right.
  std::string forged;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string fields = text.substr(start, end - start);
    start = end + 1;
    // The hash of the problem is that of the first four fields, escapes undone: the reader does that, too.
    TuneProblemId problem;
    std::size_t at = 0;
    for (std::string *field : {&problem.kernel, &problem.arguments, &problem.key, &problem.device}) {
      const std::size_t tab = std::min(fields.find('\t', at), fields.size());
      *field = fields.substr(std::min(at, fields.size()), tab - std::min(at, tab));
      at = tab + 1;
    }
    const std::string checked = problem.hash() + "\t" + fields;
    const std::string line = "tune1 " + support::hashText(checked).hex().substr(0, 16) + " " + checked;
    if (const std::optional<TuneRecord> record = decodeRecord(line))
      check(*record);
    forged += line + "\n";
  }
  const std::vector<TuneRecord> records = parseRecords(forged, damaged);
  std::vector<CandidateName> names;
  for (const TuneRecord &record : records)
    names.push_back({record.config, record.options});
  for (const TuneBatch &batch : batchesOf(records, names)) {
    std::vector<TimeEstimate> times(names.size());
    for (std::size_t i = 0; i != names.size(); ++i)
      if (batch.records[i])
        times[i] = batch.records[i]->time;
    if (const auto best = fastest(times); best && times[*best].samples == 0)
      std::abort();
  }
  return 0;
}
