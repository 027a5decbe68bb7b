//===- ExpandConversions.cpp - conversions through buffers ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Where the elements of a warp stay in it, its lanes wait for each other and for nobody else. Such a tile goes in parts
// through a little memory, one after another: a part is what some registers hold on both sides.
//
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/Transforms/ExpandConversions.h"

#include "Dialect/Layout/Transforms/TileBuilder.h"
#include "Layout/Box.h"
#include "Layout/Conversion.h"
#include "Layout/FlatIndex.h"
#include "Layout/Swizzle.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <bit>

namespace tessera::ir::layout {

using namespace ::tessera::layout;
namespace arith = mlir::arith;

static TileLayout layoutOf(Value value) { return layout::layoutOf(value.getType()); }

static int bytesOf(Type element) { return static_cast<int>(llvm::divideCeil(tile::bitsOf(element), 8)); }

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// Cycles until what was stored can be loaded and has come back.
static constexpr int64_t kTripCycles = 24;
/// Fewer registers are shuffled whatever it takes.
static constexpr uint32_t kFewRegisters = 8;

static Swizzle swizzleOf(const TileLayout &from, const TileLayout &to, int bytes, int loadBanks) {
  return chooseSwizzle(from, to, bytes, /*maxBytes=*/16, /*loads=*/1, loadBanks);
}

/// Whether the lanes of a warp convert faster through a buffer than by shuffles, counted in cycles of a warp.
static bool isFasterInMemory(const TileLayout &from, const TileLayout &to, int bytes, int loadBanks) {
  if (withoutRegisterCopies(to).size(Dim::Register) <= kFewRegisters)
    return false;
  const ConversionPlan plan = planConversion(from, to, 8 * bytes);
  const int64_t shuffled = 2 * plan.shuffles() + plan.selects() / 2;
  const Swizzle swizzle = swizzleOf(from, to, bytes, loadBanks);
  const int64_t moved =
      accessCost(from, swizzle.shared, swizzle.storeElements, bytes) +
      accessCost(to, swizzle.shared, swizzle.loadElements, bytes, {.loads = true, .banks = loadBanks});
  return kTripCycles + moved < shuffled;
}

//===----------------------------------------------------------------------===//
// Through a buffer
//===----------------------------------------------------------------------===//

static Value allocate(OpBuilder &b, Location loc, Type element, const TileLayout &from, const TileLayout &to,
                      int loadBanks) {
  const SharedLayout shared = swizzleOf(from, to, bytesOf(element), loadBanks).shared;
  return SharedAllocOp::create(b, loc, BufferType::get(element, SharedLayoutAttr::get(b.getContext(), shared)));
}

/// Bytes of a buffer that may live longer than it must, and of all that do.
constexpr int64_t kLittle = 2048, kLittleInAll = 8192;

/// \p spare is what is left of kLittleInAll. Little is written as soon as it is there, so that one barrier may serve
/// several conversions, and its memory is nobody else's in the block, so that no barrier is needed before that. Both
/// operands of a product are written before either is read.
static Value throughBuffer(ConvertOp op, int64_t &spare, int loadBanks) {
  OpBuilder b(op);
  const Type element = tile::elementOf(op.getSource().getType());
  const TileLayout from = layoutOf(op.getSource()), to = layoutOf(op.getResult());
  const int64_t bytes = from.elements() * bytesOf(element);
  const bool isLittle = bytes <= std::min(kLittle, spare);
  Operation *const source = op.getSource().getDefiningOp();
  const bool isOperand = op->hasOneUse() && isa<tile::DotOp>(*op->user_begin());
  if ((isLittle || isOperand) && source && source->getBlock() == op->getBlock())
    b.setInsertionPointAfter(source);
  const Value buffer = allocate(b, op.getLoc(), element, from, to, loadBanks);
  SharedStoreOp::create(b, op.getLoc(), buffer, op.getSource(), /*cluster=*/!staysInBlocks(from, to));
  b.setInsertionPoint(op);
  const Value result = SharedLoadOp::create(b, op.getLoc(), op.getResult().getType(), buffer);
  if (isLittle) {
    spare -= bytes;
    b.setInsertionPoint(op->getBlock()->getTerminator());
  }
  SharedFreeOp::create(b, op.getLoc(), buffer);
  return result;
}

//===----------------------------------------------------------------------===//
// In parts
//===----------------------------------------------------------------------===//

/// Bytes of a warp that go through memory at a time.
static constexpr int64_t kPartBytes = 4096;

namespace {

/// Neighbouring bits of the flat index, which tell parts apart.
struct PartBits {
  int low = 0, count = 0;
};

} // namespace

/// The bits of the flat index that are registers of their own in every thread.
static uint32_t registerBits(const TileLayout &layout) {
  uint32_t alone = 0, others = 0;
  for (const Dim dim : kDims)
    for (const uint32_t column : layout.bases(dim))
      if (dim == Dim::Register && std::has_single_bit(column) && (alone & column) == 0)
        alone |= column;
      else
        others |= column;
  return alone & ~others;
}

/// The longest run of bits that tell registers apart on both sides, up to \p wanted; of equal ones the highest.
static PartBits partBits(const TileLayout &from, const TileLayout &to, int wanted) {
  const uint32_t bits = registerBits(from) & registerBits(to);
  PartBits best;
  for (int low = log2Of(from.elements()) - 1; low >= 0; --low) {
    const int count = std::min(wanted, std::countr_one(bits >> low));
    if (count > best.count)
      best = {low, count};
  }
  return best;
}

/// Converts parts of the tile one after another through one buffer; null if all of it goes at once.
static Value inParts(ConvertOp op, int loadBanks) {
  const TileLayout from = layoutOf(op.getSource()), to = layoutOf(op.getResult());
  const Type element = tile::elementOf(op.getSource().getType());
  const int64_t bytes = from.elements() * bytesOf(element) / from.size(Dim::Warp);
  if (bytes <= kPartBytes || !isa<mlir::IntegerType, mlir::FloatType>(element))
    return {};
  const PartBits bits = partBits(from, to, log2Of(llvm::divideCeil(bytes, kPartBytes)));
  if (bits.count == 0)
    return {};
  OpBuilder b(op);
  TileBuilder t(b, op.getLoc());
  const int64_t parts = int64_t{1} << bits.count, behind = int64_t{1} << bits.low,
                before = from.elements() / parts / behind;
  const SmallVector<int64_t> whole{before, parts, behind}, shape{before, 1, behind};
  const std::array<int64_t, 3> none{0, 0, 0};
  const auto partOf = [&](const TileLayout &layout) { return boxLayout(reshaped(layout, whole), none, shape); };
  const std::optional<TileLayout> given = partOf(from), taken = partOf(to);
  if (!given || !taken)
    return {};
  const Value source = t.reshape(op.getSource(), whole);
  const auto partType = [&](const TileLayout &layout) {
    return withLayout(RankedTensorType::get(shape, element), layout);
  };
  const Type type = withLayout(RankedTensorType::get(whole, element), reshaped(to, whole));
  Value result = t.constant(b.getZeroAttr(element), type);
  const Value buffer = allocate(b, op.getLoc(), element, *given, *taken, loadBanks);
  for (int64_t part = 0; part != parts; ++part) {
    const SmallVector<int64_t> offsets{0, part, 0};
    const Value piece = tile::SliceOp::create(b, op.getLoc(), partType(*given), source, offsets);
    SharedStoreOp::create(b, op.getLoc(), buffer, piece);
    const Value moved = SharedLoadOp::create(b, op.getLoc(), partType(*taken), buffer);
    result = tile::InsertOp::create(b, op.getLoc(), type, result, moved, offsets);
  }
  SharedFreeOp::create(b, op.getLoc(), buffer);
  return t.reshape(result, tile::shapeOf(op.getType()));
}

/// \p spare: see throughBuffer().
static void expandConvert(ConvertOp op, int64_t &spare, int loadBanks) {
  const TileLayout from = layoutOf(op.getSource()), to = layoutOf(op.getResult());
  const ConversionKind kind = conversionKind(from, to);
  const bool isInWarp = kind == ConversionKind::Warp;
  const int bytes = bytesOf(tile::elementOf(op.getSource().getType()));
  if (kind < ConversionKind::Warp || (isInWarp && !isFasterInMemory(from, to, bytes, loadBanks)))
    return;
  Value result = isInWarp ? inParts(op, loadBanks) : Value();
  if (!result)
    result = throughBuffer(op, spare, loadBanks);
  op.getResult().replaceAllUsesWith(result);
  op.erase();
}

//===----------------------------------------------------------------------===//
// All conversions
//===----------------------------------------------------------------------===//

/// What \p op converts, made under the other layout at once, where every thread can make what it holds; null otherwise.
static Value madeAnew(ConvertOp op) {
  Operation *const source = op.getSource().getDefiningOp();
  if (!source || !isa<arith::ConstantOp, tile::SplatOp, tile::ArangeOp>(source))
    return {};
  OpBuilder b(op);
  if (auto constant = dyn_cast<arith::ConstantOp>(source)) {
    auto elements = dyn_cast<mlir::SplatElementsAttr>(constant.getValue());
    if (!elements)
      return {};
    const auto type = cast<RankedTensorType>(op.getType());
    return arith::ConstantOp::create(b, op.getLoc(), elements.resizeSplat(type));
  }
  Operation *const made = b.clone(*source);
  made->getResult(0).setType(op.getType());
  return made->getResult(0);
}

/// The conversions of \p module, each from what the first one of a row converts.
static SmallVector<ConvertOp> shortened(ModuleOp module) {
  SmallVector<ConvertOp> all, conversions;
  module.walk([&](ConvertOp op) { all.push_back(op); });
  for (ConvertOp op : all) {
    if (auto before = op.getSource().getDefiningOp<ConvertOp>())
      op.getSourceMutable().assign(before.getSource());
    if (const Value value = madeAnew(op)) {
      op.getResult().replaceAllUsesWith(value);
      op.erase();
    } else {
      conversions.push_back(op);
    }
  }
  llvm::erase_if(conversions, [](ConvertOp op) {
    const bool isUseless = op.use_empty() || op.getSource().getType() == op.getType();
    if (isUseless) {
      op.getResult().replaceAllUsesWith(op.getSource());
      op.erase();
    }
    return isUseless;
  });
  return conversions;
}

void expandConversions(ModuleOp module, int loadBanks) {
  int64_t spare = kLittleInAll;
  for (ConvertOp op : shortened(module))
    expandConvert(op, spare, loadBanks);
}

} // namespace tessera::ir::layout
