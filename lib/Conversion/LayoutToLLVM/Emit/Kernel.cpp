//===- Kernel.cpp - the function of a kernel ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Where programs share a block of threads, the last block may have threads without a program: they skip the body.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Copies.h"
#include "Conversion/LayoutToLLVM/Emit/Core.h"
#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"
#include "Conversion/LayoutToLLVM/RecipeAttrs.h"
#include "Conversion/LayoutToLLVM/TensorCopyUnit.h"

#include "tessera-ir/Dialect/Layout/IR/RequiredMultiples.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::ir::gpu {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
using tile::Axis;

static constexpr std::uint64_t kScratchAlignment = 16;
/// Of a descriptor.
static constexpr std::uint64_t kTensorMapBytes = 128, kTensorMapAlignment = 64;

Emitter::State::State(tile::KernelOp kernel, const layout::KernelShape &shape, const EmitOptions &options,
                      const GpuHooks &hooks, const OpTable &table)
    : kernel(kernel), shape(shape), options(options), hooks(hooks), table(table), b(kernel.getContext()),
      loc(kernel.getLoc()), math(b, loc, VectorMathBuilder::Features()),
      border(kernel->getParentOfType<ModuleOp>(), b, loc), wanted(wantedTiles(kernel, masks)) {
  math.takeConstants(code);
}

Emitter::Emitter(tile::KernelOp kernel, const layout::KernelShape &shape, const EmitOptions &options,
                 const GpuHooks &hooks, const OpTable &table)
    : s(std::make_unique<State>(kernel, shape, options, hooks, table)) {}

Emitter::~Emitter() = default;

OpBuilder &Emitter::builder() { return s->b; }
Location Emitter::loc() { return s->loc; }
const EmitOptions &Emitter::options() { return s->options; }
const GpuHooks &Emitter::hooks() { return s->hooks; }
VectorMathBuilder &Emitter::math() { return s->math; }
BorderCalls &Emitter::border() { return s->border; }
Value Emitter::printBuffer() { return s->printBuffer; }
Value Emitter::faultFlag() { return s->faultFlag; }

void Emitter::setLocation(Location where) {
  s->loc = where;
  s->math.setLocation(where);
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

CodeNotes &Emitter::notes() { return s->notes; }

Value atStart(Emitter &e, function_ref<Value()> emit) {
  Emitter::State &s = e.state();
  const Location outer = s.loc;
  OpBuilder::InsertionGuard guard(s.b);
  s.b.setInsertionPoint(s.bodyStart);
  e.setLocation(s.kernel.getLoc());
  const Value code = emit();
  e.setLocation(outer);
  return code;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {

/// What a kernel has besides its parameters.
struct HiddenArguments {
  SmallVector<Operation *> workspaces;
  bool prints = false, checks = false;
  SmallVector<std::int32_t, 3> gridAxes;
};

HiddenArguments hiddenArgumentsOf(Emitter &e) {
  Emitter::State &s = e.state();
  HiddenArguments hidden;
  s.kernel.walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tile::WorkspaceOp>(op))
      hidden.workspaces.push_back(op);
    hidden.prints |= isa<tile::PrintOp>(op);
    hidden.checks |= s.options.checks && isa<tile::AssertOp>(op);
  });
  if (s.options.foldGrid)
    hidden.gridAxes = {0, 1, 2};
  else if (s.shape.programsPerBlock > 1)
    hidden.gridAxes = {0};
  s.tensorMaps.collect(s.kernel, s.exprs);
  return hidden;
}

LLVM::LLVMFuncOp makeFunction(Emitter &e, const HiddenArguments &hidden) {
  Emitter::State &s = e.state();
  const Type pointer = LLVM::LLVMPointerType::get(s.b.getContext(), border::kGlobalSpace);
  SmallVector<Type> parameters;
  for (const Type type : s.kernel.getArgumentTypes())
    parameters.push_back(isa<tile::PtrType>(type) ? pointer : storedType(type));
  parameters.append(hidden.workspaces.size() + hidden.prints + hidden.checks, pointer);
  parameters.append(hidden.gridAxes.size(), s.b.getI64Type());
  const auto firstMap = static_cast<unsigned>(parameters.size());
  parameters.append(s.tensorMaps.recipes().size(), LLVM::LLVMPointerType::get(s.b.getContext()));
  s.b.setInsertionPoint(s.kernel);
  // The kernel has this name until it is erased.
  auto function =
      LLVM::LLVMFuncOp::create(s.b, s.loc, s.kernel.getSymName(),
                               LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(s.b.getContext()), parameters));
  const auto contents = mlir::TypeAttr::get(LLVM::LLVMArrayType::get(s.b.getI8Type(), kTensorMapBytes));
  for (unsigned number = firstMap; number != parameters.size(); ++number) {
    function.setArgAttr(number, LLVM::LLVMDialect::getByValAttrName(), contents);
    function.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(), s.b.getI64IntegerAttr(kTensorMapAlignment));
  }
  return function;
}

