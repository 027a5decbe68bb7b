//===- TileToLayout.cpp - from tiles to tiles with layouts ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
// After:   %v = tile.load %p {layout.vector = 4} : tensor<1024x!tile.ptr<f32>, #layout.tile<...>>
// Needs:   the tile stage, canonical.  Gives: a layout on every tile, by the layout rules.
// Place:   between the stages.
// Numerics: none.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/TileToLayout.h"

#include "Arch/Chip.h"
#include "Conversion/TileToLayout/LayoutGraph.h"
#include "Conversion/TileToLayout/NarrowPrograms.h"
#include "Conversion/TileToLayout/NoteRows.h"
#include "Conversion/TileToLayout/Rewrite.h"

#include "tessera-ir/Conversion/TileToLayout/Passes.h"
#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tessera::ir::layout {

#define GEN_PASS_DEF_CONVERTTILETOLAYOUTPASS
#include "tessera-ir/Conversion/TileToLayout/Passes.h.inc"

/// The chip of a target's text; null for one without warps.
static const arch::Chip *chipNamed(StringRef target) {
  const auto [family, name] = target.split(':');
  for (const arch::Chip &chip : arch::chips())
    if (StringRef(chip.family) == family && StringRef(chip.name) == name && chip.warpSize != 0)
      return &chip;
  return nullptr;
}

/// Of a cluster, on any chip that has them.
static constexpr int64_t kMostBlocks = 16;

/// What one thread can access at once.
static int64_t accessBytesOf(const arch::Chip &chip) { return chip.has(arch::Feature::Access256) ? 32 : 16; }

/// Warps that a block must have so that as many as a multiprocessor takes hold all the warps that it can run.
static int64_t warpsToFill(const arch::Chip &chip) {
  if (chip.maxProgramsOfCore == 0)
    return 1;
  const int64_t threads = llvm::divideCeil(chip.maxThreadsOfCore, chip.maxProgramsOfCore);
  return static_cast<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(threads, chip.warpSize)));
}

namespace {

struct ConvertTileToLayout : impl::ConvertTileToLayoutPassBase<ConvertTileToLayout> {
  using ConvertTileToLayoutPassBase::ConvertTileToLayoutPassBase;

  void runOnOperation() override {
    const arch::Chip *chip = chipNamed(target);
    if (!chip)
      return fail("no chip `" + target + "` with warps is known");
    if (numWarps < 1 || !llvm::isPowerOf2_64(numWarps) || numWarps * chip->warpSize > chip->maxThreadsOfProgram)
      return fail(llvm::Twine("a program of ") + target + " has 1 to " +
                  llvm::Twine(chip->maxThreadsOfProgram / chip->warpSize) + " warps, a power of two, not " +
                  llvm::Twine(numWarps.getValue()));
    if (numBlocks < 1 || numBlocks > kMostBlocks || !llvm::isPowerOf2_64(numBlocks))
      return fail("a cluster has 1 to " + llvm::Twine(kMostBlocks) + " blocks, a power of two, not " +
                  llvm::Twine(numBlocks.getValue()));
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>())
      convert(kernel, *chip);
  }

  void fail(const llvm::Twine &why) {
    getOperation().emitError(why);
    signalPassFailure();
  }

  void convert(tile::KernelOp kernel, const arch::Chip &chip) {
    const int64_t numBlocks = chip.has(arch::Feature::ClusterLaunch) ? this->numBlocks : 1;
    if (numBlocks != 1)
      kernel.walk([&](tile::DotOp dot) {
        dot.emitError("is not spread over the blocks of a cluster: compile the kernel with `cluster = 1`");
        signalPassFailure();
      });
    KernelShape shape;
    shape.numWarps = numWarps;
    shape.warpSize = chip.warpSize;
    shape.numBlocks = numBlocks;
    if (numBlocks == 1 && isNarrow(kernel, narrowElements)) {
      shape.programsPerBlock = std::max(shape.numWarps, warpsToFill(chip));
      shape.numWarps = 1;
    }
    setKernelShape(kernel, shape);
    noteRows(kernel);

    UniformExprs exprs;
    AffineForms affine(exprs);
    MaskForms masks(affine);
    const AxisInfos infos(kernel, affine);
    llvm::DenseMap<Operation *, Access> accesses;
    kernel.getBody().walk([&](Operation *op) {
      if (std::optional<Access> access = accessOf(op, infos, masks, accessBytesOf(chip)))
        accesses.try_emplace(op, std::move(*access));
    });
    LayoutGraph graph(kernel, shape, accesses, unitsOf ? &unitsOf(chip) : nullptr);
    graph.solve();
    applyLayouts(kernel, graph, accesses);
  }

public:
  MatrixUnitsOf unitsOf = nullptr; ///< null: there are none
};

} // namespace

static std::unique_ptr<mlir::Pass> makePass(const ConvertTileToLayoutPassOptions &options, MatrixUnitsOf unitsOf) {
  auto pass = std::make_unique<ConvertTileToLayout>(options);
  pass->unitsOf = unitsOf;
  return pass;
}

void registerTileToLayout(MatrixUnitsOf unitsOf) {
  registerVersionFullBlocksPass();
  mlir::registerPass([unitsOf] { return makePass({}, unitsOf); });
}

void addTileToLayoutPasses(mlir::OpPassManager &pm, const TileToLayoutOptions &options, MatrixUnitsOf unitsOf) {
  const arch::Chip *chip = chipNamed(options.target);
  VersionFullBlocksPassOptions version;
  version.accessBytes = chip ? accessBytesOf(*chip) : version.accessBytes;
  version.warpSize = chip ? chip->warpSize : version.warpSize;
  version.numWarps = options.numWarps;
  version.mayRequire = options.mayRequire;
  pm.addPass(createVersionFullBlocksPass(version));
  ConvertTileToLayoutPassOptions convert;
  convert.target = options.target;
  convert.numWarps = options.numWarps;
  convert.numBlocks = options.numBlocks;
  pm.addPass(makePass(convert, unitsOf));
}

} // namespace tessera::ir::layout
