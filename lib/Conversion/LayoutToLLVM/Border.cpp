//===- Border.cpp - the functions that a GPU gives a meaning --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A name is words between dots. The words behind the family's are immediates, each from one of the lists below, so that
// printing and reading are the same walk.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Border.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace tessera::ir::border {

using llvm::ArrayRef;
using llvm::StringRef;

namespace {

// In the order of the enumerations.
constexpr StringRef kAxes[] = {"x", "y", "z"};
constexpr StringRef kScopes[] = {"block", "device", "system"};
constexpr StringRef kOrders[] = {"relaxed", "acquire", "release", "acq_rel"};
constexpr StringRef kShuffles[] = {"idx", "xor", "up", "down"};
constexpr StringRef kReductions[] = {"add", "smin", "smax", "umin", "umax", "and", "or", "xor"};
constexpr StringRef kAtomics[] = {"add", "fadd", "smin", "smax", "umin", "umax", "and", "or", "xor", "xchg"};
constexpr StringRef kElements[] = {"i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"};
constexpr unsigned kElementBits[] = {8, 16, 32, 64, 16, 16, 32, 64};

/// The immediates of a family, in the order of the name.
enum Words : std::uint8_t { kNone, kAxis, kScope, kShuffle, kReduction, kType, kAtomic, kTypeOrderScope };

struct Family {
  Function function;
  StringRef name;
  Words words;
};

// Longer names stand before those they start with.
constexpr Family kFamilies[] = {
    {Function::ThreadId, "thread_id", kNone},
    {Function::LaneId, "lane_id", kNone},
    {Function::WarpId, "warp_id", kNone},
    {Function::BlockId, "block_id", kAxis},
    {Function::NumBlocks, "num_blocks", kAxis},
    {Function::SharedBarrier, "barrier.shared", kNone},
    {Function::Barrier, "barrier", kNone},
    {Function::ClusterBarrier, "cluster_barrier", kNone},
    {Function::NamedBarrier, "named_barrier", kNone},
    {Function::WarpSync, "warp_sync", kNone},
    {Function::Fence, "fence", kScope},
    {Function::Shuffle, "shuffle", kShuffle},
    {Function::Ballot, "ballot", kNone},
    {Function::Reduce, "reduce", kReduction},
    {Function::Load, "load", kType},
    {Function::VolatileLoad, "volatile_load", kType},
    {Function::Store, "store", kType},
    {Function::SharedLoad, "shared_load", kType},
    {Function::SharedStore, "shared_store", kType},
    {Function::ClusterStore, "cluster_store", kType},
    {Function::AtomicCas, "atomic.cas", kTypeOrderScope},
    {Function::AtomicLoad, "atomic.load", kTypeOrderScope},
    {Function::AtomicStore, "atomic.store", kTypeOrderScope},
    {Function::Atomic, "atomic", kAtomic},
    {Function::CopyToShared, "copy_to_shared", kType},
    {Function::CopyWait, "copy_wait", kNone},
};

constexpr StringRef kSharedWord{"shared_"}; ///< before the name of an atomic on shared memory

/// Writes words behind a name.
class Writer {
public:
  explicit Writer(std::string &text) : text(text) {}
  template <typename Enum> bool word(Enum &value, ArrayRef<StringRef> words) {
    (text += '.') += words[static_cast<std::size_t>(value)];
    return true;
  }
  bool type(AccessType &type) {
    text += '.';
    if (type.lanes != 1)
      text += 'v' + std::to_string(type.lanes);
    text += kElements[static_cast<std::size_t>(type.element)];
    return true;
  }

private:
  std::string &text;
};

/// Reads them back.
class Reader {
public:
  explicit Reader(StringRef text) : text(text) {}
  bool atEnd() const { return text.empty(); }
  template <typename Enum> bool word(Enum &value, ArrayRef<StringRef> words) { return find(next(), value, words); }
  bool type(AccessType &type) {
    StringRef rest = next();
    if (rest.consume_front("v") && (rest.consumeInteger(10, type.lanes) || type.lanes < 2))
      return false;
    return find(rest, type.element, kElements);
  }

private:
  StringRef next() {
    if (!text.consume_front("."))
      return {};
    const StringRef word = text.take_until([](char c) { return c == '.'; });
    text = text.drop_front(word.size());
    return word;
  }
  template <typename Enum> static bool find(StringRef word, Enum &value, ArrayRef<StringRef> words) {
    const auto *const found = llvm::find(words, word);
    if (found == words.end())
      return false;
    value = static_cast<Enum>(found - words.begin());
    return true;
  }