/// Lets the function's arguments stand for what they hold.
void takeArguments(Emitter &e, Block &entry, const HiddenArguments &hidden) {
  Emitter::State &s = e.state();
  auto next = entry.args_begin();
  const auto address = [&]() -> Value { return LLVM::PtrToIntOp::create(s.b, s.loc, s.b.getI64Type(), *next++); };
  for (Value parameter : s.kernel.getArguments()) {
    const Type type = parameter.getType();
    if (isa<tile::PtrType>(type))
      e.setScalar(parameter, address());
    else if (type.isInteger(1))
      e.setScalar(parameter, s.math.neI(*next++, e.integer(8, 0)));
    else
      e.setScalar(parameter, *next++);
  }
  for (Operation *workspace : hidden.workspaces)
    s.workspaces[workspace] = address();
  if (hidden.prints)
    s.printBuffer = *next++;
  if (hidden.checks)
    s.faultFlag = *next++;
  for (const std::int32_t axis : hidden.gridAxes)
    s.programCounts[static_cast<unsigned>(axis)] = *next++;
  for ([[maybe_unused]] const rt::TensorMapRecipe &recipe : s.tensorMaps.recipes())
    s.tensorMaps.codes.push_back(*next++);
}

/// Brings the descriptors near before they are used.
void prefetchTensorMaps(Emitter &e) {
  const TensorCopyUnit *const unit = e.hooks().tensorCopyUnit();
  const ArrayRef<Value> maps = e.state().tensorMaps.codes;
  if (unit && !maps.empty())
    e.ifThen(e.math().eqI(e.threadInProgram(), e.i32(0)), [&] {
      for (Value map : maps)
        unit->prefetch(e, map);
    });
}

void setFacts(Emitter &e, const HiddenArguments &hidden) {
  Emitter::State &s = e.state();
  const auto number = [&](StringRef name, std::int64_t value) {
    s.function->setAttr(name, s.b.getI64IntegerAttr(value));
  };
  number(kThreads, s.shape.threadsOfBlock());
  number(kProgramsPerBlock, s.shape.programsPerBlock);
  number(kBlocks, s.shape.numBlocks);
  number(kSharedBytes, s.programSharedBytes * s.shape.programsPerBlock);
  if (const Attribute multiples = s.kernel->getAttr(layout::kRequiredMultiples))
    s.function->setAttr(kRequiredMultiples, multiples);
  s.function->setAttr(kSites, s.b.getArrayAttr(s.sites));
  s.notes.attach(s.function);
  if (hidden.prints)
    s.function->setAttr(kPrints, s.b.getUnitAttr());
  if (hidden.checks)
    s.function->setAttr(kChecks, s.b.getUnitAttr());
  if (!hidden.gridAxes.empty())
    s.function->setAttr(kGridAxes, s.b.getI32ArrayAttr(hidden.gridAxes));
  const auto list = [&](StringRef name, const auto &recipes) {
    SmallVector<Attribute> attributes;
    for (const auto &recipe : recipes)
      attributes.push_back(attributeOf(s.b, recipe));
    if (!attributes.empty())
      s.function->setAttr(name, s.b.getArrayAttr(attributes));
  };
  list(kTensorMaps, s.tensorMaps.recipes());
  list(kRequirements, s.tensorMaps.requirements());
}

} // namespace

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// \p number (i32, never negative) as an i64.
static Value widened(Emitter &e, Value number) { return e.math().zeroExtend(number, 64); }

/// The number of this thread's program on axis x of the launch.
static Value programOnX(Emitter &e) {
  Emitter::State &s = e.state();
  const Value block = widened(e, s.border.blockId(border::Axis::X));
  if (s.shape.numBlocks != 1)
    return e.math().shrU(block, llvm::Log2_64(static_cast<std::uint64_t>(s.shape.numBlocks)));
  if (s.shape.programsPerBlock == 1)
    return block;
  return e.add(e.mul(block, e.i64(s.shape.programsPerBlock)), widened(e, programInBlock(e)));
}

