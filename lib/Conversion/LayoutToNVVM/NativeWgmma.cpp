//===- NativeWgmma.cpp - products of groups of four warps -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `wgmma`: a group of four warps multiplies 64 rows by up to 256 columns, in the layouts of Layout/MatrixUnits.h.
// Operands in shared memory are named by descriptors (Layout/MatrixDescriptor.h), of which the emitted code knows all
// but where the buffer and the group's part of it begin. An accumulator goes through every instruction that works on
// it, in the same registers, and through the waits.
//
// A left operand of words that the unit cannot read from its buffer is read by threads, a part of k at a time: while
// they read one part, the product of the part before is under way. Each is a group of its own, and registers are filled
// when all but the last one are over. The last part is waited for: behind the end of a loop's round, assemblers give
// registers to others while an instruction of the round before still reads them.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/CodeNotes.h"
#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToLLVM/Emit/Packing.h"
#include "Conversion/LayoutToLLVM/Lanes/Buffer.h"
#include "Conversion/LayoutToNVVM/GroupInstruction.h"
#include "Conversion/LayoutToNVVM/NvidiaHooks.h"
#include "Layout/Access.h"
#include "Layout/MatrixDescriptor.h"
#include "Layout/MatrixUnits.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace tessera::ir::gpu {

using namespace ::tessera::layout;
namespace LLVM = mlir::LLVM;
namespace vector = mlir::vector;

/// All that a product may touch: the order of instructions is that of the code.
static constexpr border::Effects kOrdered{.memory = border::Memory::Any, .isConvergent = true};

//===----------------------------------------------------------------------===//
// Registers of accumulators
//===----------------------------------------------------------------------===//

/// Values in code as a struct, which is a group of registers.
static Value asGroup(Emitter &e, ArrayRef<Value> values) {
  const auto types = llvm::map_to_vector(values, [](Value value) { return value.getType(); });
  Value group =
      LLVM::UndefOp::create(e.builder(), e.loc(), LLVM::LLVMStructType::getLiteral(e.builder().getContext(), types));
  for (auto [number, value] : llvm::enumerate(values))
    group = LLVM::InsertValueOp::create(e.builder(), e.loc(), group, value, static_cast<std::int64_t>(number));
  return group;
}

