//===- TuneProgress.h - how far tuning is -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DRIVER_TUNEPROGRESS_H
#define TESSERA_DRIVER_TUNEPROGRESS_H

#include <string>

namespace tessera::ir {

/// A bar on standard error, if that is a terminal and work takes long enough to look at it. Gone at the end.
class TuneProgress {
public:
  TuneProgress(std::string kernel, const char *doing);
  ~TuneProgress();
  TuneProgress(const TuneProgress &) = delete;
  TuneProgress &operator=(const TuneProgress &) = delete;

  void show(double share);

private:
  const std::string title;
  const bool terminal;
  int shown = -1; ///< percent
};

} // namespace tessera::ir

#endif // TESSERA_DRIVER_TUNEPROGRESS_H
