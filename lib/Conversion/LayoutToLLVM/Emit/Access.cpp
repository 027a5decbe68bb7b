//===- Access.cpp - where a thread's elements lie in memory ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Access.h"

#include "Analysis/AxisInfo.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutDialect.h"

#include <algorithm>
#include <bit>

namespace tessera::ir::gpu {

using ::tessera::layout::Dim;

Addresses::~Addresses() = default;

namespace {

//===----------------------------------------------------------------------===//
// Pointers that have registers
//===----------------------------------------------------------------------===//

class PointerTile final : public Addresses {
public:
  PointerTile(Emitter &e, Value pointers) : e(e), addresses(e.registers(pointers)) {}
  Value pointer(unsigned reg) override { return e.toPointer(addresses[addresses.size() == 1 ? 0 : reg]); }

private:
  Emitter &e;
  SmallVector<Value> addresses;
};

//===----------------------------------------------------------------------===//
// Linear addresses
//===----------------------------------------------------------------------===//

class LinearAddresses final : public Addresses {
public:
  LinearAddresses(Emitter &e, const AffineForm &form, const TileLayout &layout) : e(e), form(form), layout(layout) {
    Value base = e.uniform(form.base);
    if (form.pointer) {
      const bool isView = isa<tile::ViewType>(form.pointer.getType());
      start = e.bytePointer(e.toPointer(isView ? e.view(form.pointer).base : e.scalar(form.pointer)), base);
    } else {
      start = e.toPointer(base);
    }
    start = e.bytePointer(start, threadOffset());
  }

  Value pointer(unsigned reg) override {
    UniformExprs &exprs = e.state().exprs;
    UniformExpr shared = exprs.constant(0);
    std::int64_t own = 0;
    Value mixed = e.i64(0); // of axes where what threads and registers contribute cannot be added
    for (int axis = 0; axis != layout.rank(); ++axis) {
      const UniformExpr &stride = form.strides[static_cast<size_t>(axis)];
      const std::int64_t at = Emitter::registerIndex(layout, axis, reg);
      if (!addsOn(axis)) {
        const Value coordinate = e.bitXor(e.axisIndex(layout, axis), e.i32(at));
        mixed = e.add(mixed, e.mul(e.math().zeroExtend(coordinate, 64), e.uniform(stride)));
      } else if (const std::optional<std::int64_t> bytes = stride.asConstant()) {
        own += *bytes * at;
      } else if (at != 0) {
        shared = exprs.add(shared, exprs.mul(stride, exprs.constant(at)));
      }
    }
    return e.bytePointer(e.bytePointer(rowAt(shared), mixed), own);
  }

private:
  bool addsOn(int axis) const {
    return form.strides[static_cast<size_t>(axis)].isConstant(0) || Emitter::isSeparable(layout, axis);
  }

  /// The most bytes that threads lie apart on axes of constant strides; nothing if 32 bits do not hold it.
  bool fitsWord() const {
    std::int64_t most = 0;
    for (int axis = 0; axis != layout.rank(); ++axis) {
      const std::optional<std::int64_t> bytes = form.strides[static_cast<size_t>(axis)].asConstant();
      const std::int64_t extent = layout.shape()[static_cast<size_t>(axis)];
      std::int64_t reach = 0;
      if (!bytes || !addsOn(axis))
        continue;
      if (__builtin_mul_overflow(*bytes, extent - 1, &reach) || reach < 0 || __builtin_add_overflow(most, reach, &most))
        return false;
    }
    return most <= std::numeric_limits<std::int32_t>::max();
  }

  /// What the thread's place adds, i64.
  Value threadOffset() {
    const bool isWord = fitsWord();
    MathBuilder &m = e.math();
    Value word = e.i32(0), wide = e.i64(0);
    for (int axis = 0; axis != layout.rank(); ++axis) {
      const UniformExpr &stride = form.strides[static_cast<size_t>(axis)];
      if (stride.isConstant(0) || !addsOn(axis))
        continue;
      const Value index = e.axisIndex(layout, axis);
      if (SmallCode::asConstant(index) == 0)
        continue;
      const std::optional<std::int64_t> bytes = stride.asConstant();
      if (bytes && isWord)
        word = e.add(word, e.mul(index, e.i32(*bytes)));
      else
        wide = e.add(wide, e.mul(m.zeroExtend(index, 64), e.uniform(stride)));
    }
    return SmallCode::asConstant(word) == 0 ? wide : e.add(wide, m.zeroExtend(word, 64));
  }

  Value rowAt(const UniformExpr &shared) {
    for (const auto &[offset, pointer] : rows)
      if (offset == shared)
        return pointer;
    const Value pointer = e.bytePointer(start, e.uniform(shared));
    rows.emplace_back(shared, pointer);
    return pointer;
  }

