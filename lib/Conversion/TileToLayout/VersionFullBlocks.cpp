//===- VersionFullBlocks.cpp - a version with wide accesses ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %m = arith.cmpi slt, %at, %n   %v = tile.load %x mask %m
// After:   scf.if (the program is inside %n, and addresses are aligned) { %v = tile.load %hinted }
//          else { %m = ...   %v = tile.load %x mask %m }
// Needs:   canonical form.  Gives: no bound in the first version that a program inside it need not look at.
// Place:   before layouts are chosen, which are then those that suit each version.
// Numerics: none.
//
// Some facts make accesses wide: that arguments are multiples, which a test of their lowest bits tells, and that a mask
// is true in all lanes, which one test of its bounds tells where these follow from arguments and the program's place
// alone. The version assumes as few of them as it takes. Facts about multiples reach later passes as `tile.hint`.
//
// Where multiples suffice and the launcher has another variant for arguments that are none, it is left to choose: one
// version has the registers that it needs itself, and is compiled in half the time.
//
//===---------------------------------------------------------------------===//

#include "Analysis/MaskForm.h"
#include "Analysis/WideAccess.h"
#include "Conversion/TileToLayout/NarrowPrograms.h"
#include "Conversion/TileToLayout/UniformTests.h"

#include "tessera-ir/Conversion/TileToLayout/Passes.h"
#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Layout/IR/RequiredMultiples.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <numeric>

namespace tessera::ir::layout {

#define GEN_PASS_DEF_VERSIONFULLBLOCKSPASS
#include "tessera-ir/Conversion/TileToLayout/Passes.h.inc"

namespace arith = mlir::arith;
namespace scf = mlir::scf;

namespace {

/// What the fast version takes for granted.
struct Assumptions {
  llvm::SetVector<Value> fullMasks;       ///< true in all lanes, but for scalars in them
  llvm::SetVector<Operation *> fullViews; ///< accesses of views with everything in bounds
  /// Of arguments.
  AxisInfos::Assumptions divisors = AxisInfos::Assumptions();

  /// Whether arguments decide, and not where a program stands.
  bool areOfArguments() const { return fullMasks.empty() && fullViews.empty(); }
};

/// Lets the launcher see to what \p assumed says of arguments.
void require(tile::KernelOp kernel, const Assumptions &assumed) {
  OpBuilder builder(kernel.getContext());
  SmallVector<int64_t> multiples;
  for (BlockArgument argument : kernel.getArguments()) {
    const int64_t divisor = std::max<int64_t>(1, assumed.divisors.lookup(argument));
    multiples.push_back(divisor);
    if (divisor == 1)
      continue;
    const unsigned number = argument.getArgNumber();
    auto known = kernel.getArgAttrOfType<IntegerAttr>(number, tile::TileDialect::kMultipleOf);
    const int64_t both = known ? std::lcm(known.getInt(), divisor) : divisor;
    kernel.setArgAttr(number, tile::TileDialect::kMultipleOf, builder.getI64IntegerAttr(both));
  }
  kernel->setAttr(kRequiredMultiples, builder.getDenseI64ArrayAttr(multiples));
}

/// Finds the assumptions for one kernel.
class Planner {
public:
  Planner(tile::KernelOp kernel, int64_t mostBytes, int64_t threads)
      : kernel(kernel), mostBytes(mostBytes), threads(threads), affine(exprs), masks(affine), tests(kernel) {}

  /// Nothing if no assumption makes accesses wider.
  std::optional<Assumptions> plan() {
    kernel.getBody().walk([&](Operation *op) {
      if (isa<tile::LoadOp, tile::StoreOp, tile::ViewLoadOp, tile::ViewStoreOp>(op))
        accesses.push_back(op);
    });
    const SmallVector<int64_t> before = widthsWith(Assumptions());
    Assumptions all;
    for (BlockArgument argument : kernel.getArguments())
      if (isa<IntegerType, tile::PtrType>(argument.getType()) && !argument.getType().isInteger(1))
        all.divisors[argument] = isa<tile::PtrType>(argument.getType()) ? mostBytes : kMostElements;
    for (Operation *op : accesses) {
      if (isa<tile::ViewLoadOp, tile::ViewStoreOp>(op)) {
        if (canBeFull(masks.accessOf(op)->mask, masks.accessOf(op)->shape))
          all.fullViews.insert(op);
      } else if (Value mask = maskOf(op); mask && isa<RankedTensorType>(mask.getType())) {
        if (canBeFull(masks.of(mask), tile::shapeOf(mask.getType())))
          all.fullMasks.insert(mask);
      }
    }
    wanted = widthsWith(all);
    if (llvm::none_of(llvm::zip_equal(wanted, before), [](auto pair) { return std::get<0>(pair) > std::get<1>(pair); }))
      return std::nullopt;
    return fewest(std::move(all));
  }

  static Value maskOf(Operation *op) {
    if (auto load = dyn_cast<tile::LoadOp>(op))
      return load.getMask();
    if (auto store = dyn_cast<tile::StoreOp>(op))
      return store.getMask();
    return {};
  }

