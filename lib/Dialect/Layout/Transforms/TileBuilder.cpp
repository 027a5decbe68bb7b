//===- TileBuilder.cpp - builds ops on tiles that have layouts -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/Transforms/TileBuilder.h"

#include "Layout/AxisBits.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

namespace tessera::ir::layout {

using namespace ::tessera::layout;

/// The elements of \p value's type in the shape of \p layout, under it.
static Type typeUnder(Value value, const TileLayout &layout) {
  const ArrayRef<int64_t> shape(layout.shape().data(), layout.shape().size());
  return withLayout(tile::valueType(shape, tile::elementOf(value.getType())), layout);
}

Value TileBuilder::convert(Value x, const TileLayout &layout) {
  if (!isa<RankedTensorType>(x.getType()) || layoutOf(x.getType()) == layout)
    return x;
  return ConvertOp::create(b, loc, withLayout(x.getType(), layout), x);
}

Value TileBuilder::reshape(Value x, ArrayRef<int64_t> shape) {
  if (tile::shapeOf(x.getType()) == shape)
    return x;
  const Type element = tile::elementOf(x.getType());
  Type type = element;
  if (!shape.empty())
    type = typeUnder(x, reshaped(layoutOf(x.getType()), shape));
  return tile::ReshapeOp::create(b, loc, type, x);
}

Value TileBuilder::trans(Value x, ArrayRef<int32_t> permutation) {
  if (llvm::is_sorted(permutation))
    return x;
  const TileLayout layout = transposed(layoutOf(x.getType()), permutation);
  return tile::TransOp::create(b, loc, typeUnder(x, layout), x, permutation);
}

Value TileBuilder::broadcast(Value x, const TileLayout &layout) {
  const ArrayRef<int64_t> shape = tile::shapeOf(x.getType());
  if (shape == ArrayRef<int64_t>(layout.shape().data(), layout.shape().size()))
    return convert(x, layout);
  const Value source = convert(x, squeezed(layout, shape));
  return tile::BroadcastOp::create(b, loc, typeUnder(x, layout), source);
}

Value TileBuilder::coordinate(const TileLayout &layout, int axis) {
  const int64_t extent = layout.shape()[static_cast<size_t>(axis)];
  SmallVector<int64_t> shape(static_cast<size_t>(layout.rank()), 1);
  shape[static_cast<size_t>(axis)] = extent;
  const TileLayout line = reshaped(squeezed(layout, shape), ArrayRef<int64_t>{extent});
  const Type type = withLayout(RankedTensorType::get({extent}, b.getI32Type()), line);
  const Value places = tile::ArangeOp::create(b, loc, type, 0, static_cast<int32_t>(extent));
  return broadcast(reshape(places, shape), layout);
}

Value TileBuilder::constant(TypedAttr value, Type like) {
  const Type type = tile::withElement(like, value.getType());
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return mlir::arith::ConstantOp::create(b, loc, DenseElementsAttr::get(tensor, Attribute(value)));
  return mlir::arith::ConstantOp::create(b, loc, value);
}

TileLayout joined(const TileLayout &layout, int64_t parts) {
  TileLayout::Bases bases;
  std::vector<std::uint32_t> &registers = bases[static_cast<size_t>(Dim::Register)];
  for (int64_t part = 1; part != parts; part *= 2)
    registers.push_back(static_cast<std::uint32_t>(part));
  for (const Dim dim : kDims)
    for (const std::uint32_t column : layout.bases(dim))
      bases[static_cast<size_t>(dim)].push_back(column * static_cast<std::uint32_t>(parts));
  std::vector<std::int64_t> shape(layout.shape().begin(), layout.shape().end());
  shape.push_back(parts);
  return {std::move(shape), std::move(bases)};
}

TileLayout TileBuilder::spread(ArrayRef<int64_t> shape, const TileLayout &threads) {
  TileLayout::Bases bases;
  for (const Dim dim : {Dim::Lane, Dim::Warp, Dim::Block})
    bases[static_cast<size_t>(dim)].resize(static_cast<size_t>(threads.bits(dim)), 0);
  int64_t elements = 1;
  for (const int64_t extent : shape)
    elements *= extent;
  for (int64_t bit = 1; bit != elements; bit *= 2)
    bases[static_cast<size_t>(Dim::Register)].push_back(static_cast<std::uint32_t>(bit));
  const TileLayout registersOnly({shape.begin(), shape.end()}, std::move(bases));
  return alongAxis(registersOnly, registersOnly.rank() - 1, AxisWarps::Highest);
}

Value TileBuilder::join(Value lhs, Value rhs) {
  const TileLayout layout = layoutOf(lhs.getType());
  return tile::JoinOp::create(b, loc, typeUnder(lhs, joined(layout, 2)), lhs, convert(rhs, layout));
}

/// Makes the combine in \p region take its right values for the left ones.
static void exchangeSides(Region &region) {
  Block &block = region.front();
  const unsigned inputs = block.getNumArguments() / 2;
  for (unsigned i = 0; i != inputs; ++i) {
    Value left = block.getArgument(i), right = block.getArgument(inputs + i);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : left.getUses())
      uses.push_back(&use);
    right.replaceAllUsesWith(left);
    for (OpOperand *use : uses)
      use->set(right);
  }
}

SmallVector<Value> TileBuilder::reduce(ValueRange inputs, int axis, Region &combine, Order order) {
  const ArrayRef<int64_t> shape = tile::shapeOf(inputs[0].getType());
  if (shape[static_cast<size_t>(axis)] == 1) {
    SmallVector<int64_t> rest(shape);
    rest.erase(rest.begin() + axis);
    return llvm::map_to_vector(inputs, [&](Value input) { return reshape(input, rest); });
  }
  SmallVector<Type> types;
  for (const Value input : inputs)
    types.push_back(typeUnder(input, withoutAxis(layoutOf(input.getType()), axis)));
  auto reduce = tile::ReduceOp::create(b, loc, types, inputs, static_cast<uint32_t>(axis), order != Order::Free);
  mlir::IRMapping mapping;
  combine.cloneInto(&reduce.getCombine(), mapping);
  if (order == Order::Backward)
    exchangeSides(reduce.getCombine());
  return SmallVector<Value>(reduce.getResults());
}

SmallVector<Value> TileBuilder::combine(ValueRange lhs, ValueRange rhs, Region &combine) {
  SmallVector<Value> pairs;
  for (auto [left, right] : llvm::zip_equal(lhs, rhs))
    pairs.push_back(join(left, right));
  // The register that told sides apart holds copies now.
  SmallVector<Value> results = reduce(pairs, layoutOf(pairs[0].getType()).rank() - 1, combine, Order::Forward);
  for (Value &result : results)
    result = convert(result, layoutOf(lhs[0].getType()));
  return results;
}

} // namespace tessera::ir::layout
