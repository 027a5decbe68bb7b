//===- Kernel.cpp - the function of a kernel ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The function runs the programs `x0 <= x < x1` of one row of the grid. It finds its arguments in the packed block of
// the launch, which is laid out as rt::Image::layOut() does: parameters, workspaces in the order of a walk, the print
// buffer, the fault flag.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"
#include "Conversion/TileToHost/TileToHost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::ir::host {

namespace LLVM = mlir::LLVM;

/// The largest arena of a thread.
static constexpr uint64_t kMostArenaBytes = uint64_t{1} << 30;

Emitter::Emitter(tile::KernelOp kernel, const Plan &plan, const HostOptions &options, const OpTable &table)
    : s(std::make_unique<State>(kernel, plan, options, table)) {
  s->math.emplace(s->b, s->loc, VectorMathBuilder::Features{options.hasFma, options.hasF16C});
  const auto name = [&](StringRef text) { return StringAttr::get(kernel.getContext(), text); };
  const auto domain = LLVM::AliasScopeDomainAttr::get(kernel.getContext(), name("memory"), name("memory"));
  const auto scope = [&](StringRef text) {
    return LLVM::AliasScopeAttr::get(kernel.getContext(), name(text), domain, name(text));
  };
  s->arenaScope = scope("arena");
  s->argumentScope = scope("arguments");
}

Emitter::~Emitter() = default;

OpBuilder &Emitter::builder() { return s->b; }
Location Emitter::loc() { return s->loc; }
const Plan &Emitter::plan() { return s->plan; }
const HostOptions &Emitter::options() { return s->options; }
MathBuilder &Emitter::math() { return *s->math; }
Value Emitter::programId(tile::Axis axis) { return s->programIds[static_cast<unsigned>(axis)]; }
Value Emitter::numPrograms(tile::Axis axis) { return s->programCounts[static_cast<unsigned>(axis)]; }
Value Emitter::printBuffer() { return s->printBuffer; }
Value Emitter::faultFlag() { return s->faultFlag; }

void Emitter::setLocation(Location where) {
  s->loc = where;
  s->math->setLocation(where);
}

void Emitter::refuse(Operation &op, const Twine &why) {
  // One error is enough: the others often follow from it.
  if (!s->failed)
    op.emitError("`") << op.getName() << "` " << why;
  s->failed = true;
}

unsigned Emitter::addSite(DictionaryAttr site) {
  s->sites.push_back(site);
  return static_cast<unsigned>(s->sites.size() - 1);
}

void forget(Emitter &e) {
  e.state().memo.clear();
  e.state().boundMasks.clear();
}

//===----------------------------------------------------------------------===//
// The packed block
//===----------------------------------------------------------------------===//

namespace {

/// Reads arguments one after another.
class PackedBlock {
public:
  PackedBlock(Emitter &e, Value pointer) : e(e), pointer(pointer) {}

  /// The next argument, which is of the element type \p element.
  Value next(Type element) {
    const unsigned bytes = storedBytes(element);
    offset = llvm::alignTo(offset, bytes);
    const Value place = LLVM::GEPOp::create(e.builder(), e.loc(), pointer.getType(), e.builder().getI8Type(), pointer,
                                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
    offset += bytes;
    return e.load(element, 1, place, Space::Arguments);
  }
  Value nextPointer() { return e.toPointer(next(e.builder().getI64Type())); }

private:
  Emitter &e;
  Value pointer;
  uint64_t offset = 0;
};

} // namespace

static void loadArguments(Emitter &e, Value packed) {
  Emitter::State &s = e.state();
  PackedBlock block(e, packed);
  for (Value parameter : s.kernel.getArguments())
    e.setScalar(parameter, block.next(parameter.getType()));
  bool prints = false, asserts = false;
  s.kernel.walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tile::WorkspaceOp>(op))
      s.workspaces[op] = block.next(op->getResult(0).getType());
    prints |= isa<tile::PrintOp>(op);
    asserts |= isa<tile::AssertOp>(op);
  });
  if (prints)
    s.printBuffer = block.nextPointer();
  if (asserts && s.options.checks)
    s.faultFlag = block.nextPointer();
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static LLVM::LLVMFuncOp makeFunction(Emitter &e) {
  Emitter::State &s = e.state();
  const Type pointer = LLVM::LLVMPointerType::get(s.b.getContext()), i64 = s.b.getI64Type();
  const auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(s.b.getContext()),
                                                {pointer, pointer, pointer, i64, i64, i64, i64});
  s.b.setInsertionPoint(s.kernel);
  // The kernel has this name until it is erased.
  auto function = LLVM::LLVMFuncOp::create(s.b, s.loc, s.kernel.getSymName(), type);
  function.setArgAttr(2, LLVM::LLVMDialect::getNoAliasAttrName(), s.b.getUnitAttr());
  return function;
}