  MaskForms &getMasks() { return masks; }

private:
  /// Multiples that variants of kernels are made for: more is not worth a test.
  static constexpr int64_t kMostElements = 16;

  /// Whether one test at the start tells that the box is full, and often does so: it asks where the program stands.
  bool canBeFull(const MaskForm &mask, ArrayRef<int64_t> shape) const {
    if (!mask.rest.empty())
      return false;
    const std::optional<SmallVector<Condition>> conditions = conditionsOfFull(mask, shape);
    return conditions && tests.canTest(*conditions) && tests.dependsOnProgram(*conditions);
  }

  SmallVector<int64_t> widthsWith(const Assumptions &assumed) {
    const AxisInfos infos(kernel, affine, assumed.divisors);
    SmallVector<int64_t> widths;
    for (Operation *op : accesses) {
      const Value mask = maskOf(op);
      const bool isFull = assumed.fullViews.contains(op) || (mask && assumed.fullMasks.contains(mask));
      const std::optional<WideAccess> access = wideAccessOf(op, infos, affine, mostBytes, isFull);
      widths.push_back(access ? std::min(access->elements, shareOf(op)) : 1);
    }
    return widths;
  }

  /// Elements of the access for each thread.
  int64_t shareOf(Operation *op) const {
    Type type = op->getNumResults() != 0 ? op->getResult(0).getType() : op->getOperand(0).getType();
    if (auto store = dyn_cast<tile::ViewStoreOp>(op))
      type = store.getValue().getType();
    return std::max<int64_t>(1, tile::elementCountOf(type) / threads);
  }

  bool suffices(const Assumptions &assumed) { return widthsWith(assumed) == wanted; }

  /// The same widths from less.
  Assumptions fewest(Assumptions assumed) {
    for (BlockArgument argument : kernel.getArguments()) {
      if (!assumed.divisors.contains(argument))
        continue;
      const int64_t most = assumed.divisors[argument];
      for (int64_t divisor = 1; divisor < most; divisor *= 2) {
        assumed.divisors[argument] = divisor;
        if (suffices(assumed))
          break;
        assumed.divisors[argument] = most;
      }
      if (assumed.divisors[argument] == 1)
        assumed.divisors.erase(argument);
    }
    for (Value mask : SmallVector<Value>(assumed.fullMasks.begin(), assumed.fullMasks.end())) {
      assumed.fullMasks.remove(mask);
      if (!suffices(assumed))
        assumed.fullMasks.insert(mask);
    }
    for (Operation *view : SmallVector<Operation *>(assumed.fullViews.begin(), assumed.fullViews.end())) {
      assumed.fullViews.remove(view);
      if (!suffices(assumed))
        assumed.fullViews.insert(view);
    }
    return assumed;
  }

  tile::KernelOp kernel;
  const int64_t mostBytes, threads;
  UniformExprs exprs;
  AffineForms affine;
  MaskForms masks;
  UniformTests tests;
  SmallVector<Operation *> accesses;
  SmallVector<int64_t> wanted;
};

/// Writes the two versions.
class Writer {
public:
  Writer(tile::KernelOp kernel, MaskForms &masks, const Assumptions &assumed)
      : kernel(kernel), masks(masks), assumed(assumed), tests(kernel), builder(kernel.getContext()),
        loc(kernel.getLoc()) {}

  void run() {
    Block &body = kernel.getBody().front();
    // Everything from here on is the general version, but for what must stand in the kernel itself.
    SmallVector<Operation *> ops;
    for (Operation &op : body.without_terminator())
      ops.push_back(&op);
    builder.setInsertionPointToStart(&body);
    const Value condition = test();
    if (!condition)
      return; // it always holds, which no fact told
    for (Operation *op : ops)
      if (isa<tile::WorkspaceOp>(op) || isOfArguments(op))
        hoist(op);
    auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/true);
    writeFast(branch.thenBlock(), ops);
    for (Operation *op : ops)
      if (!hoisted.contains(op))
        op->moveBefore(branch.elseBlock()->getTerminator());
  }

private:
  /// Whether \p op compares an argument with a number and assumes the answer, which then holds for both versions.
  static bool isOfArguments(Operation *op) {
    auto assume = dyn_cast<tile::AssumeOp>(op);
    auto compare = assume ? assume.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
    return compare && isa<BlockArgument>(compare.getLhs()) && compare.getRhs().getDefiningOp<arith::ConstantOp>();
  }

  /// Moves \p op, and what it is computed from, to the start of the kernel.
  void hoist(Operation *op) {
    if (hoisted.contains(op))
      return;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp())
        hoist(source);
    hoisted.insert(op);
    op->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
    builder.setInsertionPointAfter(op);
  }

  Value both(Value a, Value b) { return a ? arith::AndIOp::create(builder, loc, a, b).getResult() : b; }

