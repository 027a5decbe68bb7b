//===- Lowering.cpp - from tile IR to instructions -----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Lowering.h"

#include "IRSupport/Locations.h"
#include "Target/Interp/Frame.h"
#include "Target/Interp/ValueFlow.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace tessera::ir::interp {

using namespace mlir;

std::optional<Elem> elemOf(Type type) {
  type = getElementTypeOrSelf(type);
  if (auto i = dyn_cast<IntegerType>(type)) {
    switch (i.getWidth()) {
    case 1:
      return Elem::I1;
    case 8:
      return Elem::I8;
    case 16:
      return Elem::I16;
    case 32:
      return Elem::I32;
    case 64:
      return Elem::I64;
    default:
      return std::nullopt;
    }
  }
  if (type.isF16())
    return Elem::F16;
  if (type.isBF16())
    return Elem::BF16;
  if (type.isF32())
    return Elem::F32;
  if (type.isF64())
    return Elem::F64;
  if (isa<Float8E4M3FNType>(type))
    return Elem::E4M3;
  if (isa<Float8E5M2Type>(type))
    return Elem::E5M2;
  if (isa<Float8E4M3FNUZType>(type))
    return Elem::E4M3Fnuz;
  if (isa<Float8E5M2FNUZType>(type))
    return Elem::E5M2Fnuz;
  if (isa<tile::PtrType>(type))
    return Elem::Ptr;
  if (isa<tile::ViewType>(type))
    return Elem::View;
  if (type.isIndex())
    return Elem::I64;
  return std::nullopt;
}

Shape shapeOf(Type type) {
  Shape shape;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    for (std::int64_t extent : tensor.getShape())
      shape.extent[shape.rank++] = extent;
  return shape;
}

static std::uint32_t countOf(Type type) {
  if (auto view = dyn_cast<tile::ViewType>(type))
    return 1 + 2 * view.getRank();
  return static_cast<std::uint32_t>(shapeOf(type).count());
}

Builder::Builder(const OpTable &table, Code &code, Operation *kernel) : code(code), table(table), overflows(kernel) {}

LogicalResult Builder::refuse(Operation &op, const llvm::Twine &why) {
  if (error.text.empty()) {
    error.text = (llvm::Twine("`") + op.getName().getStringRef() + "` " + why).str();
    error.at = op.getLoc();
  }
  return failure();
}

Slot Builder::in(Value value) {
  const Slot slot = slots.lookup(value);
  if (!combine || slot.count == lanes || combine->isAncestor(value.getParentRegion()))
    return slot;
  // A scalar from outside a combine region: one copy for each lane.
  const Slot wide = temporary(slot.elem, lanes);
  Inst inst;
  inst.in = {slot};
  inst.out = {wide};
  inst.n = lanes;
  inst.exec = dispatchWidth<ExecFn>(slot.elem, []<class T>() -> ExecFn {
    return [](const Inst &i, Frame &f) { std::fill_n(f.out<T>(i), i.n, f.scalar<T>(i, 0)); };
  });
  current->push_back(std::move(inst));
  return wide;
}

Slot Builder::out(Value value) {
  if (auto it = slots.find(value); it != slots.end())
    return it->second;
  const std::uint32_t count = combine ? lanes : countOf(value.getType());
  const Elem elem = *elemOf(value.getType());
  if (current == &code.prologue)
    return slots[value] = registers.allocateForever(elem, count);
  const Slot slot = registers.allocate(elem, count);
  slots[value] = slot;
  owned[value] = slot;
  return slot;
}

void Builder::bind(Value value, Slot slot) { slots[value] = slot; }

Slot Builder::temporary(Elem elem, std::uint32_t count) {
  return temporaries.emplace_back(registers.allocate(elem, count));
}

void Builder::releaseTemporaries(std::size_t keep) {
  while (temporaries.size() > keep)
    registers.release(temporaries.pop_back_val());
}

std::uint32_t Builder::site(Operation &op, Shape shape) {
  Site site{locationText(op.getLoc()), op.getName().getStringRef().str(), userName(op.getLoc()).str(), shape};
  code.sites.push_back(std::move(site));
  return static_cast<std::uint32_t>(code.sites.size() - 1);
}

Inst &Builder::emit(Operation &op, ExecFn exec, ArrayRef<Slot> in, ArrayRef<Slot> out) {
  Inst &inst = current->emplace_back();
  inst.exec = exec;
  inst.in.assign(in.begin(), in.end());
  inst.out.assign(out.begin(), out.end());
  inst.n = !out.empty() ? out[0].count : !in.empty() ? in[0].count : 1;
  Shape shape;
  if (!combine) {
    if (op.getNumResults())
      shape = shapeOf(op.getResult(0).getType());
    else if (op.getNumOperands())
      shape = shapeOf(op.getOperand(0).getType());
  }
  inst.site = site(op, shape);
  return inst;
}