  Emitter &e;
  const AffineForm &form;
  const TileLayout &layout;
  Value start; ///< of register 0
  SmallVector<std::pair<UniformExpr, Value>> rows;
};

//===----------------------------------------------------------------------===//
// Rows anywhere in a view
//===----------------------------------------------------------------------===//

class RowAddresses final : public Addresses {
public:
  RowAddresses(Emitter &e, Operation &op, Value view, Value rowTile, Value col, const TileLayout &layout)
      : e(e), layout(layout), view(e.view(view)), rows(e.registers(rowTile)), col(e.scalar(col)),
        bytes(storedBytes(cast<tile::ViewType>(view.getType()).getElement())) {
    const TileLayout &held = e.layoutOf(rowTile);
    for (std::uint32_t reg = 0; reg != held.size(Dim::Register); ++reg)
      holder.try_emplace(held.at(reg, 0, 0), reg);
    if (!isHeld(held))
      e.refuse(op, "has rows that other threads hold");
  }

  Value pointer(unsigned reg) override {
    const Value row = e.mul(rowAt(reg), view.strides[0]), column = e.mul(columnAt(reg), view.strides[1]);
    return e.bytePointer(e.toPointer(view.base), e.mul(e.add(row, column), e.i64(bytes)));
  }

  /// A coordinate that overflows is negative, and so outside.
  Value inside(unsigned reg) override {
    MathBuilder &m = e.math();
    const auto within = [&](Value at, Value extent) {
      return e.both(m.cmp(MathBuilder::IntCompare::SGe, at, e.i64(0)), m.ltS(at, extent));
    };
    return e.both(within(rowAt(reg), view.extents[0]), within(columnAt(reg), view.extents[1]));
  }

private:
  /// Whether the thread holds the numbers of its rows.
  bool isHeld(const TileLayout &held) const {
    const TileLayout wanted = ::tessera::layout::withoutAxis(layout, 1);
    for (const Dim dim : {Dim::Lane, Dim::Warp})
      if (!std::ranges::equal(held.bases(dim), wanted.bases(dim)))
        return false;
    for (std::uint32_t reg = 0; reg != wanted.size(Dim::Register); ++reg)
      if (!holder.contains(wanted.at(reg, 0, 0)))
        return false;
    return true;
  }

  Value rowAt(unsigned reg) {
    const auto found = holder.find(static_cast<std::uint32_t>(Emitter::registerIndex(layout, 0, reg)));
    const Value row = found == holder.end() ? e.i64(0) : rows[found->second];
    return MathBuilder::bitsOf(row) == 64 ? row : e.math().signExtend(row, 64);
  }
  Value columnAt(unsigned reg) {
    const Value index = e.bitXor(e.axisIndex(layout, 1), e.i32(Emitter::registerIndex(layout, 1, reg)));
    return e.add(col, e.math().zeroExtend(index, 64));
  }

  Emitter &e;
  const TileLayout &layout;
  const ViewParts view;
  const SmallVector<Value> rows;
  const Value col;
  const std::int64_t bytes;
  llvm::SmallDenseMap<std::uint32_t, std::uint32_t> holder; ///< of a row, the register
};

} // namespace

const AffineForm *linearAddressOf(MaskForms &masks, Operation &op) {
  const AccessForm *const access = masks.accessOf(&op);
  const AffineForm *form = access && access->address ? &*access->address : nullptr;
  if (!access)
    form = masks.getAffine().of(op.getOperand(0));
  return form && form->isExact() ? form : nullptr;
}

std::unique_ptr<Addresses> addressesOf(Emitter &e, Operation &op, const TileLayout &layout) {
  if (auto load = dyn_cast<tile::ViewLoadRowsOp>(op))
    return std::make_unique<RowAddresses>(e, op, load.getView(), load.getRows(), load.getCol(), layout);
  if (auto store = dyn_cast<tile::ViewStoreRowsOp>(op))
    return std::make_unique<RowAddresses>(e, op, store.getView(), store.getRows(), store.getCol(), layout);
  if (const AffineForm *const form = linearAddressOf(e.state().masks, op))
    return std::make_unique<LinearAddresses>(e, *form, layout);
  return std::make_unique<PointerTile>(e, op.getOperand(0));
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

const MaskForm *boundsOf(MaskForms &masks, Value mask) {
  if (!isa<RankedTensorType>(mask.getType()) || !tile::elementOf(mask.getType()).isInteger(1))
    return nullptr;
  const MaskForm &form = masks.of(mask);
  const bool bounds = llvm::any_of(form.box, [](const Interval &interval) { return !interval.isFree(); });
  return bounds && form.isExact() && !llvm::is_contained(form.rest, mask) ? &form : nullptr;
}

static std::int64_t lowestBit(std::int64_t number) { return number & -number; }

/// A power of two that divides the integer \p value, as far as hints tell.
static std::int64_t divisorOf(Value value) {
  if (auto hint = value.getDefiningOp<tile::HintOp>()) {
    const std::int64_t told = hint.getMultipleOf() ? lowestBit(hint.getMultipleOf()->front()) : 1;
    return std::max(told, divisorOf(hint.getSource()));
  }
  auto argument = dyn_cast<BlockArgument>(value);
  auto kernel = argument ? dyn_cast<tile::KernelOp>(argument.getOwner()->getParentOp()) : tile::KernelOp();
  if (!kernel)
    return 1;
  auto told = kernel.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), tile::TileDialect::kMultipleOf);
  return told ? lowestBit(told.getInt()) : 1;
}