  /// The scalar that tells whether all assumptions hold.
  Value test() {
    Value condition;
    for (const auto &[mask, shape] : boxes()) {
      const std::optional<SmallVector<Condition>> bounds = conditionsOfFull(*mask, shape);
      for (const Condition &bound : *bounds)
        condition = both(condition, tests.emit(builder, loc, bound));
    }
    Value remainders; // the lowest bits of all arguments that must be multiples
    for (BlockArgument argument : kernel.getArguments()) {
      const int64_t divisor = assumed.divisors.lookup(argument);
      if (divisor <= 1)
        continue;
      Value number = argument;
      if (isa<tile::PtrType>(number.getType()))
        number = tile::PtrToIntOp::create(builder, loc, builder.getI64Type(), number);
      else if (!number.getType().isInteger(64))
        number = arith::ExtSIOp::create(builder, loc, builder.getI64Type(), number);
      const Value bits = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(divisor - 1));
      const Value rest = arith::AndIOp::create(builder, loc, number, bits);
      remainders = remainders ? arith::OrIOp::create(builder, loc, remainders, rest).getResult() : rest;
    }
    if (remainders) {
      const Value zero = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
      condition = both(condition, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, remainders, zero));
    }
    return condition;
  }

  SmallVector<std::pair<const MaskForm *, ArrayRef<int64_t>>> boxes() {
    SmallVector<std::pair<const MaskForm *, ArrayRef<int64_t>>> found;
    for (Value mask : assumed.fullMasks)
      found.emplace_back(&masks.of(mask), tile::shapeOf(mask.getType()));
    for (Operation *op : assumed.fullViews)
      found.emplace_back(&masks.accessOf(op)->mask, masks.accessOf(op)->shape);
    return found;
  }

  void writeFast(Block *block, ArrayRef<Operation *> ops) {
    builder.setInsertionPoint(block->getTerminator());
    mlir::IRMapping mapping;
    for (BlockArgument argument : kernel.getArguments())
      if (const int64_t divisor = assumed.divisors.lookup(argument); divisor > 1)
        mapping.map(argument, hinted(argument, divisor));
    for (Operation *op : ops)
      if (!hoisted.contains(op))
        builder.clone(*op, mapping);
    // The scalars of the masks that are full, by the mask's copy.
    for (Value mask : assumed.fullMasks)
      simplify(mapping.lookup(mask), masks.of(mask).scalars, mapping);
    for (Operation *op : assumed.fullViews)
      mapping.lookup(op)->setAttr(LayoutDialect::kInBounds, builder.getUnitAttr());
  }

  /// \p divisor counts bytes of an address.
  Value hinted(BlockArgument argument, int64_t divisor) {
    if (auto pointer = dyn_cast<tile::PtrType>(argument.getType()))
      divisor /= std::max<int64_t>(1, tile::bitsOf(pointer.getPointee()) / 8);
    if (divisor <= 1)
      return argument;
    return tile::HintOp::create(builder, argument.getLoc(), argument, ArrayRef<int64_t>(divisor), ArrayRef<int64_t>());
  }

  /// Replaces \p mask, which has only scalars left in it, wherever it is read.
  void simplify(Value mask, ArrayRef<Value> scalars, mlir::IRMapping &mapping) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(mask);
    Value scalar;
    for (Value part : scalars)
      scalar = both(scalar, mapping.lookupOrDefault(part));
    if (!scalar)
      for (OpOperand &use : llvm::make_early_inc_range(mask.getUses())) {
        if (auto load = dyn_cast<tile::LoadOp>(use.getOwner()); load && load.getMask() == mask) {
          load.getMaskMutable().clear();
          load.getOtherMutable().clear();
        } else if (auto store = dyn_cast<tile::StoreOp>(use.getOwner()); store && store.getMask() == mask) {
          store.getMaskMutable().clear();
        }
      }
    if (mask.use_empty())
      return;
    const auto type = cast<RankedTensorType>(mask.getType());
    const Value full = scalar ? tile::SplatOp::create(builder, loc, type, scalar).getResult()
                              : arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, true)).getResult();
    mask.replaceAllUsesWith(full);
  }

  tile::KernelOp kernel;
  MaskForms &masks;
  const Assumptions &assumed;
  UniformTests tests;
  OpBuilder builder;
  Location loc;
  llvm::SetVector<Operation *> hoisted;
};

struct VersionFullBlocks : impl::VersionFullBlocksPassBase<VersionFullBlocks> {
  using VersionFullBlocksPassBase::VersionFullBlocksPassBase;

  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>()) {
      unsigned count = 0;
      kernel.walk([&](Operation *) { ++count; });
      if (count > mostOps)
        continue;
      const int64_t warps = isNarrow(kernel, narrowElements) ? 1 : numWarps.getValue();
      Planner planner(kernel, accessBytes, warps * warpSize);
      const std::optional<Assumptions> assumed = planner.plan();
      if (assumed && mayRequire && assumed->areOfArguments())
        require(kernel, *assumed);
      else if (assumed)
        Writer(kernel, planner.getMasks(), *assumed).run();
    }
  }
};

} // namespace

} // namespace tessera::ir::layout
