//===- CompileOptions.h - how a kernel is compiled -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The options beside a kernel's config. lib/Support/Options.def lists every field with its range and says whether it
// changes generated code; nothing outside this struct does, no environment variable either.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CORE_COMPILEOPTIONS_H
#define TESSERA_CORE_COMPILEOPTIONS_H

namespace tessera {

/// A plain aggregate for designated initialisers: `{.num_warps = 8}`. Values out of range are a UsageError at the
/// launch.
struct CompileOptions {
  int num_warps = 4;          ///< warps that compute one program; a power of two
  int num_stages = 3;         ///< copies in flight in a pipelined loop; 1 = no pipelining
  int cluster = 1;            ///< blocks that compute one program, a power of two; 1 on chips without clusters
  int max_registers = 0;      ///< limit of registers per thread; 0 = the assembler's choice
  int waves_per_eu = 0;       ///< waves per execution unit to aim for (AMD); 0 = the compiler's choice
  bool fp_contract = true;    ///< `a * b + c` may round once (SEMANTICS A3)
  bool deterministic = false; ///< reduce and scan give the same bits for every num_warps and target (SEMANTICS R4)
  bool checks = false;        ///< compile device_assert and bounds checks in; the interpreter checks always
  bool line_info = false;     ///< keep source lines in the binary

  /// \name What the code must be like, which fails to compile otherwise
  /// CompileError names the line. None of them changes the code.
  /// @{
  int max_spill_bytes = -1; ///< of registers kept in memory, in a thread; -1 = any
  /// Least bytes that an access of global memory moves at once, of as many as a thread has of that tile; 0 = any. Only
  /// the variant for aligned arguments can be held to it.
  int min_vector_bytes = 0;
  bool require_matrix_unit = false; ///< every `dot` on matrix instructions
  /// @}

  bool operator==(const CompileOptions &) const = default;
};

} // namespace tessera

#endif // TESSERA_CORE_COMPILEOPTIONS_H
