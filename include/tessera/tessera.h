//===- tessera.h - all of tessera ------------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The one header to include: element types and errors, the language kernels are written in, devices and launches.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TESSERA_H
#define TESSERA_TESSERA_H

#include "tessera/core/CompileOptions.h"
#include "tessera/core/DType.h"
#include "tessera/core/Error.h"
#include "tessera/core/Export.h"
#include "tessera/core/HostTypes.h"
#include "tessera/core/Reflect.h"
#include "tessera/core/Shape.h"
#include "tessera/core/Target.h"
#include "tessera/lang/Any.h"
#include "tessera/lang/Atomic.h"
#include "tessera/lang/Combine.h"
#include "tessera/lang/ControlFlow.h"
#include "tessera/lang/Debug.h"
#include "tessera/lang/Dot.h"
#include "tessera/lang/Hints.h"
#include "tessera/lang/Kernel.h"
#include "tessera/lang/KernelSpec.h"
#include "tessera/lang/Math.h"
#include "tessera/lang/Memory.h"
#include "tessera/lang/Operators.h"
#include "tessera/lang/Params.h"
#include "tessera/lang/Program.h"
#include "tessera/lang/Ptr.h"
#include "tessera/lang/Random.h"
#include "tessera/lang/Reduce.h"
#include "tessera/lang/Scalar.h"
#include "tessera/lang/Scan.h"
#include "tessera/lang/Shape.h"
#include "tessera/lang/Sort.h"
#include "tessera/lang/Tile.h"
#include "tessera/lang/Value.h"
#include "tessera/lang/View.h"
#include "tessera/lang/Workspace.h"
#include "tessera/runtime/Binary.h"
#include "tessera/runtime/Buffer.h"
#include "tessera/runtime/Device.h"
#include "tessera/runtime/Grid.h"
#include "tessera/runtime/Launch.h"
#include "tessera/runtime/LaunchArguments.h"
#include "tessera/runtime/Stream.h"

#endif // TESSERA_TESSERA_H
