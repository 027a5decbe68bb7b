//===- StoreTensors.cpp - boxes stored by the chip's copy unit ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %y = layout.convert %x;  tile.view_store %v[%i, %j], %y
// After:   %b = layout.shared_alloc;  layout.shared_store %b, %x;  layout.proxy_fence shared
//          layout.tensor_store %b into %v[%i, %j];  layout.tensor_commit;  layout.tensor_wait pending 0 read
//          layout.shared_free %b
//          for tiles that threads do not hold in runs of 16 bytes, so that they would go through shared memory anyway
// Needs:   layouts; views whose descriptors the launcher can make (Analysis/TensorMaps.h).
// Gives:   stores without masks and addresses; what is outside of the view is dropped by the copy unit.
// Place:   after loops have their pipelines, whose buffers are memory that this one may share; before shared memory
//          becomes explicit elsewhere.
// Numerics: none.
//
// The store is waited for until the buffer is read; where the kernel may touch the same memory again, until it is done.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "Analysis/AxisInfo.h"
#include "Analysis/PointerRoots.h"
#include "Analysis/SharedMemory.h"
#include "Analysis/TensorMaps.h"
#include "Arch/Chip.h"
#include "IRSupport/LLVM.h"
#include "Layout/Conversion.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>

namespace tessera::ir::layout {

#define GEN_PASS_DEF_STORETENSORSPASS
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h.inc"

using namespace ::tessera::layout;

namespace {

/// Smaller tiles are not worth the wait for the copy unit.
constexpr int64_t kLeastBytes = 4096;
/// What threads should store at once.
constexpr int64_t kWideBytes = 16;

/// The stores of one kernel.
class Storer {
public:
  Storer(tile::KernelOp kernel, const arch::Chip &chip)
      : kernel(kernel), chip(chip), affine(exprs), infos(kernel, affine), roots(kernel) {}

  void run() {
    SmallVector<tile::ViewStoreOp> stores;
    kernel.getBody().walk([&](tile::ViewStoreOp store) { stores.push_back(store); });
    for (tile::ViewStoreOp store : stores)
      rewrite(store);
  }

private:
  /// The tile as the kernel computes it, before it is converted for the store.
  static Value computed(Value value) {
    auto convert = value.getDefiningOp<ConvertOp>();
    return convert ? convert.getSource() : value;
  }

  void rewrite(tile::ViewStoreOp store) {
    const Value value = computed(store.getValue());
    const auto type = cast<RankedTensorType>(value.getType());
    const std::optional<unsigned> axis = contiguousAxisOf(store.getView());
    if (!axis || type.getRank() != 2 || store.getCache() != tile::CacheHint::None || !encodingOf(type))
      return;
    const auto buffer = bufferFor(type, *axis);
    if (!buffer || buffer->bytes() < kLeastBytes || !movesAnyway(store, value, *axis) || !fits(store, *buffer) ||
        !tensorMapOf(store.getView(), store.getCoords(), *buffer, exprs, &infos))
      return;
    emit(store, value, *buffer);
  }

  /// The widest swizzle that a row along \p axis has, which is the contiguous one.
  std::optional<BufferType> bufferFor(RankedTensorType type, unsigned axis) const {
    const Type element = type.getElementType();
    if (!isa<mlir::FloatType, mlir::IntegerType>(element) || tile::bitsOf(element) < 8)
      return std::nullopt;
    const int bytes = static_cast<int>(tile::bitsOf(element) / 8);
    const int64_t row = type.getDimSize(axis) * bytes;
    constexpr int64_t kLeastSwizzle = 32, kMostSwizzle = 128;
    if (row < kLeastSwizzle)
      return std::nullopt;
    const std::array<int, 2> order{static_cast<int>(axis), 1 - static_cast<int>(axis)};
    const ArrayRef<int64_t> shape = type.getShape();
    const SharedLayout shared = SharedLayout::tensorCopy({shape.data(), shape.size()}, order,
                                                         static_cast<int>(std::min(row, kMostSwizzle)), bytes);
    return BufferType::get(element, SharedLayoutAttr::get(type.getContext(), shared));
  }