Inst &Builder::emit(Operation &op, ExecFn exec) {
  SmallVector<Slot, 4> ins, outs;
  for (Value operand : op.getOperands())
    ins.push_back(in(operand));
  for (Value result : op.getResults())
    outs.push_back(out(result));
  return emit(op, exec, ins, outs);
}

Slot Builder::constant(Elem elem, std::uint32_t count, ArrayRef<char> bytes) {
  const Slot slot = registers.allocateForever(elem, count);
  Constant &constant = code.constants.emplace_back();
  constant.slot = slot;
  constant.bytes.resize(bytes.size());
  std::memcpy(constant.bytes.data(), bytes.data(), bytes.size());
  return slot;
}

void Builder::lowerConstant(Operation &op) {
  const Elem elem = *elemOf(op.getResult(0).getType());
  const Attribute value = cast<arith::ConstantOp>(op).getValue();
  SmallVector<char> bytes;
  const auto append = [&](const APInt &bits) {
    const std::uint64_t word = bits.getZExtValue();
    const char *raw = reinterpret_cast<const char *>(&word);
    bytes.append(raw, raw + bytesOf(elem));
  };
  const auto appendAttribute = [&](Attribute a) {
    if (auto i = dyn_cast<IntegerAttr>(a))
      append(i.getValue());
    else
      append(cast<FloatAttr>(a).getValue().bitcastToAPInt());
  };
  if (auto elements = dyn_cast<DenseElementsAttr>(value)) {
    if (elements.isSplat())
      appendAttribute(elements.getSplatValue<Attribute>());
    else
      for (Attribute a : elements.getValues<Attribute>())
        appendAttribute(a);
  } else {
    appendAttribute(value);
  }
  const std::uint32_t count = combine ? lanes : countOf(op.getResult(0).getType());
  bind(op.getResult(0), constant(elem, count, bytes));
}

Moves Builder::moves(ArrayRef<Slot> from, ArrayRef<Slot> to) {
  Moves moves;
  for (auto [source, target] : llvm::zip_equal(from, to))
    if (source.offset != target.offset)
      moves.moves.push_back({source, target});
  bool crossing = false;
  for (std::size_t i = 0; i != moves.moves.size(); ++i)
    for (std::size_t j = i + 1; j < moves.moves.size(); ++j)
      crossing |= moves.moves[j].from.offset == moves.moves[i].to.offset;
  if (crossing)
    for (const Moves::Move &move : moves.moves)
      moves.temporaries.push_back(temporary(move.from.elem, move.from.count));
  return moves;
}

std::uint32_t Builder::memorySite(Operation &op, Value pointer, Elem elem, bool writes, bool atomic, Value stored) {
  const auto index = static_cast<std::uint32_t>(code.memory.size());
  accesses[&op] = index;
  if (stored)
    stores.emplace_back(index, stored);
  MemorySite &site = code.memory.emplace_back();
  site.index = index;
  site.elem = elem;
  site.writes = writes;
  site.atomic = atomic;
  site.roots = rootsOf(pointer, workspaces);
  for (std::uint32_t origin : site.roots.origins)
    site.mayAlias |= code.parameters[origin].mayAlias;
  if (writes)
    for (std::uint32_t i = 0; i != code.parameters.size(); ++i)
      if (code.parameters[i].elem == Elem::Ptr && (site.roots.unknown || llvm::is_contained(site.roots.origins, i)))
        code.parameters[i].written = true;
  code.inGridOrder |= atomic;
  code.memory[index].site = this->site(op, shapeOf(pointer.getType()));
  return index;
}

bool Builder::isSameForAllPrograms(Operation &op) const {
  if (combine || debugger || !llvm::all_of(op.getOperands(), [&](Value v) { return same.contains(v); }))
    return false;
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return overflow(op) == OverflowMode::None;
  return isa<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp, tile::TransOp, tile::ArangeOp,
             tile::NumProgramsOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::CmpIOp>(op);
}

LogicalResult Builder::lower(Operation &op) {
  for (Value result : op.getResults())
    if (!elemOf(result.getType()))
      return refuse(op, "gives a value of a type the interpreter does not know");
  if (isa<arith::ConstantOp>(op)) {
    lowerConstant(op);
    same.insert(op.getResult(0));
    return success();
  }
  if (combine && lanes != 1 && op.getNumRegions() != 0)
    return refuse(op, "cannot stand in a combine region");
  const LowerFn fn = table.find(op.getName().getStringRef());
  if (!fn)
    return refuse(op, "is not an operation of this target");
  if (debugger && debugger->stopsBefore(op))
    debugger->emitStop(op, *this, slots);
  const std::size_t keep = temporaries.size();
  Block *list = current;
  if (isSameForAllPrograms(op)) {
    current = &code.prologue;
    same.insert(op.result_begin(), op.result_end());
  }
  const LogicalResult result = fn(op, *this);
  current = list;
  releaseTemporaries(keep);
  return result;
}