static void appendMembers(Emitter &e, Value group, SmallVectorImpl<Value> &values) {
  const size_t count = cast<LLVM::LLVMStructType>(group.getType()).getBody().size();
  for (size_t number = 0; number != count; ++number)
    values.push_back(LLVM::ExtractValueOp::create(e.builder(), e.loc(), group, static_cast<std::int64_t>(number)));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {

/// An operand in shared memory.
class Blocks {
public:
  /// \p starts are the flat indices at which the parts of groups begin, by the bits of the warp.
  Blocks(Emitter &e, Value buffer, int kAxis, const MatrixBlock &block, ArrayRef<std::uint32_t> starts)
      : e(e), shared(cast<layout::BufferType>(buffer.getType()).getLayout().getLayout()),
        bytes(static_cast<std::uint32_t>(cast<layout::BufferType>(buffer.getType()).bytesOfElement())),
        descriptor(matrixDescriptor(shared, static_cast<int>(bytes), kAxis, block)) {
    if (!descriptor)
      return;
    SmallVector<std::uint32_t> offsets;
    for (const std::uint32_t start : starts)
      offsets.push_back(shared.offset(start) * bytes);
    const Value inBuffer = llvm::any_of(offsets, [](std::uint32_t offset) { return offset != 0; })
                               ? e.linearMap(offsets, e.uniformWarpId())
                               : Value();
    Value place = e.scalar(buffer);
    if (inBuffer)
      place = e.add(place, inBuffer);
    MathBuilder &m = e.math();
    const Value address =
        LLVM::PtrToIntOp::create(e.builder(), e.loc(), e.builder().getI32Type(), e.sharedPointer(place));
    const Value start = m.zeroExtend(m.andI(m.shrU(address, kAddressShift), e.i32(0x3fff)), 64);
    base = m.orI(start, e.i64(static_cast<std::int64_t>(descriptor->encode())));
  }

  bool areRead() const { return descriptor.has_value(); }
  bool areTransposed() const { return descriptor->isTransposed; }
  /// The descriptor of the block that begins at a flat index.
  Value at(std::uint32_t flat) { return e.add(base, e.i64(shared.offset(flat) * bytes >> kAddressShift)); }

private:
  static constexpr unsigned kAddressShift = 4;

  Emitter &e;
  const SharedLayout &shared;
  std::uint32_t bytes; ///< of an element
  std::optional<MatrixDescriptor> descriptor;
  Value base;
};

/// A left operand in registers, four words for each step along k and block of rows.
class Words {
public:
  static constexpr unsigned kWords = 4;

  /// What threads have as \p element; \p steps for each block of rows.
  Words(Emitter &e, Type element, size_t steps) : e(e), element(element), steps(steps) {}
  virtual ~Words() = default;

  /// Brings steps \p first to \p end to registers.
  virtual void read(size_t first, size_t end) = 0;
  Value at(size_t row, size_t step) { return words[step + steps * row]; }

protected:
  size_t perWord() const { return 32 / element.getIntOrFloatBitWidth(); }
  size_t stepOf(size_t reg) const { return reg / (kWords * perWord()) % steps; }

  /// Makes words of what \p values has of steps \p first to \p end.
  void take(ArrayRef<Value> values, size_t first, size_t end) {
    const size_t each = kWords * perWord();
    const auto type = mlir::VectorType::get({kWords}, e.builder().getI32Type());
    words.resize(values.size() / each);
    for (auto [number, word] : llvm::enumerate(words)) {
      if (const size_t step = number % steps; step < first || step >= end)
        continue;
      SmallVector<Value> packed;
      for (size_t start = number * each; start != (number + 1) * each; start += perWord())
        packed.push_back(pack(e, element, values.slice(start, perWord())));
      word = vector::FromElementsOp::create(e.builder(), e.loc(), type, packed);
    }
  }

  Emitter &e;
  const Type element;
  const size_t steps;

private:
  SmallVector<Value> words;
};

/// That of a tile.
class WordsOfTile final : public Words {
public:
  WordsOfTile(Emitter &e, Value tile, size_t steps) : Words(e, tile::elementOf(tile.getType()), steps), tile(tile) {}
  void read(size_t first, size_t end) override { take(e.registers(tile), first, end); }

private:
  Value tile;
};

/// That of a buffer, under the layout of a tile.
class WordsOfBuffer final : public Words {
public:
  WordsOfBuffer(Emitter &e, Value buffer, const TileLayout &layout, size_t steps)
      : WordsOfBuffer(e, cast<layout::BufferType>(buffer.getType()), e.scalar(buffer), layout, steps) {}

  void read(size_t first, size_t end) override {
    for (ArrayRef<std::uint32_t> rest(registers); !rest.empty(); rest = rest.drop_front(width)) {
      if (const size_t step = stepOf(rest.front()); step < first || step >= end)
        continue;
      const SmallVector<Value> loaded = e.loadShared(element, width, places.pointer(rest.front()));
      for (auto [reg, value] : llvm::zip_equal(rest.take_front(width), loaded))
        values[reg] = value;
    }
    take(values, first, end);
  }

private:
  WordsOfBuffer(Emitter &e, layout::BufferType type, Value buffer, const TileLayout &layout, size_t steps)
      : Words(e, type.getElement(), steps), shared(type.getLayout().getLayout()),
        places(e, buffer, element, offsetColumns(layout, shared)),
        width(std::min(kWords, widestAccess(layout, shared, static_cast<int>(type.bytesOfElement())))),
        registers(accessGroups(layout, shared, width)), values(layout.size(Dim::Register)) {}

  const SharedLayout &shared;
  Places places;
  const std::uint32_t width;
  const std::vector<std::uint32_t> registers; ///< in groups of `width`
  SmallVector<Value> values;
};

/// Emits a product, instruction by instruction.
class GroupProduct {
public:
  GroupProduct(Emitter &e, layout::AsyncDotOp dot)
      : e(e), dot(dot), layout(e.layoutOf(dot.getAcc())), rows(layout.shape()[0]), columns(layout.shape()[1]) {}

  void emit() {
    const Type a = elementOf(dot.getA()), b = elementOf(dot.getB());
    instruction = groupInstructionOf(a, b, a.isF32() ? tile::DotPrecision::TF32 : tile::DotPrecision::IEEE);
    if (!instruction || !takeShape())
      return refuse("has an accumulator in another layout than that of the unit");
    const int kBits = log2Of(depth), columnBits = log2Of(columns);
    SmallVector<std::uint32_t> rowStarts, columnStarts;
    for (const auto [bit, start] : llvm::enumerate(layout.bases(Dim::Warp))) {
      const bool isInGroup = bit < 2;
      rowStarts.push_back(isInGroup ? 0 : start >> columnBits << kBits);
      columnStarts.push_back(isInGroup ? 0 : start & static_cast<std::uint32_t>(columns - 1));
    }
    const bool isInRegisters = isa<RankedTensorType>(dot.getA().getType());
    const TileLayout held = wgmmaOperandA(std::array{rows, depth}, bitsOf(a), grid, unitRows);
    if (isInRegisters && !(e.layoutOf(dot.getA()) == held))
      return refuse("has an operand in registers in another layout than that of the unit");
    std::optional<Blocks> left;
    std::unique_ptr<Words> words;
    if (isInRegisters)
      words = std::make_unique<WordsOfTile>(e, dot.getA(), steps());
    else
      left.emplace(e, dot.getA(), 1, MatrixBlock{GroupInstruction::kRows, instruction->k}, rowStarts);
    if (left && (!isRead(*left) || unitRows == UnitRows::Spread) && bitsOf(a) == kWordBits) {
      left.reset();
      words = std::make_unique<WordsOfBuffer>(e, dot.getA(), held, steps());
    }
    Blocks right(e, dot.getB(), 0, MatrixBlock{width, instruction->k}, columnStarts);
    if ((left && !isRead(*left)) || !isRead(right))
      return refuse("has a buffer that the unit cannot read");
    multiply(left ? &*left : nullptr, words.get(), right, words && !isInRegisters);
    e.notes().product(*dot, instruction->name(width));
  }

private:
  static Type elementOf(Value operand) {
    if (auto buffer = dyn_cast<layout::BufferType>(operand.getType()))
      return buffer.getElement();
    return tile::elementOf(operand.getType());
  }
  bool isRead(const Blocks &blocks) const {
    return blocks.areRead() && (instruction->readsAcross || !blocks.areTransposed());
  }
  size_t steps() const { return static_cast<size_t>(depth / instruction->k); }
  static constexpr int kWordBits = 32;
  static int bitsOf(Type element) { return static_cast<int>(element.getIntOrFloatBitWidth()); }

  void refuse(const Twine &why) {
    e.refuse(*dot, why);
    e.setPlaceholders(*dot);
  }

  /// Finds the grid of warps, and with it each group's part.
  bool takeShape() {
    depth = cast<layout::BufferType>(dot.getB().getType()).getShape()[0];
    const int numWarps = static_cast<int>(e.numWarps());
    for (int along = 4; along <= numWarps; along *= 2) {
      grid = {along, numWarps / along};
      for (const UnitRows order : {UnitRows::InOrder, UnitRows::Spread})
        if (rows >= GroupInstruction::kRows && layout == wgmmaAccumulator(layout.shape(), grid, order)) {
          unitRows = order;
          width = instructionColumns(columns, grid);
          return depth >= instruction->k;
        }
    }
    return false;
  }

  /// The left operand is \p left or \p words, which \p areRead by threads as they are needed.
  void multiply(Blocks *left, Words *words, Blocks &right, bool areRead) {
    const auto perBlock = static_cast<size_t>(width / 2); // registers of the accumulator
    const SmallVector<Value> before = e.registers(dot.getAcc());
    const size_t blocks = before.size() / perBlock, blocksOfRow = blocks / rowBlocks();
    SmallVector<Value> sums;
    const Type type = LLVM::LLVMStructType::getLiteral(e.builder().getContext(),
                                                       SmallVector<Type>(perBlock, before.front().getType()));
    for (size_t block = 0; block != blocks; ++block)
      sums.push_back(startsAtZero() ? LLVM::UndefOp::create(e.builder(), e.loc(), type)
                                    : asGroup(e, ArrayRef(before).slice(block * perBlock, perBlock)));
    const size_t perPart = areRead ? stepsOfPart() : steps();
    for (size_t first = 0; first != steps(); first += perPart) {
      if (areRead)
        waitForRegisters(first, perPart);
      if (words)
        words->read(first, first + perPart);
      e.border().native("nv", "wgmma.fence.sync.aligned", {}, {}, kOrdered);
      for (size_t step = first; step != first + perPart; ++step)
        for (auto [block, sum] : llvm::enumerate(sums)) {
          const auto k = static_cast<std::uint32_t>(step) * static_cast<std::uint32_t>(instruction->k);
          const size_t row = block / blocksOfRow, column = block % blocksOfRow;
          const Value a = words ? words->at(row, step)
                                : left->at(static_cast<std::uint32_t>(row * GroupInstruction::kRows * depth) + k);
          const Value b =
              right.at(k * static_cast<std::uint32_t>(columns) + static_cast<std::uint32_t>(column * width));
          sum = multiplyAdd(sum, a, b, left && left->areTransposed(), right.areTransposed(), step == 0);
        }
    }
    if (areRead) {
      e.border().native("nv", "wgmma.commit_group.sync.aligned", {}, {}, kOrdered);
      e.border().native("nv", "wgmma.wait_group.sync.aligned", {}, e.i32(0), kOrdered);
    }
    SmallVector<Value> registers;
    for (const Value sum : sums)
      appendMembers(e, sum, registers);
    e.setRegisters(dot.getResult(), registers);
  }

  /// Steps along k for which threads read the left operand at once, a power of two: so few that there is another part
  /// whose product is under way meanwhile.
  size_t stepsOfPart() const {
    constexpr size_t kMost = 2;
    return std::clamp<size_t>(steps() / 2, 1, kMost);
  }

  /// Begins the group of the part that begins with step \p first, and waits until the registers that it takes are free.
  void waitForRegisters(size_t first, size_t perPart) {
    if (first != 0)
      e.border().native("nv", "wgmma.commit_group.sync.aligned", {}, {}, kOrdered);
    const bool isOnly = perPart == steps();
    e.border().native("nv", "wgmma.wait_group.sync.aligned", {}, e.i32(isOnly ? 0 : 1), kOrdered);
  }

  /// Blocks of 64 rows that a group has.
  size_t rowBlocks() const {
    return static_cast<size_t>(std::max<std::int64_t>(1, rows / (grid.rows / 4 * GroupInstruction::kRows)));
  }

  bool startsAtZero() { return dot.getAccumulate() && mlir::matchPattern(dot.getAccumulate(), mlir::m_Zero()); }

  Value multiplyAdd(Value sum, Value a, Value b, bool transposesA, bool transposesB, bool isFirst) {
    Value accumulates = e.integer(1, 1);
    if (isFirst && dot.getAccumulate())
      accumulates = e.scalar(dot.getAccumulate());
    SmallVector<Value> operands{sum, a, b, accumulates};
    if (instruction->hasSigns)
      operands.append(2, e.i32(1));
    if (instruction->readsAcross) {
      if (!isa<mlir::VectorType>(a.getType()))
        operands.push_back(e.i32(transposesA));
      operands.push_back(e.i32(transposesB));
    }
    const std::string opcode = ("wgmma.mma_async.sync.aligned.m64n" + Twine(width) + "k" + Twine(instruction->k) + "." +
                                instruction->sum + "." + instruction->a + "." + instruction->b)
                                   .str();
    return e.border().native("nv", opcode, sum.getType(), operands, kOrdered);
  }

  Emitter &e;
  layout::AsyncDotOp dot;
  const TileLayout layout; ///< of the accumulator
  const std::int64_t rows, columns;
  std::int64_t depth = 0;
  std::optional<GroupInstruction> instruction;
  WarpGrid grid;
  UnitRows unitRows = UnitRows::InOrder;
  std::int64_t width = 0; ///< columns of an instruction
};

} // namespace

void NvidiaHooks::startProduct(Emitter &e, layout::AsyncDotOp dot) const { GroupProduct(e, dot).emit(); }

void NvidiaHooks::commitProducts(Emitter &e, layout::AsyncDotCommitOp) const {
  e.border().native("nv", "wgmma.commit_group.sync.aligned", {}, {}, kOrdered);
}

void NvidiaHooks::waitForProducts(Emitter &e, layout::AsyncDotWaitOp wait) const {
  const Value kept = e.i32(wait.getPending());
  SmallVector<Value> values;
  for (const Value tile : wait.getValues())
    llvm::append_range(values, e.registers(tile));
  if (values.empty()) {
    e.border().native("nv", "wgmma.wait_group.sync.aligned", {}, kept, kOrdered);
    return;
  }
  const Value group = asGroup(e, values);
  const Value waited =
      e.border().native("nv", "wgmma.wait_group.sync.aligned", group.getType(), {kept, group}, kOrdered);
  SmallVector<Value> results;
  appendMembers(e, waited, results);
  ArrayRef<Value> rest(results);
  for (auto [tile, result] : llvm::zip_equal(wait.getValues(), wait.getResults())) {
    const size_t count = e.registers(tile).size();
    e.setRegisters(result, rest.take_front(count));
    rest = rest.drop_front(count);
  }
}

} // namespace tessera::ir::gpu
