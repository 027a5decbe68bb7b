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
#include "tessera/lang/Lang.h"
#include "tessera/runtime/Autotune.h"
#include "tessera/runtime/Binary.h"
#include "tessera/runtime/Buffer.h"
#include "tessera/runtime/Bundle.h"
#include "tessera/runtime/Bundler.h"
#include "tessera/runtime/Cache.h"
#include "tessera/runtime/Device.h"
#include "tessera/runtime/Grid.h"
#include "tessera/runtime/Launch.h"
#include "tessera/runtime/LaunchArguments.h"
#include "tessera/runtime/LaunchPlace.h"
#include "tessera/runtime/Runtime.h"
#include "tessera/runtime/Stream.h"

#endif // TESSERA_TESSERA_H
