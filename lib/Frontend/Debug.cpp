//===- Debug.cpp - looking inside a kernel, and target assembly ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS L3 and the assembly of P2.
//
//===---------------------------------------------------------------------===//

#include "tessera/lang/Debug.h"

#include "Frontend/Recorder.h"
#include "IRSupport/Locations.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"
#include "tessera/core/Target.h"

namespace tessera::ir {

static StringRef view(std::string_view text) { return {text.data(), text.size()}; }

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// Brings the tiles among \p values and the predicate to one shape, so that each lane has them all. Returns the
/// predicate, null where there is none.
static Value equalizeLanes(Recorder &r, const OptionalOperand &when, SmallVectorImpl<Typed> &values) {
  Typed predicate;
  if (when.isPresent())
    predicate = r.condition(when, "`when`");
  const auto isTile = [](const Typed &value) { return rankOf(value) != 0; };
  SmallVector<Typed> tiles(llvm::make_filter_range(values, isTile));
  const bool byLanes = predicate.value && isTile(predicate);
  if (byLanes)
    tiles.push_back(predicate);
  if (tiles.empty())
    return predicate.value;
  const Operands equal = r.broadcastAll("print lane by lane", tiles);
  std::size_t next = 0;
  for (Typed &value : values)
    if (isTile(value))
      value = equal[next++];
  return byLanes ? equal.back().value : predicate.value;
}

static void print(Recorder &r, std::string_view prefix, ArrayRef<Operand> operands, const PrintOptions &options) {
  r.refuseInCombine("device_print");
  SmallVector<Typed> values;
  SmallVector<StringRef> names;
  SmallVector<bool> isUnsigned;
  for (const Operand &operand : operands) {
    values.push_back(r.operand(operand));
    names.push_back(userName(values.back().value.getLoc()));
    isUnsigned.push_back(values.back().dtype.isUnsigned());
  }
  const Value predicate = equalizeLanes(r, options.when, values);
  SmallVector<Value> printed;
  for (const Typed &value : values)
    printed.push_back(value.value);
  OpBuilder &b = r.builder();
  const bool anyName = llvm::any_of(names, [](StringRef name) { return !name.empty(); });
  tile::PrintOp::create(
      b, r.loc, b.getStringAttr(view(prefix)), printed, predicate, anyName ? b.getStrArrayAttr(names) : ArrayAttr(),
      llvm::is_contained(isUnsigned, true) ? b.getDenseBoolArrayAttr(isUnsigned) : mlir::DenseBoolArrayAttr());
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// Throws unless some target's name begins with \p start.
static void checkTarget(const Recorder &r, std::string_view start) {
  std::string families;
  for (const std::string &known : Target::known()) {
    if (!start.empty() && std::string_view(known).starts_with(start))
      return;
    const std::string family = known.substr(0, known.find(':'));
    if (!std::string_view(families).ends_with(family))
      families += (families.empty() ? "" : ", ") + family;
  }
  r.fail(
      "inline_asm for the target \"{}\"; no target's name begins so; name a family ({}) or the start of a chip's name "
      "(\"cuda:sm_90\")",
      start, families);
}

static DictionaryAttr bodiesOf(Recorder &r, ArrayRef<AsmBody> bodies) {
  if (bodies.empty())
    r.fail("inline_asm without a body; give one for each family of targets: {{\"cuda\", text, constraints}}");
  Builder &b = r.builder();
  SmallVector<NamedAttribute> entries;
  for (const AsmBody &body : bodies) {
    checkTarget(r, body.target);
    for (const NamedAttribute &entry : entries)
      if (entry.getName() == view(body.target))
        r.fail("inline_asm with two bodies for \"{}\"; there is one for each start of a target's name", body.target);
    const NamedAttribute text[] = {b.getNamedAttr("asm", b.getStringAttr(view(body.text))),
                                   b.getNamedAttr("constraints", b.getStringAttr(view(body.constraints)))};
    entries.push_back(b.getNamedAttr(view(body.target), b.getDictionaryAttr(text)));
  }
  return b.getDictionaryAttr(entries);
}

static std::vector<tessera::detail::Snapshot> assemble(Recorder &r, ArrayRef<AsmBody> bodies, ArrayRef<DType> outputs,
                                                       ArrayRef<Operand> inputs, const AsmOptions &options) {
  r.refuseInCombine("inline_asm");
  const DictionaryAttr texts = bodiesOf(r, bodies);
  if (options.pack < 1 || (options.pack & (options.pack - 1)) != 0)
    r.fail("inline_asm with pack = {}; it is a power of two, how many neighbouring elements one run of the text takes",
           options.pack);
  SmallVector<Typed> values;
  for (const Operand &input : inputs)
    values.push_back(r.operand(input));
  const Operands equal = r.broadcastAll("pass to inline_asm", values);
  SmallVector<Value> operands;
  for (const Typed &value : equal)
    operands.push_back(value.value);
  SmallVector<Type> types;
  for (const DType output : outputs) {
    if (!elementType(r.context(), output))
      r.fail("inline_asm with an output of {}; name an element type", nameOf(output));
    types.push_back(valueType(r.context(), output, equal.empty() ? ArrayRef<std::int64_t>() : shapeOf(equal[0])));
  }
  auto op = tile::InlineAsmOp::create(r.builder(), r.loc, types, texts, operands,
                                      static_cast<std::uint32_t>(options.pack), options.pure);
  std::vector<tessera::detail::Snapshot> results;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    results.push_back(r.snapshot({op.getResult(static_cast<unsigned>(i)), outputs[i]}));
  return results;
}

} // namespace tessera::ir

namespace tessera {

using ir::Recorder;
using ir::Typed;

void device_print(std::string_view prefix, std::initializer_list<Operand> values, PrintOptions options,
                  std::source_location at) {
  Recorder r(at);
  ir::print(r, prefix, values, options);
}

void device_assert(Operand condition, std::string_view message, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("device_assert");
  const Typed lanes = r.condition(condition, "the condition of device_assert");
  ir::tile::AssertOp::create(r.builder(), r.loc, lanes.value, ir::view(message));
}

std::vector<detail::Snapshot> detail::inlineAsm(std::initializer_list<AsmBody> bodies, const DType *outputs,
                                                std::size_t count, std::initializer_list<Operand> inputs,
                                                const AsmOptions &options, std::source_location at) {
  Recorder r(at);
  return ir::assemble(r, bodies, {outputs, count}, inputs, options);
}

} // namespace tessera
