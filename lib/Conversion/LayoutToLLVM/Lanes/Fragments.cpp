//===- Fragments.cpp - operands of matrix units, step by step ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Lanes/Fragments.h"

#include "Conversion/LayoutToLLVM/Emit/CodeNotes.h"
#include "Conversion/LayoutToLLVM/Emit/Packing.h"
#include "Layout/FlatIndex.h"
#include "Layout/Span.h"

namespace tessera::ir::gpu {

using ::tessera::layout::accessGroups;
using ::tessera::layout::combined;
using ::tessera::layout::Dim;
using ::tessera::layout::kDims;
using ::tessera::layout::log2Of;
using ::tessera::layout::Span;
using ::tessera::layout::TileLayout;
using ::tessera::layout::widestAccess;

static unsigned elementsPerWord(Type element) { return std::max(1U, 32 / tile::bitsOf(element)); }

SmallVector<Value> wordsOf(Emitter &e, Type element, ArrayRef<Value> registers) {
  const unsigned perWord = elementsPerWord(element);
  SmallVector<Value> words;
  for (ArrayRef<Value> rest = registers; !rest.empty(); rest = rest.drop_front(perWord))
    words.push_back(perWord == 1 ? rest.front() : pack(e, element, rest.take_front(perWord)));
  return words;
}

Steps::Steps(ArrayRef<int64_t> shape, int axis, const TileLayout &one)
    : axis(axis), columnBits(log2Of(shape.back())), matrixBits(columnBits + log2Of(shape[shape.size() - 2])),
      oneColumnBits(log2Of(one.shape()[1])), oneDepthBits(log2Of(one.shape()[static_cast<size_t>(axis)])),
      bits(log2Of(shape[shape.size() - 2 + static_cast<size_t>(axis)]) - oneDepthBits), oneBits(log2Of(one.elements())),
      allBits(matrixBits + (shape.size() == 3 ? log2Of(shape[0]) : 0)) {}

std::uint32_t Steps::flat(std::uint32_t flat, int64_t step, int64_t batch) const {
  const std::uint32_t row = flat >> oneColumnBits, column = flat & ((std::uint32_t{1} << oneColumnBits) - 1);
  const std::uint32_t along = static_cast<std::uint32_t>(step) << oneDepthBits;
  return ((axis == 0 ? row | along : row) << columnBits) | (axis == 1 ? column | along : column) |
         static_cast<std::uint32_t>(batch) << matrixBits;
}

std::uint32_t Steps::otherBits() const {
  const std::uint32_t one = (std::uint32_t{1} << oneBits) - 1;
  return ((std::uint32_t{1} << allBits) - 1) & ~flat(one, 0, 0);
}

//===----------------------------------------------------------------------===//
// In registers
//===----------------------------------------------------------------------===//

TileFragments::TileFragments(Emitter &e, Value tile, int axis, const TileLayout &one)
    : steps(tile::shapeOf(tile.getType()), axis, one), one(one),
      perWord(elementsPerWord(tile::elementOf(tile.getType()))) {
  words = wordsOf(e, tile::elementOf(tile.getType()), e.registers(tile));
  const TileLayout &layout = e.layoutOf(tile);
  for (unsigned word = 0; word != words.size(); ++word)
    wordOf.try_emplace(layout.at(word * perWord, 0, 0), word);
}

SmallVector<Value> TileFragments::read(int64_t batch, int64_t step) const {
  SmallVector<Value> result;
  for (unsigned reg = 0; reg < one.size(Dim::Register); reg += perWord)
    result.push_back(words[wordOf.at(steps.flat(one.at(reg, 0, 0), step, batch))]);
  return result;
}

//===----------------------------------------------------------------------===//
// In buffers
//===----------------------------------------------------------------------===//

/// Whether each word is made of neighbours in their order.
static bool hasWordsOfNeighbours(const ::tessera::layout::MatrixAccess &access) {
  for (ArrayRef<std::uint32_t> rest(access.registers); !rest.empty(); rest = rest.drop_front(access.wordElements))
    for (const auto [i, reg] : llvm::enumerate(rest.take_front(access.wordElements)))
      if (reg != rest.front() + i || rest.front() % access.wordElements != 0)
        return false;
  return true;
}

BufferFragments::BufferFragments(Emitter &e, Value buffer, int axis, const TileLayout &one)
    : e(e), steps(cast<layout::BufferType>(buffer.getType()).getShape(), axis, one),
      shared(cast<layout::BufferType>(buffer.getType()).getLayout().getLayout()),
      element(cast<layout::BufferType>(buffer.getType()).getElement()) {
  for (const Dim dim : kDims)
    for (const std::uint32_t column : one.bases(dim))
      offsets[static_cast<size_t>(dim)].push_back(shared.offset(steps.flat(column, 0, 0)));
  // Accesses must be the same at every step of every batch, as they must be in every thread.
  std::vector<std::uint32_t> &others = offsets[static_cast<size_t>(Dim::Block)];
  for (std::uint32_t rest = steps.otherBits(); rest != 0; rest &= rest - 1)
    others.push_back(shared.offset(rest & -rest));
  matrices = ::tessera::layout::matrixAccess(offsets, static_cast<int>(storedBytes(element)), e.hooks().matrixLoads());
  if (matrices && !hasWordsOfNeighbours(*matrices))
    matrices.reset();
  TileLayout::Bases ofThreads = matrices ? matrices->rows : offsets;
  ofThreads[static_cast<size_t>(Dim::Block)].clear();
  places = std::make_unique<Places>(e, e.scalar(buffer), element, std::move(ofThreads));
}

SmallVector<Value> BufferFragments::read(int64_t batch, int64_t step, Value run, int runShift) {
  SmallVector<std::uint32_t> columns(static_cast<size_t>(runShift), 0);
  std::uint32_t moreBits = 0;
  for (int bit = runShift; run && bit < steps.bits; ++bit) {
    columns.push_back(shared.offset(steps.flat(0, int64_t(1) << bit, 0)));
    moreBits |= columns.back();
  }
  const Value more = run ? e.linearMap(columns, run) : Value();
  const std::uint32_t also = shared.offset(steps.flat(0, step, batch));
  return matrices ? readMatrices(also, more, moreBits) : readElements(also, more, moreBits);
}

/// For each register the first one that has the same element.
static SmallVector<unsigned> firstOf(ArrayRef<std::uint32_t> columns) {
  Span span;
  span.insertAll(columns);
  SmallVector<unsigned> first;
  for (std::uint32_t reg = 0; reg != std::uint32_t{1} << columns.size(); ++reg)
    first.push_back(static_cast<unsigned>(span.combinationOf(combined(columns, reg)).value_or(reg)));
  return first;
}

SmallVector<Value> BufferFragments::readMatrices(std::uint32_t also, Value more, std::uint32_t moreBits) {
  const SmallVector<unsigned> first = firstOf(offsets[static_cast<size_t>(Dim::Register)]);
  const unsigned perWord = matrices->wordElements;
  SmallVector<Value> words(first.size() / perWord);
  e.notes().shared(static_cast<std::int64_t>(matrices->registers.size() / matrices->accessElements()),
                   bankConflicts(*matrices, static_cast<int>(storedBytes(element)), e.chip().sharedBanks));
  for (ArrayRef<std::uint32_t> rest(matrices->registers); !rest.empty();
       rest = rest.drop_front(matrices->accessElements())) {
    const Value row = places->at(places->registerOffset(rest.front()) ^ also, more, moreBits);
    const SmallVector<Value> loaded = e.hooks().loadMatrices(e, row, *matrices);
    for (const auto [i, word] : llvm::enumerate(loaded))
      words[rest[i * perWord] / perWord] = word;
  }
  for (const auto [i, word] : llvm::enumerate(words))
    word = words[first[i * perWord] / perWord];
  return words;
}

SmallVector<Value> BufferFragments::readElements(std::uint32_t also, Value more, std::uint32_t moreBits) {
  const auto bytes = static_cast<int>(storedBytes(element));
  const std::uint32_t width = widestAccess(offsets, bytes, static_cast<int>(e.hooks().sharedAccessBytes()));
  const std::vector<std::uint32_t> groups = accessGroups(offsets, width);
  const SmallVector<unsigned> first = firstOf(offsets[static_cast<size_t>(Dim::Register)]);
  SmallVector<Value> values(first.size());
  for (ArrayRef<std::uint32_t> rest(groups); !rest.empty(); rest = rest.drop_front(width)) {
    const Value pointer = places->at(places->registerOffset(rest.front()) ^ also, more, moreBits);
    for (auto [reg, value] : llvm::zip_equal(rest.take_front(width), e.loadShared(element, width, pointer)))
      values[reg] = value;
  }
  for (const auto [reg, value] : llvm::enumerate(values))
    value = values[first[reg]];
  return wordsOf(e, element, values);
}

} // namespace tessera::ir::gpu
