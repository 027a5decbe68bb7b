//===- TripCount.h - how often a loop runs ----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_FRONTEND_TRIPCOUNT_H
#define TESSERA_FRONTEND_TRIPCOUNT_H

#include "IRSupport/LLVM.h"

#include <cstdint>

namespace tessera::ir {

/// The number of trips from \p lo toward \p hi by \p step, all i64, whatever the sign of \p step and however far apart
/// the two are. At most 2^63 - 1: nobody sees the end of a longer loop.
Value tripCount(OpBuilder &builder, Location loc, Value lo, Value hi, Value step);

/// The index of trip \p trip, counted from 0: lo + trip * step.
Value indexOfTrip(OpBuilder &builder, Location loc, Value lo, Value trip, Value step);

/// Whether a loop from \p lo below \p hi, known to be constants, spans more than i64 holds or steps past its end.
bool nearsTheEnds(Value lo, Value hi, std::int64_t step);

} // namespace tessera::ir

#endif // TESSERA_FRONTEND_TRIPCOUNT_H
