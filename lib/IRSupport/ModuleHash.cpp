//===- ModuleHash.cpp - what a program is, in 128 bits --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One walk writes the program as a sequence of fields: an operation is its name, its operands, the types of its
// results, its attributes, its successors and its regions. Values and blocks are numbers, in the order they are met.
// Types, attributes and locations are unique in a context, so that each is spelled out the first time it is met and a
// number from then on.
//
//===---------------------------------------------------------------------===//

#include "IRSupport/ModuleHash.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace tessera::ir {

namespace {

class Hasher {
public:
  explicit Hasher(llvm::function_ref<bool(Operation *)> showsPlace) : showsPlace(showsPlace) {}

  void add(Operation *op) {
    program.add(op->getName().getStringRef());
    list(op->getOperands(), [&](Value operand) { program.add(number(values, operand.getAsOpaquePointer())); });
    list(op->getResults(), [&](Value result) {
      program.add(number(values, result.getAsOpaquePointer()));
      spell(program, types, result.getType());
    });
    spell(program, attributes, Attribute(op->getAttrDictionary()));
    list(op->getSuccessors(), [&](Block *block) { program.add(number(blocks, block)); });
    spell(places, locations, Attribute(op->getLoc()));
    if (showsPlace(op))
      spell(program, shownLocations, Attribute(op->getLoc()));
    list(op->getRegions(), [&](Region &region) { list(region, [&](Block &block) { add(block); }); });
  }

  ModuleHash finish() const {
    ModuleHash hash;
    hash.program = program.finish();
    hash.placed = support::FieldHasher().add(hash.program.hex()).add(places.finish().hex()).finish();
    return hash;
  }

private:
  template <class Key> using Numbers = llvm::DenseMap<Key, std::int64_t>;

  void add(Block &block) {
    program.add(number(blocks, &block));
    list(block.getArguments(), [&](BlockArgument argument) {
      program.add(number(values, argument.getAsOpaquePointer()));
      spell(program, types, argument.getType());
      spell(places, locations, Attribute(argument.getLoc()));
    });
    list(block, [&](Operation &op) { add(&op); });
  }

  /// The length and the elements, so that no two nestings look alike.
  template <class Range, class Add> void list(Range &&range, Add addElement) {
    program.add(static_cast<std::int64_t>(std::distance(range.begin(), range.end())));
    for (auto &&element : range)
      addElement(element);
  }

  template <class Key> static std::int64_t number(Numbers<Key> &numbers, Key key) {
    return numbers.try_emplace(key, static_cast<std::int64_t>(numbers.size())).first->second;
  }

  template <class Unique> static void spell(support::FieldHasher &fields, Numbers<Unique> &known, Unique unique) {
    const std::int64_t next = static_cast<std::int64_t>(known.size());
    const std::int64_t numbered = number(known, unique);
    fields.add(numbered);
    if (numbered != next)
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    unique.print(stream);
    fields.add(text);
  }

  const llvm::function_ref<bool(Operation *)> showsPlace;
  support::FieldHasher program, places;
  Numbers<void *> values;
  Numbers<Block *> blocks;
  Numbers<Type> types;
  Numbers<Attribute> attributes, locations, shownLocations;
};

} // namespace

ModuleHash hashModule(Operation *root, llvm::function_ref<bool(Operation *)> showsPlace) {
  Hasher hasher(showsPlace);
  hasher.add(root);
  return hasher.finish();
}

} // namespace tessera::ir