  /// Whether the tile would be moved between lanes, or be stored in little pieces.
  static bool movesAnyway(tile::ViewStoreOp store, Value value, unsigned axis) {
    const TileLayout from = layoutOf(value.getType()), to = layoutOf(store.getValue().getType());
    const int64_t run =
        contiguousRegisters(to, static_cast<int>(axis)) * (tile::bitsOf(tile::elementOf(value.getType())) / 8);
    return conversionKind(from, to) >= ConversionKind::Warp || run < kWideBytes;
  }

  /// Whether the buffer has room beside those that live around the store.
  bool fits(tile::ViewStoreOp store, BufferType buffer) {
    int64_t bytes = buffer.bytes() + alignmentOf(buffer);
    kernel.getBody().walk([&](SharedAllocOp alloc) {
      Operation *const around = alloc->getBlock()->findAncestorOpInBlock(*store);
      if (!around || !alloc->isBeforeInBlock(around))
        return;
      const auto isLater = [&](Operation *user) { return isa<SharedFreeOp>(user) && around->isBeforeInBlock(user); };
      if (llvm::any_of(alloc.getResult().getUsers(), isLater))
        bytes += alloc.getResult().getType().bytes() + alignmentOf(alloc.getResult().getType());
    });
    return bytes <= chip.sharedBytesOfProgram;
  }

  /// Whether ops of the kernel that may run before \p store, or after it, may touch the memory that it writes.
  bool meets(tile::ViewStoreOp store, bool after) {
    const llvm::BitVector written = roots.ofOperands(store);
    const bool isInLoop = store->getParentOfType<mlir::LoopLikeOpInterface>() != nullptr;
    bool isBehind = false, found = false;
    kernel.getBody().walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
      isBehind |= op == store;
      const bool isApart = op == store || mlir::insideMutuallyExclusiveRegions(op, store);
      if (isInLoop || (isBehind == after && !isApart))
        found |= touchesGlobal(op) && (isa<tile::InlineAsmOp>(op) || roots.meet(written, roots.ofOperands(op)));
    });
    return found;
  }
  static bool touchesGlobal(Operation *op) {
    auto interface = dyn_cast<mlir::MemoryEffectOpInterface>(op);
    SmallVector<mlir::MemoryEffects::EffectInstance> effects;
    if (interface)
      interface.getEffects(effects);
    return llvm::any_of(effects, [](const auto &effect) { return effect.getResource() != SharedMemory::get(); });
  }

  void emit(tile::ViewStoreOp store, Value value, BufferType type) {
    OpBuilder b(store);
    const Location loc = store.getLoc();
    const bool isTouchedBefore = meets(store, false), isTouchedAfter = meets(store, true);
    const Value buffer = SharedAllocOp::create(b, loc, type);
    SharedStoreOp::create(b, loc, buffer, value);
    ProxyFenceOp::create(b, loc, isTouchedBefore ? FenceSpace::All : FenceSpace::Shared);
    TensorStoreOp::create(b, loc, buffer, store.getView(), store.getCoords(), store.getEvict());
    const Value group = TensorCommitOp::create(b, loc);
    TensorWaitOp::create(b, loc, 0, !isTouchedAfter, group);
    if (isTouchedAfter)
      ProxyFenceOp::create(b, loc, FenceSpace::Global);
    SharedFreeOp::create(b, loc, buffer);
    auto convert = store.getValue().getDefiningOp<ConvertOp>();
    store.erase();
    if (convert && convert->use_empty())
      convert.erase();
  }

  tile::KernelOp kernel;
  const arch::Chip &chip;
  UniformExprs exprs;
  AffineForms affine;
  AxisInfos infos;
  PointerRoots roots;
};

struct StoreTensorsPass : impl::StoreTensorsPassBase<StoreTensorsPass> {
  using StoreTensorsPassBase::StoreTensorsPassBase;

  void runOnOperation() override {
    const arch::Chip *const chip = arch::findChip(target.getValue());
    if (!chip) {
      getOperation().emitError("there is no chip `") << target << "`";
      return signalPassFailure();
    }
    if (chip->has(arch::Feature::TensorMemoryAccess))
      for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>())
        if (kernelShapeOf(kernel).value_or(KernelShape()).numBlocks == 1) // boxes are those of one block
          Storer(kernel, *chip).run();
  }
};

} // namespace

} // namespace tessera::ir::layout