LogicalResult Emitter::emitKernel() {
  s->function = makeFunction(*this);
  Block *const entry = s->function.addEntryBlock(s->b);
  s->b.setInsertionPointToStart(entry);
  s->code.setConstants(entry);
  const Value packed = entry->getArgument(0);
  s->grid = entry->getArgument(1);
  s->arena = entry->getArgument(2);
  for (unsigned axis = 0; axis != 3; ++axis) {
    const Value place = elementPointer(s->grid, i64(axis), s->b.getI64Type());
    s->programCounts[axis] = load(s->b.getI64Type(), 1, place, Space::Arguments);
  }
  loadArguments(*this, packed);
  s->programIds[1] = entry->getArgument(5);
  s->programIds[2] = entry->getArgument(6);
  forRange(entry->getArgument(3), entry->getArgument(4), 1, [&](Value x) {
    s->programIds[0] = x;
    emitSteps(*this, s->kernel.getBody().front());
  });
  setLocation(s->kernel.getLoc());
  LLVM::ReturnOp::create(s->b, s->loc, ValueRange());

  if (!s->failed && arenaBytes(*this) > kMostArenaBytes) {
    s->kernel.emitError("needs ") << arenaBytes(*this) << " bytes for its tiles, and a thread has " << kMostArenaBytes
                                  << "; take smaller blocks";
    s->failed = true;
  }
  s->function->setAttr(kArenaBytes, s->b.getI64IntegerAttr(static_cast<int64_t>(arenaBytes(*this))));
  s->function->setAttr(kSites, s->b.getArrayAttr(s->sites));
  if (s->printBuffer) {
    s->function->setAttr(kPrints, s->b.getUnitAttr());
    s->function->setAttr(kInGridOrder, s->b.getUnitAttr());
  }
  if (s->faultFlag)
    s->function->setAttr(kChecks, s->b.getUnitAttr());
  if (!s->failed)
    return success();
  s->function.erase(); // the kernel of that name is still there
  return failure();
}

void emitSteps(Emitter &e, Block &block) {
  Emitter::State &s = e.state();
  const Location outer = s.loc;
  for (const Step &step : s.plan.steps(&block)) {
    const uint64_t keep = s.scratchUsed;
    forget(e);
    if (step.op)
      e.setLocation(step.op->getLoc());
    switch (step.kind) {
    case Step::Scalar:
      emitScalarStep(e, *step.op);
      break;
    case Step::Group:
      emitGroup(e, s.plan.group(step.group));
      break;
    case Step::Structured:
      if (const EmitFn emit = s.table.find(step.op->getName().getStringRef()))
        emit(*step.op, e);
      else
        emitScalarStep(e, *step.op); // from a tile to scalars: a reshape, a split
      break;
    case Step::Region:
      emitRegionStep(e, *step.op);
      break;
    }
    s.scratchUsed = keep;
  }
  forget(e);
  e.setLocation(outer);
}

} // namespace tessera::ir::host