FailureOr<Block> Builder::lowerBlock(mlir::Block &block, Finish finish) {
  // The last operation of this block that uses a value, itself or inside, ends its life.
  DenseMap<Operation *, SmallVector<Value, 2>> dying;
  const auto note = [&](Value value) {
    Operation *last = value.getDefiningOp();
    for (Operation *user : value.getUsers())
      if (Operation *here = block.findAncestorOpInBlock(*user))
        if (!last || last->isBeforeInBlock(here))
          last = here;
    if (last)
      dying[last].push_back(value);
  };
  for (Operation &op : block)
    for (Value result : op.getResults())
      note(result);

  Block list;
  Block *outer = std::exchange(current, &list);
  const std::size_t keep = temporaries.size();
  LogicalResult result = success();
  for (Operation &op : block.without_terminator()) {
    if (failed(result = lower(op)))
      break;
    for (Value value : dying.lookup(&op))
      if (auto it = owned.find(value); it != owned.end() && !debugger) {
        registers.release(it->second);
        owned.erase(it);
      }
  }
  if (succeeded(result) && finish)
    result = finish(*block.getTerminator());
  releaseTemporaries(keep);
  for (Value value : dying.lookup(block.getTerminator()))
    if (auto it = owned.find(value); it != owned.end() && !debugger) {
      registers.release(it->second);
      owned.erase(it);
    }
  current = outer;
  if (failed(result))
    return failure();
  return list;
}

FailureOr<Block> Builder::lowerCombine(Region &region, ArrayRef<Slot> arguments, std::uint32_t laneCount,
                                       Finish finish) {
  for (auto [argument, slot] : llvm::zip_equal(region.getArguments(), arguments))
    bind(argument, slot);
  Region *outerCombine = std::exchange(combine, &region);
  const std::uint32_t outerLanes = std::exchange(lanes, laneCount);
  FailureOr<Block> list = lowerBlock(region.front(), finish);
  combine = outerCombine;
  lanes = outerLanes;
  return list;
}

LogicalResult Builder::addParameter(Value value) {
  const std::optional<Elem> elem = elemOf(value.getType());
  if (!elem || *elem == Elem::View || isa<RankedTensorType>(value.getType())) {
    error.text = "a parameter has a type the interpreter does not know";
    return failure();
  }
  Parameter &parameter = code.parameters.emplace_back();
  parameter.elem = *elem;
  if (auto pointer = dyn_cast<tile::PtrType>(value.getType()))
    parameter.pointee = *elemOf(pointer.getPointee());
  parameter.name = userName(value.getLoc()).str();
  const Slot slot = registers.allocateForever(*elem, 1);
  bind(value, slot);
  same.insert(value);
  code.parameterSlots.push_back(slot);
  return success();
}

LogicalResult Builder::lowerKernel(mlir::Block &body) {
  auto kernel = cast<tile::KernelOp>(body.getParentOp());
  for (auto [i, argument] : llvm::enumerate(body.getArguments())) {
    if (failed(addParameter(argument)))
      return failure();
    Parameter &parameter = code.parameters.back();
    if (parameter.name.empty())
      parameter.name = ("argument " + llvm::Twine(i)).str();
    parameter.mayAlias = kernel.getArgAttr(i, tile::TileDialect::kMayAlias) != nullptr;
    if (auto multiple = kernel.getArgAttrOfType<IntegerAttr>(i, tile::TileDialect::kMultipleOf))
      parameter.multipleOf = multiple.getInt();
  }
  kernel.walk<WalkOrder::PreOrder>([&](tile::WorkspaceOp op) {
    workspaces[op] = static_cast<std::uint32_t>(code.parameters.size());
    (void)addParameter(op.getResult()); // a pointer is always known
    code.parameters.back().workspace = true;
    if (code.parameters.back().name.empty())
      code.parameters.back().name = "workspace";
  });
  FailureOr<Block> list = lowerBlock(body, nullptr);
  if (failed(list))
    return failure();
  code.body = std::move(*list);
  for (const auto &[store, value] : stores)
    for (Operation *load : movedLoads(value))
      if (const auto it = accesses.find(load); it != accesses.end())
        code.memory[store].moved.push_back(it->second);
  if (registers.size() > std::uint64_t(std::numeric_limits<std::uint32_t>::max())) {
    error.text = "the kernel keeps more than 4 GiB of values alive";
    return failure();
  }
  code.frameBytes = static_cast<std::uint32_t>(registers.size());
  return success();
}

} // namespace tessera::ir::interp
