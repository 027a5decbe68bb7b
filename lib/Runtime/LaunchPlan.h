//===- LaunchPlan.h - a kernel loaded onto a device ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The second half of every launch: from the caller's arguments to the driver. It packs them, computes the hidden ones
// by the image's recipes and enqueues the launch. Kernels without hidden memory launch without a lock and without
// allocating. Descriptors are kept while the arguments that they are made of stay the same.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_LAUNCHPLAN_H
#define TESSERA_RUNTIME_LAUNCHPLAN_H

#include "Runtime/DescriptorCache.h"
#include "Runtime/DeviceState.h"
#include "Runtime/Image.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tessera::rt {

/// Why a launch cannot be: thrown by LaunchPlan::launch, made a UsageError at the user's line by its caller.
struct LaunchProblem {
  std::string words;
  int argument = -1; ///< number of the caller's argument that the words are said of
};

/// One argument of the caller: a number or address in the low bytes, and what a pointer is known to span.
struct CallArgument {
  std::uint64_t bits = 0;
  std::uint64_t bytes = 0; ///< of a pointer, if `sized`
  bool sized = false;
  bool readOnly = false; ///< a pointer to const
};

/// An image on a device. Immutable; launches may come from any thread.
class LaunchPlan {
public:
  /// Loads \p image. InternalError if it breaks the ABI, DeviceError if the driver refuses it.
  LaunchPlan(DeviceState &device, const Image &image);
  ~LaunchPlan();

  /// Enqueues a launch of \p programs, none of them zero, on a stream of this plan's device. \p arguments are those of
  /// the caller in the image's order. False, and nothing done, if they break a requirement of the image. UsageError if
  /// a recipe cannot be computed from them.
  bool launch(StreamState &stream, const std::array<std::int64_t, 3> &programs,
              std::span<const CallArgument> arguments) const;

  DeviceState &device() const { return state; }
  /// How many arguments the caller gives.
  std::size_t callerArguments() const { return callers; }
  /// Everything but the binary, with the facts that loading found.
  const Image &description() const { return image; }

private:
  struct Block;
  /// Where an argument of the caller goes: what packing every launch reads of it.
  struct Packing {
    std::uint32_t offset, bytes;
    bool pointer;
  };
  ExprInputs inputs(const Block &block, const std::array<std::int64_t, 3> &programs) const;
  std::int64_t evaluate(const Expr &expr, const ExprInputs &inputs, const char *what, const Argument *argument) const;
  void pack(Block &block, std::span<const CallArgument> arguments) const;
  void zero(StreamState &stream, const Block &block) const;
  void findInputs();
  bool meetsRequirements(const ExprInputs &inputs) const;
  std::span<const std::int64_t> keyOf(Block &block, const ExprInputs &inputs) const;
  void fillHidden(StreamState &stream, Block &block, const ExprInputs &inputs, bool hasDescriptors) const;
  std::array<std::int64_t, 3> gridFor(const std::array<std::int64_t, 3> &programs, const ExprInputs &inputs) const;
  DeviceRecords &recordsOn(StreamState &stream, const ExprInputs &inputs) const;
  void encode(const Argument &argument, Block &block, const ExprInputs &inputs) const;
  void enqueue(StreamState &stream, Block &block, const std::array<std::int64_t, 3> &grid) const;

  DeviceState &state;
  const std::uint64_t id; ///< unlike the address, never used twice
  Image image;
  std::unique_ptr<LoadedKernel> loaded;
  std::size_t callers = 0;
  std::vector<Packing> packing;                 ///< of the caller's arguments
  bool zeroes = false;                          ///< some caller's argument is to be zeroed
  bool hidden = false;                          ///< there are hidden arguments, requirements or a computed grid
  bool borrows = false;                         ///< some hidden argument is memory of the stream's
  bool clustered = false;                       ///< programs start in groups that divide the grid
  bool records = false;                         ///< the kernel prints or checks
  std::unique_ptr<DescriptorCache> descriptors; ///< null for kernels without
  std::vector<int> inputArguments;              ///< that descriptors are made of and requirements are about
  bool inputPrograms = false;                   ///< so is the grid
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_LAUNCHPLAN_H