  StringRef text;
};

} // namespace

/// Takes the immediates of \p words through \p walk; false if one cannot be read.
template <typename Walk> static bool walkWords(Walk &walk, Words words, Callee &callee) {
  switch (words) {
  case kNone:
    return true;
  case kAxis:
    return walk.word(callee.axis, kAxes);
  case kScope:
    return walk.word(callee.scope, kScopes);
  case kShuffle:
    return walk.word(callee.shuffle, kShuffles);
  case kReduction:
    return walk.word(callee.reduction, kReductions);
  case kType:
    return walk.type(callee.type);
  case kAtomic:
    return walk.word(callee.atomic, kAtomics) && walkWords(walk, kTypeOrderScope, callee);
  case kTypeOrderScope:
    return walk.type(callee.type) && walk.word(callee.order, kOrders) && walk.word(callee.scope, kScopes);
  }
  return false;
}

unsigned AccessType::bits() const { return kElementBits[static_cast<std::size_t>(element)] * lanes; }

AccessType integers(unsigned bits, unsigned lanes) {
  const Element element = bits <= 8    ? Element::I8
                          : bits <= 16 ? Element::I16
                          : bits <= 32 ? Element::I32
                                       : Element::I64;
  return {element, lanes};
}

std::string nameOf(const Callee &callee) {
  if (callee.function == Function::Native)
    return (kPrefix + callee.vendor + "." + callee.instruction +
            (callee.overload ? "@" + std::to_string(callee.overload) : std::string()))
        .str();
  const Family &family =
      *llvm::find_if(kFamilies, [&](const Family &known) { return known.function == callee.function; });
  std::string text = kGpuPrefix.str();
  if (callee.isShared)
    text += kSharedWord;
  text += family.name;
  Callee copy = callee;
  Writer writer(text);
  walkWords(writer, family.words, copy);
  return text;
}

std::optional<Callee> parse(StringRef name) {
  Callee callee;
  if (!name.consume_front(kGpuPrefix)) {
    if (!name.consume_front(kPrefix))
      return std::nullopt;
    const auto [vendor, rest] = name.split('.');
    const auto [instruction, overload] = rest.split('@');
    if (vendor.empty() || instruction.empty() || (!overload.empty() && overload.getAsInteger(10, callee.overload)))
      return std::nullopt;
    callee.function = Function::Native;
    callee.vendor = vendor.str();
    callee.instruction = instruction.str();
    return callee;
  }
  StringRef atomic = name;
  if (atomic.consume_front(kSharedWord) && atomic.starts_with("atomic.")) {
    callee.isShared = true;
    name = atomic;
  }
  for (const Family &family : kFamilies) {
    StringRef rest = name;
    if (!rest.consume_front(family.name) || !(rest.empty() || rest.front() == '.'))
      continue;
    callee.function = family.function;
    Reader reader(rest);
    if (walkWords(reader, family.words, callee) && reader.atEnd())
      return callee;
    return std::nullopt;
  }
  return std::nullopt;
}

Effects effectsOf(const Callee &callee) {
  switch (callee.function) {
  case Function::ThreadId:
  case Function::LaneId:
  case Function::WarpId:
  case Function::BlockId:
  case Function::NumBlocks:
    return {};
  case Function::Barrier:
  case Function::ClusterBarrier:
  case Function::SharedBarrier:
  case Function::NamedBarrier:
  case Function::WarpSync:
    return {Memory::Any, /*isConvergent=*/true, /*willReturn=*/false};
  case Function::CopyToShared:
  case Function::CopyWait:
    return {Memory::Any, /*isConvergent=*/true};
  case Function::Fence:
  case Function::ClusterStore: // of memory that the pointer is not of
  case Function::Native:
    return {Memory::Any};
  case Function::Shuffle:
  case Function::Ballot:
  case Function::Reduce:
    return {Memory::None, /*isConvergent=*/true};
  case Function::Load:
  case Function::SharedLoad:
    return {Memory::ReadsArgument};
  case Function::Store:
  case Function::SharedStore:
    return {Memory::WritesArgument};
  case Function::VolatileLoad:
    return {Memory::Any};
  case Function::Atomic:
  case Function::AtomicCas:
  case Function::AtomicLoad:
  case Function::AtomicStore:
    return {callee.order == Order::Relaxed ? Memory::Argument : Memory::Any};
  }
  return {Memory::Any, true, false};
}

} // namespace tessera::ir::border
