//===- Cores.cpp - how many cores this process may use --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CPU/HostFeatures.h"

#include <algorithm>
#include <fstream>
#include <sched.h>
#include <thread>
#include <vector>

namespace tessera::rt::cpu {

/// The cores of the affinity mask, however many the machine has.
static unsigned coresOfAffinity() {
  for (int capacity = 1024; capacity <= 1 << 20; capacity *= 4) {
    cpu_set_t *set = CPU_ALLOC(capacity);
    if (!set)
      break;
    const std::size_t size = CPU_ALLOC_SIZE(capacity);
    const bool worked = sched_getaffinity(0, size, set) == 0;
    const int count = worked ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (count > 0)
      return static_cast<unsigned>(count);
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

/// Whole cores' worth of a quota in microseconds per period; 0: none.
static unsigned coresOf(long long quota, long long period) {
  return quota > 0 && period > 0 ? static_cast<unsigned>(std::min((quota + period - 1) / period, 1ll << 20)) : 0;
}

/// The smallest quota of the control groups that hold this process; 0 if none has one.
static unsigned coresOfQuota() {
  std::vector<unsigned> quotas;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::/"))
      continue;
    // Version 2. A parent's quota counts as well; in a container the root is the container's group.
    for (std::string path = line.substr(3);; path.erase(path.rfind('/'))) {
      std::ifstream file("/sys/fs/cgroup" + path + "/cpu.max");
      std::string quota;
      long long period = 0;
      if (file >> quota >> period && quota != "max")
        quotas.push_back(coresOf(std::atoll(quota.c_str()), period));
      if (path.find('/') == std::string::npos)
        break;
    }
  }
  std::ifstream quotaFile("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"), periodFile("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  long long quota = 0, period = 0;
  if (quotaFile >> quota && periodFile >> period)
    quotas.push_back(coresOf(quota, period));
  std::erase(quotas, 0u);
  return quotas.empty() ? 0 : *std::min_element(quotas.begin(), quotas.end());
}

unsigned usableCores() {
  const unsigned cores = coresOfAffinity(), quota = coresOfQuota();
  return quota ? std::min(cores, quota) : cores;
}

} // namespace tessera::rt::cpu