/// The same of a bound that is then cut to what lies in a power of two, as the ends of a saturating difference are.
static std::int64_t divisorOf(const UniformExpr &expr) {
  using Kind = UniformExpr::Kind;
  switch (expr.kind()) {
  case Kind::Constant:
    return expr.isConstant(0) ? kMostDivisor : lowestBit(expr.constant());
  case Kind::SignExtended:
  case Kind::ZeroExtended:
    return divisorOf(expr.value());
  case Kind::Add:
  case Kind::Sub:
  case Kind::SubSat:
    return std::min(divisorOf(expr.lhs()), divisorOf(expr.rhs()));
  default:
    return 1;
  }
}

Masks::Masks(Emitter &e, Operation &op, Value mask, const TileLayout &layout)
    : e(e), layout(layout), isStore(op.getNumResults() == 0) {
  if (op.hasAttr(layout::LayoutDialect::kInBounds))
    return;
  const bool isTile = layout.rank() != 0;
  if (!isTile) {
    if (mask)
      whole = e.scalar(mask);
    return;
  }
  const AccessForm *const access = e.state().masks.accessOf(&op);
  if (access)
    form = &access->mask;
  else if (mask)
    form = &e.state().masks.of(mask);
  if (form && !form->isExact())
    form = nullptr;
  if (form) {
    for (Value condition : form->scalars)
      whole = e.both(whole, e.scalar(condition));
    for (Value rest : form->rest)
      tiles.push_back(e.registers(rest));
  } else if (mask) {
    tiles.push_back(e.registers(mask));
  }
}

Value Masks::at(unsigned reg) {
  Value result = whole;
  if (form)
    for (auto [axis, interval] : llvm::enumerate(form->box))
      result = e.both(result, inside(interval, static_cast<int>(axis), reg));
  for (const SmallVector<Value> &tile : tiles)
    result = e.both(result, tile[tile.size() == 1 ? 0 : reg]);
  return result;
}

Value Masks::inside(const Interval &interval, int axis, unsigned reg) {
  Value result;
  if (interval.hi)
    result = below(interval.hi, axis, reg);
  if (interval.lo)
    result = e.both(result, e.math().notI(below(interval.lo, axis, reg)));
  return result;
}

/// What the indices of a thread on \p axis are compared with: the bound itself if what threads and registers contribute
/// cannot be added, or else its distance from the thread, by which registers differ in constants.
Value Masks::limitOf(const UniformExpr &bound, int axis) {
  for (const Limit &known : limits)
    if (known.bound == bound && known.axis == axis)
      return known.code;
  MathBuilder &m = e.math();
  // Coordinates are small: all bounds below 0 are one, as are all above the extent.
  const Value most = e.i64(layout.shape()[static_cast<size_t>(axis)]);
  Value code = m.truncate(m.minS(m.maxS(e.uniform(bound), e.i64(0)), most), 32);
  if (Emitter::isSeparable(layout, axis))
    code = isStore ? e.sub(code, e.axisIndex(layout, axis)) : e.sub(e.axisIndex(layout, axis), code);
  limits.push_back({bound, axis, code});
  return code;
}

/// A store asks the opposite of what a load does: asked the same, assemblers keep the answers of loads in the bits of a
/// register until the stores, which costs three instructions an element where asking again costs one.
Value Masks::below(const UniformExpr &bound, int axis, unsigned reg) {
  MathBuilder &m = e.math();
  // Runs that the bound does not cut lie on one side of it: registers of a run ask the same.
  const std::int64_t run = std::min(divisorOf(bound), layout.shape()[static_cast<size_t>(axis)]);
  const std::int64_t own = Emitter::registerIndex(layout, axis, reg) & -run;
  if (bound.range().hi <= own)
    return e.integer(1, 0);
  const Value limit = limitOf(bound, axis);
  if (!Emitter::isSeparable(layout, axis))
    return m.ltS(e.bitXor(e.axisIndex(layout, axis), e.i32(own)), limit);
  return isStore ? m.gtS(limit, e.i32(own)) : m.ltS(limit, e.i32(-own));
}

unsigned vectorOf(Operation &op, const TileLayout &layout) {
  auto attribute = op.getAttrOfType<IntegerAttr>(layout::LayoutDialect::kVector);
  if (!attribute || layout.rank() == 0)
    return 1;
  std::uint32_t most = 1;
  for (int axis = 0; axis != layout.rank(); ++axis)
    most = std::max(most, ::tessera::layout::contiguousRegisters(layout, axis));
  return std::min(static_cast<std::uint32_t>(attribute.getInt()), most);
}

} // namespace tessera::ir::gpu
