//===- TuneStore.cpp - all tuning records that this process knows ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/TuneStore.h"

#include "Runtime/Cache/CacheSettings.h"
#include "Support/Environment.h"
#include "Support/Hash.h"
#include "Support/Log.h"

#include <algorithm>
#include <fmt/format.h>

namespace tessera::rt {

std::vector<TuneBatch> batchesOf(std::span<const TuneRecord> records, std::span<const CandidateName> candidates) {
  std::vector<TuneBatch> batches;
  for (const TuneRecord &record : records) {
    auto batch = std::ranges::find(batches, record.batch, &TuneBatch::id);
    if (batch == batches.end()) {
      if (record.again)
        batches.clear();
      batch = batches.insert(batches.end(), {record.batch, std::vector<std::optional<TuneRecord>>(candidates.size())});
    }
    const auto candidate = std::ranges::find(candidates, CandidateName{record.config, record.options});
    if (candidate == candidates.end())
      continue;
    std::optional<TuneRecord> &place = batch->records[static_cast<std::size_t>(candidate - candidates.begin())];
    if (!place)
      place = record;
  }
  return batches;
}

TuneStore &TuneStore::get() {
  static TuneStore *const store = new TuneStore;
  return *store;
}

std::string TuneStore::ownPath() {
  const std::string folder = cacheDirectory();
  return folder.empty() ? std::string() : folder + "/" + kTuneFileName;
}

TuneFile &TuneStore::file(const std::string &path) {
  std::unique_ptr<TuneFile> &known = files[path];
  if (!known)
    known = std::make_unique<TuneFile>(path);
  return *known;
}

std::vector<TuneRecord> TuneStore::find(const TuneProblemId &problem, const std::string &driver,
                                        const std::string &toolchain, std::span<const std::string> shipped) {
  const std::lock_guard lock(mutex);
  std::vector<TuneRecord> records;
  if (const std::string own = ownPath(); !own.empty())
    records = file(own).find(problem);
  std::ranges::copy_if(kept, std::back_inserter(records),
                       [&](const TuneRecord &record) { return record.problem == problem; });
  std::erase_if(records,
                [&](const TuneRecord &record) { return record.driver != driver || record.toolchain != toolchain; });
  // A batch that replaces all others replaces these, too.
  std::vector<std::string> paths(shipped.begin(), shipped.end());
  std::ranges::move(support::environmentList(support::Variable::TuneRecords), std::back_inserter(paths));
  for (const std::string &folder : cacheSettings().overlays)
    paths.push_back(folder + "/" + kTuneFileName);
  std::vector<TuneRecord> from;
  for (const std::string &path : paths)
    std::ranges::move(file(path).find(problem), std::back_inserter(from));
  std::ranges::copy_if(delivered, std::back_inserter(from),
                       [&](const TuneRecord &record) { return record.problem == problem; });
  if (std::ranges::none_of(records, &TuneRecord::again)) {
    for (TuneRecord &record : from)
      record.again = false;
    std::ranges::move(from, std::back_inserter(records));
  }
  return records;
}

void TuneStore::ship(std::vector<TuneRecord> records) {
  const std::lock_guard lock(mutex);
  std::ranges::move(records, std::back_inserter(delivered));
}

void TuneStore::add(std::span<const TuneRecord> records) {
  const std::lock_guard lock(mutex);
  std::string lines;
  for (const TuneRecord &record : records)
    lines += encodeRecord(record);
  const std::string own = cacheSettings().mode == CacheMode::ReadWrite ? ownPath() : std::string();
  if (!own.empty() && !lines.empty()) {
    const std::string problem = appendLines(own, lines);
    if (problem.empty())
      return;
    support::noteOnce(fmt::format("tuning results are kept for this process only: {}", problem));
  }
  kept.insert(kept.end(), records.begin(), records.end());
}

std::string TuneStore::lockPath(const std::string &device) {
  const std::string folder = cacheSettings().mode == CacheMode::ReadWrite ? cacheDirectory() : std::string();
  if (folder.empty())
    return folder;
  return fmt::format("{}/tuning-{}.lock", folder, support::hashText(device).hex().substr(0, 8));
}

} // namespace tessera::rt