Value Emitter::numPrograms(Axis axis) {
  Value &known = s->programCounts[static_cast<unsigned>(axis)];
  if (!known)
    known = atStart(*this, [&]() -> Value {
      const Value blocks = widened(*this, s->border.numBlocks(static_cast<border::Axis>(axis)));
      if (axis != Axis::X || s->shape.numBlocks == 1)
        return blocks;
      return s->math.shrU(blocks, llvm::Log2_64(static_cast<std::uint64_t>(s->shape.numBlocks)));
    });
  return known;
}

Value Emitter::programId(Axis axis) {
  Value &known = s->programIds[static_cast<unsigned>(axis)];
  if (known)
    return known;
  known = atStart(*this, [&]() -> Value {
    if (!s->options.foldGrid)
      return axis == Axis::X ? programOnX(*this) : widened(*this, s->border.blockId(static_cast<border::Axis>(axis)));
    Value rest = programOnX(*this);
    for (const Axis inner : {Axis::X, Axis::Y}) {
      const Value extent = numPrograms(inner);
      if (inner == axis)
        return arith::RemUIOp::create(s->b, s->loc, rest, extent);
      rest = arith::DivUIOp::create(s->b, s->loc, rest, extent);
    }
    return rest;
  });
  return known;
}

/// Whether this thread has a program, if some have none.
static Value hasProgram(Emitter &e) {
  Emitter::State &s = e.state();
  if (s.shape.programsPerBlock == 1)
    return {};
  Value count = e.numPrograms(Axis::X);
  if (s.options.foldGrid)
    count = e.mul(e.mul(count, e.numPrograms(Axis::Y)), e.numPrograms(Axis::Z));
  return s.math.ltU(s.options.foldGrid ? programOnX(e) : e.programId(Axis::X), count);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// Puts what the emitter itself needs of shared memory behind what the kernel's buffers have.
static void placeScratch(Emitter &e) {
  Emitter::State &s = e.state();
  const std::int64_t buffers = layout::sharedBytesOf(s.kernel).value_or(0) / s.shape.programsPerBlock;
  const std::int64_t scratch = scratchBytes(e, s.kernel);
  s.scratchOffset = llvm::alignTo(buffers, kScratchAlignment);
  s.programSharedBytes = scratch ? s.scratchOffset + llvm::alignTo(scratch, kScratchAlignment) : buffers;
}

LogicalResult Emitter::emitKernel() {
  placeScratch(*this);
  const HiddenArguments hidden = hiddenArgumentsOf(*this);
  s->function = makeFunction(*this, hidden);
  Block *const entry = s->function.addEntryBlock(s->b);
  s->b.setInsertionPointToStart(entry);
  s->code.setConstants(entry);
  takeArguments(*this, *entry, hidden);
  // Stands for the place until the body is there.
  Operation *const mark = LLVM::UndefOp::create(s->b, s->loc, s->b.getI1Type());
  s->bodyStart = mark;
  prefetchTensorMaps(*this);
  if (const Value goesOn = hasProgram(*this))
    ifThen(goesOn, [&] { emitBlock(s->kernel.getBody().front()); });
  else
    emitBlock(s->kernel.getBody().front());
  setLocation(s->kernel.getLoc());
  LLVM::ReturnOp::create(s->b, s->loc, ValueRange());
  mark->erase();
  setFacts(*this, hidden);
  if (!s->failed)
    return success();
  s->function.erase(); // the kernel of that name is still there
  return failure();
}

/// Whether nothing needs what \p op makes.
static bool isIdle(Operation &op, Emitter &e) {
  return op.getNumResults() && op.getNumRegions() == 0 && mlir::isMemoryEffectFree(&op) &&
         llvm::none_of(op.getResults(),
                       [&](Value result) { return !isa<RankedTensorType>(result.getType()) || e.isWanted(result); });
}

void Emitter::emitBlock(Block &block) {
  const Location outer = s->loc;
  for (Operation &op : block.without_terminator()) {
    if (isIdle(op, *this))
      continue;
    setLocation(op.getLoc());
    if (emitBounds(op, *this))
      continue;
    if (const EmitFn emit = s->table.find(op.getName().getStringRef()))
      emit(op, *this);
    else
      emitElementwiseOp(op, *this);
  }
  setLocation(outer);
}

} // namespace tessera::ir::gpu
