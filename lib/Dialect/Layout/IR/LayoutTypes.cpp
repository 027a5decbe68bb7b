//===- LayoutTypes.cpp - types of the layout dialect -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/IR/LayoutTypes.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#define GET_TYPEDEF_CLASSES
#include "tessera-ir/Dialect/Layout/IR/LayoutTypes.cpp.inc"

namespace tessera::ir::layout {

//===----------------------------------------------------------------------===//
// !layout.buffer
//===----------------------------------------------------------------------===//

/// Bytes of an element in memory.
static int64_t elementBytes(Type element) { return std::max<int64_t>(tile::bitsOf(element) / 8, 1); }

int64_t BufferType::bytesOfElement() const { return elementBytes(getElement()); }

int64_t BufferType::bytesOfSlot() const {
  int64_t bytes = bytesOfElement();
  for (const int64_t extent : tileShape())
    bytes *= extent;
  return bytes;
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, Type element,
                                 SharedLayoutAttr layout) {
  if (!tile::isElement(element)) // buffer_c1
    return emitError() << "expected a buffer of integers, floats or pointers of the tile dialect, got " << element;
  const ArrayRef<int64_t> tile = layout.getShape();
  const bool isRing = shape.size() == tile.size() + 1 && shape.drop_front() == tile && shape.front() >= 1;
  if (shape != tile && !isRing) { // buffer_c2
    InFlightDiagnostic diagnostic = emitError() << "expected the shape of the layout " << layout
                                                << ", or one more extent of at least 1 before it, got [";
    llvm::interleaveComma(shape, diagnostic);
    return diagnostic << "]";
  }
  int64_t slotBytes = elementBytes(element);
  for (const int64_t extent : tile)
    slotBytes *= extent;
  constexpr int64_t kMaxBytes = std::numeric_limits<int32_t>::max();
  if (isRing && shape.front() > kMaxBytes / slotBytes) // buffer_c3
    return emitError() << "expected a buffer of at most " << kMaxBytes << " bytes, got " << shape.front()
                       << " slots of " << slotBytes;
  return success();
}

Type BufferType::parse(mlir::AsmParser &parser) {
  const llvm::SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type element;
  SharedLayoutAttr layout;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element) ||
      parser.parseComma() || parser.parseAttribute(layout) || parser.parseGreater())
    return {};
  return parser.getChecked<BufferType>(loc, parser.getContext(), shape, element, layout);
}

void BufferType::print(mlir::AsmPrinter &printer) const {
  printer << "<";
  for (const int64_t extent : getShape())
    printer << extent << "x";
  printer << getElement() << ", " << getLayout() << ">";
}

//===----------------------------------------------------------------------===//
// !layout.mbarrier
//===----------------------------------------------------------------------===//

LogicalResult MBarrierType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t slots) {
  if (slots >= 1 && slots <= 1024) // mbarrier_c1
    return success();
  return emitError() << "expected 1 to 1024 barriers, got " << slots;
}

void LayoutDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tessera-ir/Dialect/Layout/IR/LayoutTypes.cpp.inc"
      >();
}

} // namespace tessera::ir::layout
