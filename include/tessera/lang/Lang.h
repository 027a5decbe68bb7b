//===- Lang.h - the whole language -------------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_LANG_H
#define TESSERA_LANG_LANG_H

#include "tessera/lang/Atomic.h"
#include "tessera/lang/ControlFlow.h"
#include "tessera/lang/Debug.h"
#include "tessera/lang/Dot.h"
#include "tessera/lang/Hints.h"
#include "tessera/lang/Kernel.h"
#include "tessera/lang/Math.h"
#include "tessera/lang/Memory.h"
#include "tessera/lang/Operators.h"
#include "tessera/lang/Program.h"
#include "tessera/lang/Random.h"
#include "tessera/lang/Reduce.h"
#include "tessera/lang/Scan.h"
#include "tessera/lang/Shape.h"
#include "tessera/lang/Sort.h"
#include "tessera/lang/View.h"
#include "tessera/lang/Workspace.h"

#endif // TESSERA_LANG_LANG_H
