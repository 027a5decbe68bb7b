//===- CallOf.h - a kernel that calls one function -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_TARGET_GPU_CALLOF_H
#define TESSERA_TEST_UNIT_TARGET_GPU_CALLOF_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <string>

namespace tessera::test {

/// A kernel that calls one function, \p name, with the operands of \p arguments, which "; " separates; its result, if
/// it has one and is \p used, is stored. `%p` and `%out` are the same in all threads, `%q` and `%s` their own places in
/// global and shared memory.
inline std::string callOf(const std::string &name, const std::string &result, const std::string &arguments,
                          const std::string &attributes = "nounwind", bool used = true) {
  const bool isVoid = result == "void";
  std::string types; // the operands' types alone
  llvm::SmallVector<llvm::StringRef> operands;
  llvm::StringRef(arguments).split(operands, "; ", -1, /*KeepEmpty=*/false);
  std::string list;
  for (llvm::StringRef operand : operands) {
    types += (types.empty() ? "" : ", ") + operand.rsplit(' ').first.str();
    list += (list.empty() ? "" : ", ") + operand.str();
  }
  return fmt::format(
      "@tessera.shared = external addrspace(3) global [4096 x i8], align 16\n"
      "declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn\n{7}"
      "define void @k(ptr addrspace(1) %p, i1 %m, i32 %i, i64 %l, i16 %h, i8 %c, half %f16, bfloat %bf16,"
      " float %f32, double %f64, ptr addrspace(1) %out, <4 x i32> %v) {{\n"
      "  %s = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %i\n"
      "  %t = call i32 @tessera.gpu.thread_id()\n"
      "  %q = getelementptr i64, ptr addrspace(1) %p, i32 %t\n"
      "  {4}call {0} @\"{1}\"({5})\n{6}  ret void\n}}\n",
      result, name, types, attributes, isVoid || !used ? "" : "%r = ", list,
      isVoid || !used ? "" : fmt::format("  store {} %r, ptr addrspace(1) %out, align 16\n", result),
      name == "tessera.gpu.thread_id" ? std::string()
                                      : fmt::format("declare {} @\"{}\"({}) {}\n", result, name, types, attributes));
}

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_TARGET_GPU_CALLOF_H
