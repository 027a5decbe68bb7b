//===- KernelSpec.h - what a trace of a kernel starts from -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The border between the language, which makes these, the launcher, which chooses a specialization, and the tracer,
// which turns both into IR.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_KERNELSPEC_H
#define TESSERA_LANG_KERNELSPEC_H

#include "tessera/lang/Value.h"

#include <functional>
#include <string>
#include <vector>

namespace tessera::detail {

/// One argument of the compiled kernel.
struct ParamLeaf {
  enum class Form : std::uint8_t { Pointer, Scalar };
  enum class Role : std::uint8_t { Plain, ViewBase, ViewExtent, ViewStride };
  Form form = Form::Scalar;
  Role role = Role::Plain;
  bool zeroed = false;
  bool mayAlias = false;
  DType dtype;         ///< the scalar's type; of a pointer, the element type (`any`: bound at launch)
  int optional = -1;   ///< the innermost Opt around it, -1 if always there
  int axis = 0;        ///< of a view's extent or stride
  int viewRank = 0;    ///< of a view's leaves
  int contiguous = -1; ///< of a view's leaves: the contiguous axis of its type
  std::string path;    ///< "x", "w.scale", "a.stride0", "w.2"
};

/// All leaves of a kernel's parameters, in order.
struct ParamList {
  std::vector<ParamLeaf> leaves;
  std::size_t parameters = 0; ///< how many there are after the config, each of one leaf or more
  std::vector<int> optionals; ///< for each Opt, in order, the Opt around it or -1
};

/// What is known of a kernel's arguments when it is traced. Lists that are too short read as "no", the list of dtypes
/// as an error. *Traced arguments* are the leaves of the parameters, depth first, without those of absent Opts.
struct Specialization {
  std::vector<DType> any = {};    ///< the element type of each present Ptr<any> or View<any, ...>, depth first
  std::vector<bool> present = {}; ///< one an Opt, depth first; those inside an absent one count, as absent
  std::vector<bool> unit = {};    ///< one a traced argument: this integer is 1 and is folded into the code
  std::vector<bool> aligned = {}; ///< one a traced argument: the address or the integer is a multiple of 16
};

/// Hands a kernel's function its parameters while it is traced, leaf by leaf.
class TESSERA_API ParamBinder {
public:
  virtual Snapshot next() = 0;
  /// Whether the next Opt is there.
  virtual bool present() = 0;
  /// Steps over an absent Opt that holds \p leaves and, inside, \p optionals.
  virtual void skip(std::size_t leaves, std::size_t optionals) = 0;
  std::source_location at;

protected:
  ParamBinder() = default;
  ~ParamBinder();
};

/// A kernel with its config fixed: all that tracing needs. A plain value.
struct KernelSpec {
  std::string name;
  std::source_location at;        ///< of the call of `kernel`
  std::vector<std::string> names; ///< of the parameters after the config; missing ones become "arg<i>"
  /// The leaves of the parameters under the given names.
  std::function<ParamList(const std::vector<std::string> &names)> describe;
  /// Runs the user's function on the current trace.
  std::function<void(ParamBinder &binder)> body;
};

} // namespace tessera::detail

#endif // TESSERA_LANG_KERNELSPEC_H
