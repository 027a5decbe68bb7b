//===- LayoutAttrs.cpp - layouts as attributes, and types with them --===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutDialect.h"
#include "tessera-ir/Dialect/Tile/IR/TileTypes.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.cpp.inc"

llvm::hash_code tessera::layout::hash_value(const TileLayout &layout) { return layout.hash(); }
llvm::hash_code tessera::layout::hash_value(const SharedLayout &layout) { return layout.hash(); }

namespace tessera::ir::layout {

using ::tessera::layout::Dim;
using ::tessera::layout::kDims;
using ::tessera::layout::nameOf;

using Bases = TileLayout::Bases;

//===----------------------------------------------------------------------===//
// What parsing and printing share
//===----------------------------------------------------------------------===//

/// How many bits the numbers of each dimension may have.
static constexpr std::array<size_t, 4> kMaxBits{20, 6, 6, 4};

static ArrayRef<int64_t> arrayOf(std::span<const int64_t> shape) { return {shape.data(), shape.size()}; }

/// What is wrong with extents that the text names, as a sentence; empty if nothing. Rank 0 is a scalar's.
static std::string whyNoShape(ArrayRef<int64_t> shape) { return shape.empty() ? "" : tile::whyNoTile(shape); }

static int64_t countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (const int64_t extent : shape)
    count *= extent;
  return count;
}

/// The coordinates of a flat index.
static SmallVector<int64_t> coordinatesOf(ArrayRef<int64_t> shape, int64_t flat) {
  SmallVector<int64_t> coordinates(shape.size());
  for (size_t axis = shape.size(); axis-- > 0; flat /= shape[axis])
    coordinates[axis] = flat % shape[axis];
  return coordinates;
}

static void printShape(mlir::AsmPrinter &printer, ArrayRef<int64_t> shape) {
  llvm::interleave(shape, printer.getStream(), [&](int64_t extent) { printer << extent; }, "x");
}

/// Reads extents and checks them before anything is computed with them.
static ParseResult parseShape(mlir::AsmParser &parser, SmallVectorImpl<int64_t> &shape) {
  const llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/false))
    return failure();
  if (const std::string problem = whyNoShape(shape); !problem.empty())
    return parser.emitError(loc) << problem;
  return success();
}

//===----------------------------------------------------------------------===//
// #layout.tile
//===----------------------------------------------------------------------===//

std::string whyNoTileLayout(ArrayRef<int64_t> shape, const Bases &bases) {
  if (std::string problem = whyNoShape(shape); !problem.empty()) // tile_layout_c1
    return problem;
  for (const Dim dim : kDims)
    if (const size_t index = static_cast<size_t>(dim); bases[index].size() > kMaxBits[index]) // tile_layout_c4
      return llvm::formatv("expected at most {0} bits of `{1}`, got {2}", kMaxBits[index], nameOf(dim),
                           bases[index].size());
  return TileLayout::problemOf({shape.data(), shape.size()}, bases); // tile_layout_c2, tile_layout_c3
}

/// "(1, 64)" as a flat index of \p shape.
static ParseResult parseColumn(mlir::AsmParser &parser, ArrayRef<int64_t> shape, uint32_t &flat) {
  const llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> coordinates;
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Paren,
                                     [&] { return parser.parseInteger(coordinates.emplace_back()); }))
    return failure();
  if (coordinates.size() != shape.size())
    return parser.emitError(loc) << "expected " << shape.size() << " coordinates, got " << coordinates.size();
  flat = 0;
  for (const auto [axis, coordinate, extent] : llvm::enumerate(coordinates, shape)) {
    if (coordinate < 0 || coordinate >= extent)
      return parser.emitError(loc) << "expected a coordinate below " << extent << " on axis " << axis << ", got "
                                   << coordinate;
    flat = static_cast<uint32_t>(flat * extent + coordinate);
  }
  return success();
}

/// "lane = [(0, 1), ...]": the columns of one dimension.
static ParseResult parseDim(mlir::AsmParser &parser, ArrayRef<int64_t> shape, Bases &bases, unsigned &seen) {
  const llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name) || parser.parseEqual())
    return failure();
  const auto *dim = llvm::find_if(kDims, [&](Dim dim) { return StringRef(nameOf(dim)) == name; });
  if (dim == kDims.end())
    return parser.emitError(loc) << "expected `register`, `lane`, `warp` or `block`, got `" << name << "`";
  const size_t index = dim - kDims.begin();
  if (seen & (1u << index))
    return parser.emitError(loc) << "`" << name << "` is given twice";
  seen |= 1u << index;
  return parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square,
                                        [&] { return parseColumn(parser, shape, bases[index].emplace_back()); });
}

