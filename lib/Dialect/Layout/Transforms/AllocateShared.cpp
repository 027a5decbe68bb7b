//===- AllocateShared.cpp - give buffers their places in shared memory -----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %a = layout.shared_alloc : A;  ...  layout.shared_free %a;  %b = layout.shared_alloc : B;  ...
// After:   %a = layout.shared_alloc offset 0 : A;  ...  %b = layout.shared_alloc offset 0 : B;  ...
//          and the kernel has `layout.shared_bytes`. Where it costs no block of threads on a multiprocessor, a place is
//          used again only after the next buffer elsewhere, which saves a barrier.
// Needs:   every buffer has its end.  Gives: places that are apart for buffers that live at one time.
// Place:   after all passes that make buffers, before barriers, which order buffers that share a place.
// Numerics: none.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "Analysis/Occupancy.h"
#include "Analysis/SharedMemory.h"
#include "Arch/Chip.h"
#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::ir::layout {

#define GEN_PASS_DEF_ALLOCATESHAREDPASS
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h.inc"

/// Says at the largest buffer that they do not fit, and names some more.
static LogicalResult reportExcess(SmallVector<SharedObject> objects, int64_t bytes, const arch::Chip &chip) {
  constexpr size_t kNamed = 4;
  llvm::sort(objects, [](const SharedObject &a, const SharedObject &b) {
    return std::pair(-a.life.bytes, a.life.begin) < std::pair(-b.life.bytes, b.life.begin);
  });
  InFlightDiagnostic diagnostic = objects.front().alloc->emitError("the kernel needs ")
                                  << bytes << " bytes of shared memory, but a program has at most "
                                  << chip.sharedBytesOfProgram << " on " << StringRef(chip.name)
                                  << "; the largest buffer takes " << objects.front().life.bytes;
  for (const SharedObject &object : ArrayRef(objects).drop_front().take_front(kNamed - 1))
    diagnostic.attachNote(object.alloc->getLoc()) << "another takes " << object.life.bytes;
  return diagnostic;
}

namespace {

struct AllocateShared : impl::AllocateSharedPassBase<AllocateShared> {
  using AllocateSharedPassBase::AllocateSharedPassBase;

  void runOnOperation() override {
    const arch::Chip *const chip = arch::findChip(target.getValue());
    if (!chip) {
      getOperation().emitError("there is no chip `") << target << "`";
      return signalPassFailure();
    }
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>())
      if (failed(allocate(kernel, *chip)))
        return signalPassFailure();
  }

  static LogicalResult allocate(tile::KernelOp kernel, const arch::Chip &chip) {
    FailureOr<SmallVector<SharedObject>> objects = sharedObjects(kernel);
    if (failed(objects))
      return failure();
    const auto lives = llvm::map_to_vector(*objects, [](const SharedObject &object) { return object.life; });
    const KernelShape shape = kernelShapeOf(kernel).value_or(KernelShape());
    const auto bytesOfBlock = [&](const SharedPlaces &places) {
      int64_t alignment = 1;
      for (const SharedLife &life : lives)
        alignment = std::max(alignment, life.alignment);
      const int64_t programs = shape.programsPerBlock;
      return programs > 1 ? programs * static_cast<int64_t>(llvm::alignTo(places.bytes, alignment)) : places.bytes;
    };
    const auto blocksAtOnce = [&](const SharedPlaces &places) {
      return occupancyOf(chip, {.threads = shape.threadsOfBlock(), .sharedBytes = bytesOfBlock(places)}).blocks;
    };
    const auto fits = [&](const SharedPlaces &places) {
      return chip.sharedBytesOfProgram == 0 || bytesOfBlock(places) <= chip.sharedBytesOfProgram;
    };
    SharedPlaces places = placeShared(lives);
    if (SharedPlaces roomy = placeShared(keptThroughNext(lives));
        fits(roomy) && blocksAtOnce(roomy) == blocksAtOnce(places))
      places = std::move(roomy);
    const int64_t bytes = bytesOfBlock(places);
    if (!fits(places))
      return reportExcess(std::move(*objects), bytes, chip);
    for (const auto [object, offset] : llvm::zip_equal(*objects, places.offsets))
      object.setOffset(offset);
    setSharedBytes(kernel, bytes);
    return success();
  }
};

} // namespace

} // namespace tessera::ir::layout
