//===- CodeNotes.cpp - what reports say of the code -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/CodeNotes.h"

#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"
#include "IRSupport/Locations.h"

#include "mlir/IR/Builders.h"

#include <algorithm>
#include <set>

namespace tessera::ir::gpu {

void CodeNotes::access(Operation &op, StringRef kind, std::int64_t bytes, std::int64_t held) {
  const std::string at = locationText(op.getLoc());
  const auto same = llvm::find_if(accesses, [&](const Access &known) { return known.at == at && known.kind == kind; });
  Access &access = same == accesses.end() ? accesses.emplace_back(Access{at, kind.str()}) : *same;
  access.bytes = std::max(access.bytes, bytes);
  access.held = std::max(access.held, held);
}

void CodeNotes::product(Operation &op, StringRef unit) {
  const std::pair<std::string, std::string> product(locationText(op.getLoc()), unit);
  if (!llvm::is_contained(products, product))
    products.push_back(product);
}

void CodeNotes::shared(std::int64_t accesses, const ::tessera::layout::Wavefronts &each) {
  actual += accesses * each.actual;
  ideal += accesses * each.ideal;
}

void CodeNotes::attach(mlir::LLVM::LLVMFuncOp function) const {
  mlir::Builder b(function.getContext());
  SmallVector<Attribute> lines;
  const auto text = [&](StringRef name, const std::string &value) {
    return b.getNamedAttr(name, b.getStringAttr(value));
  };
  const auto number = [&](StringRef name, std::int64_t value) {
    return b.getNamedAttr(name, b.getI64IntegerAttr(value));
  };
  for (const Access &access : accesses)
    lines.push_back(b.getDictionaryAttr({text("at", access.at), text("kind", access.kind),
                                         number("bytes", access.bytes), number("held", access.held)}));
  if (!lines.empty())
    function->setAttr(kAccesses, b.getArrayAttr(lines));
  lines.clear();
  for (const auto &[at, unit] : products)
    lines.push_back(b.getDictionaryAttr({text("at", at), text("unit", unit)}));
  if (!lines.empty())
    function->setAttr(kProducts, b.getArrayAttr(lines));
  if (ideal != 0)
    function->setAttr(kWavefronts, b.getDenseI64ArrayAttr({actual, ideal}));
}

} // namespace tessera::ir::gpu