Attribute TileLayoutAttr::parse(mlir::AsmParser &parser, Type) {
  const llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Bases bases;
  unsigned seen = 0;
  if (parser.parseLess() || parseShape(parser, shape))
    return {};
  bool more = shape.empty() ? failed(parser.parseOptionalGreater()) : succeeded(parser.parseOptionalComma());
  const bool closed = shape.empty() && !more;
  for (; more; more = succeeded(parser.parseOptionalComma()))
    if (parseDim(parser, shape, bases, seen))
      return {};
  if (!closed && parser.parseGreater())
    return {};
  if (const std::string problem = whyNoTileLayout(shape, bases); !problem.empty()) {
    parser.emitError(loc) << problem;
    return {};
  }
  return get(parser.getContext(), TileLayout(std::vector<int64_t>(shape.begin(), shape.end()), std::move(bases)));
}

void TileLayoutAttr::print(mlir::AsmPrinter &printer) const {
  const TileLayout &layout = getLayout();
  const ArrayRef<int64_t> shape = arrayOf(layout.shape());
  printer << "<";
  printShape(printer, shape);
  bool first = shape.empty();
  for (const Dim dim : kDims) {
    if (layout.bits(dim) == 0)
      continue;
    printer << (first ? "" : ", ") << StringRef(nameOf(dim)) << " = [";
    first = false;
    llvm::interleaveComma(layout.bases(dim), printer, [&](uint32_t flat) {
      printer << "(";
      llvm::interleaveComma(coordinatesOf(shape, flat), printer);
      printer << ")";
    });
    printer << "]";
  }
  printer << ">";
}

LogicalResult TileLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, TileLayout layout) {
  Bases bases;
  for (const auto &[columns, dim] : llvm::zip_equal(bases, kDims))
    columns.assign(layout.bases(dim).begin(), layout.bases(dim).end());
  if (const std::string problem = whyNoTileLayout(arrayOf(layout.shape()), bases); !problem.empty())
    return emitError() << problem;
  return success();
}

LogicalResult TileLayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                             function_ref<InFlightDiagnostic()> emitError) const {
  if (shape == arrayOf(getLayout().shape())) // tile_layout_c5
    return success();
  InFlightDiagnostic diagnostic = emitError() << "expected the layout of a tile of shape [";
  llvm::interleaveComma(shape, diagnostic);
  diagnostic << "], got " << *this;
  return diagnostic;
}

//===----------------------------------------------------------------------===//
// #layout.shared
//===----------------------------------------------------------------------===//

/// Whether the offsets are those of row-major order.
static bool isRowMajor(ArrayRef<uint32_t> offsets) {
  return llvm::all_of(llvm::enumerate(offsets), [](auto pair) { return pair.value() == uint32_t{1} << pair.index(); });
}

std::string whyNoSharedLayout(ArrayRef<int64_t> shape, ArrayRef<uint32_t> offsets) {
  if (std::string problem = tile::whyNoTile(shape); !problem.empty()) // shared_layout_c1
    return problem;
  return SharedLayout::problemOf({shape.data(), shape.size()}, {offsets.data(), offsets.size()}); // _c2, _c3
}

Attribute SharedLayoutAttr::parse(mlir::AsmParser &parser, Type) {
  const llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  std::vector<uint32_t> offsets;
  if (parser.parseLess() || parseShape(parser, shape))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("offsets") || parser.parseEqual() ||
        parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square,
                                       [&] { return parser.parseInteger(offsets.emplace_back()); }))
      return {};
  } else {
    for (unsigned bit = 0; bit < llvm::Log2_64(countOf(shape)); ++bit)
      offsets.push_back(uint32_t{1} << bit);
  }
  if (parser.parseGreater())
    return {};
  if (const std::string problem = whyNoSharedLayout(shape, offsets); !problem.empty()) {
    parser.emitError(loc) << problem;
    return {};
  }
  return get(parser.getContext(), SharedLayout(std::vector<int64_t>(shape.begin(), shape.end()), std::move(offsets)));
}

void SharedLayoutAttr::print(mlir::AsmPrinter &printer) const {
  printer << "<";
  printShape(printer, getShape());
  if (!isRowMajor(getOffsets())) {
    printer << ", offsets = [";
    llvm::interleaveComma(getOffsets(), printer);
    printer << "]";
  }
  printer << ">";
}

LogicalResult SharedLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, SharedLayout layout) {
  const std::string problem =
      whyNoSharedLayout(arrayOf(layout.shape()), ArrayRef<uint32_t>(layout.bases().data(), layout.bases().size()));
  if (!problem.empty())
    return emitError() << problem;
  return success();
}

//===----------------------------------------------------------------------===//
// Types with layouts
//===----------------------------------------------------------------------===//

TileLayoutAttr encodingOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_if_present<TileLayoutAttr>(tensor.getEncoding()) : TileLayoutAttr();
}

TileLayout layoutOf(Type type) {
  const TileLayoutAttr layout = encodingOf(type);
  return layout ? layout.getLayout() : TileLayout();
}

Type withLayout(Type type, TileLayoutAttr layout) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.cloneWithEncoding(layout) : type;
}

Type withLayout(Type type, const TileLayout &layout) {
  return withLayout(type, TileLayoutAttr::get(type.getContext(), layout));
}

Type withoutLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.dropEncoding() : type;
}

void LayoutDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.cpp.inc"
      >();
}

} // namespace tessera::ir::layout
