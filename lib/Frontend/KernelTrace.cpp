//===- KernelTrace.cpp - from a kernel's function to tile IR -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Frontend/KernelTrace.h"

#include "Frontend/Recorder.h"
#include "IRSupport/Locations.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::detail {

ParamBinder::~ParamBinder() = default;

} // namespace tessera::detail

namespace tessera::ir {

using tessera::detail::KernelSpec;
using tessera::detail::ParamLeaf;
using tessera::detail::ParamList;
using tessera::detail::Specialization;

void loadTraceDialects(MLIRContext &context) {
  context.loadDialect<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect>();
}

static bool bitAt(const std::vector<bool> &bits, std::size_t index) { return index < bits.size() && bits[index]; }

namespace {

/// One argument of the compiled kernel: a leaf that is there, with its element type bound.
struct Argument {
  ParamLeaf leaf;
  DType dtype; ///< of the value: of a pointer, the pointer type
};

/// Hands out the arguments of the kernel's block.
class BlockBinder final : public tessera::detail::ParamBinder {
public:
  BlockBinder(const KernelSpec &spec, std::vector<bool> present, const std::vector<Argument> &arguments,
              const Specialization &specialization, Block &block)
      : isPresent(std::move(present)), arguments(arguments), specialization(specialization), block(block) {
    at = spec.at;
  }
  tessera::detail::Snapshot next() override {
    const std::size_t index = nextArgument++;
    Recorder r(at);
    const DType dtype = arguments[index].dtype;
    if (bitAt(specialization.unit, index))
      return r.snapshot(r.constantInt(dtype, 1));
    return r.snapshot({block.getArgument(static_cast<unsigned>(index)), dtype});
  }
  bool present() override { return isPresent[nextOptional++]; }
  void skip(std::size_t, std::size_t optionals) override { nextOptional += optionals; }

private:
  std::vector<bool> isPresent;
  const std::vector<Argument> &arguments;
  const Specialization &specialization;
  Block &block;
  std::size_t nextArgument = 0, nextOptional = 0;
};

} // namespace

static void checkKernelName(const KernelSpec &spec) {
  const auto isLetter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto isInName = [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); };
  if (spec.name.empty() || !isLetter(spec.name.front()) || !std::all_of(spec.name.begin(), spec.name.end(), isInName))
    throw UsageError(spec.at,
                     fmt::format("a kernel is named \"{}\"; a name is letters, digits and _, and does not begin with "
                                 "a digit",
                                 spec.name));
}

/// Missing names are filled in, but a name without a parameter is a mistake: all after it would be off by one.
static void checkParameterNames(const KernelSpec &spec, const ParamList &params) {
  if (spec.names.size() > params.parameters)
    throw UsageError(spec.at,
                     fmt::format("kernel {} has {} parameter{} after its config, but {} names; give at most "
                                 "one name a parameter, and none to the config",
                                 spec.name, params.parameters, params.parameters == 1 ? "" : "s", spec.names.size()));
}

/// Which Opts are there: those inside an absent one are not.
static std::vector<bool> presentOptionals(const ParamList &params, const Specialization &specialization) {
  std::vector<bool> present;
  for (std::size_t i = 0; i < params.optionals.size(); ++i) {
    const int outer = params.optionals[i];
    present.push_back(bitAt(specialization.present, i) && (outer < 0 || present[static_cast<std::size_t>(outer)]));
  }
  return present;
}

static std::vector<Argument> bindArguments(const KernelSpec &spec, const ParamList &params,
                                           const std::vector<bool> &present, const Specialization &specialization) {
  std::vector<Argument> arguments;
  std::size_t nextAny = 0;
  for (const ParamLeaf &leaf : params.leaves) {
    if (leaf.optional >= 0 && !present[static_cast<std::size_t>(leaf.optional)])
      continue;
    DType dtype = leaf.dtype;
    if (leaf.form == ParamLeaf::Form::Pointer) {
      if (dtype.kind == Kind::Any) {
        const std::uint8_t levels = dtype.pointers;
        if (nextAny >= specialization.any.size() || specialization.any[nextAny].kind <= Kind::Any)
          throw UsageError(spec.at,
                           fmt::format("the element type of parameter {} of kernel {} is not bound; pass a typed "
                                       "pointer or buffer for a Ptr<any>",
                                       leaf.path, spec.name));
        dtype = specialization.any[nextAny++];
        dtype.pointers = static_cast<std::uint8_t>(dtype.pointers + levels);
      }
      dtype = ptr_to(dtype);
    }
    arguments.push_back({leaf, dtype});
  }
  return arguments;
}

static tile::KernelOp makeKernel(const KernelSpec &spec, const std::vector<Argument> &arguments,
                                 const Specialization &specialization, ModuleOp module, Location loc) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> types;
  SmallVector<Location> places;
  for (const Argument &argument : arguments) {
    types.push_back(elementType(builder.getContext(), argument.dtype));
    places.push_back(namedLocation(argument.leaf.path, loc));
  }
  auto kernel = tile::KernelOp::create(builder, loc, spec.name, types, places);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto index = static_cast<unsigned>(i);
    const ParamLeaf &leaf = arguments[i].leaf;
    if (bitAt(specialization.aligned, i) && (leaf.form == ParamLeaf::Form::Pointer || leaf.dtype.isInt()))
      kernel.setArgAttr(index, tile::TileDialect::kMultipleOf, builder.getI64IntegerAttr(16));
    if (leaf.zeroed)
      kernel.setArgAttr(index, tile::TileDialect::kZeroed, builder.getUnitAttr());
    if (leaf.mayAlias)
      kernel.setArgAttr(index, tile::TileDialect::kMayAlias, builder.getUnitAttr());
  }
  return kernel;
}

/// What we build is right whatever the user wrote; if not, it is our fault.
static void checkModule(const KernelSpec &spec, ModuleOp module) {
  std::string words;
  mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    llvm::raw_string_ostream stream(words);
    stream << (words.empty() ? "" : "; ") << diagnostic.getLocation() << ": " << diagnostic;
    return success();
  });
  if (failed(mlir::verify(module)))
    throw InternalError(fmt::format("the recording of kernel {} is not valid: {}", spec.name, words));
}

OwningOpRef<ModuleOp> traceKernel(const KernelSpec &spec, const Specialization &specialization, MLIRContext &context) {
  checkKernelName(spec);
  loadTraceDialects(context);
  const ParamList params = spec.describe(spec.names);
  checkParameterNames(spec, params);
  const std::vector<bool> present = presentOptionals(params, specialization);
  const std::vector<Argument> arguments = bindArguments(spec, params, present, specialization);
  const Location loc = placeLocation(&context, spec.at);

  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  tile::KernelOp kernel = makeKernel(spec, arguments, specialization, *module, loc);
  {
    Block &body = kernel.getBody().front();
    Trace trace(&body, spec.at);
    BlockBinder binder(spec, present, arguments, specialization, body);
    spec.body(binder);
    trace.finish();
    tile::ReturnOp::create(trace.builder, loc);
  }
  checkModule(spec, *module);
  return module;
}

} // namespace tessera::ir
