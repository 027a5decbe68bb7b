//===- Export.h - which symbols the shared libraries show ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CORE_EXPORT_H
#define TESSERA_CORE_EXPORT_H

/// Marks a class or function that users of the shared libraries may call.
#define TESSERA_API __attribute__((visibility("default")))

#endif // TESSERA_CORE_EXPORT_H
