//===- Workspace.cpp - memory that the launcher provides -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The size becomes an expression over the kernel's arguments that a launcher without a compiler evaluates, so only what
// such expressions have may lead to it (lib/Runtime/Expr.h).
//
//===---------------------------------------------------------------------===//

#include "tessera/lang/Workspace.h"

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir {

namespace arith = mlir::arith;

/// The longest size the launcher is asked to evaluate, in operations with repetition.
static constexpr std::size_t kMaxSteps = 200;

/// Whether the launcher can compute what \p op gives from its operands. Its numbers are signed.
static bool isLauncherOp(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getPredicate() <= arith::CmpIPredicate::sge;
  if (auto quotient = dyn_cast<tile::IDivOp>(op))
    return !quotient.getIsUnsigned();
  if (auto rest = dyn_cast<tile::IRemOp>(op))
    return !rest.getIsUnsigned();
  return isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp, arith::MaxSIOp,
             arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, tile::NumProgramsOp, tile::HintOp>(op);
}

static std::string_view wordsFor(Operation *op) {
  if (isa<tile::ProgramIdOp>(op))
    return "program_id";
  if (isa<tile::LoadOp, tile::AtomicLoadOp, tile::AtomicRMWOp, tile::AtomicCASOp, tile::ViewLoadOp>(op))
    return "a value read from memory";
  if (isa<tile::ReduceOp>(op))
    return "a reduction";
  if (isa<tile::IDivOp, tile::IRemOp, arith::CmpIOp>(op))
    return "unsigned arithmetic";
  return "an operation that the launcher does not have";
}

/// What of \p count the launcher cannot know; empty if it can compute it.
static std::string_view unknownIn(Value count) {
  SmallVector<Value> work{count};
  for (std::size_t steps = 0; !work.empty(); ++steps) {
    const Value value = work.pop_back_val();
    if (steps > kMaxSteps)
      return "more operations than a launcher evaluates";
    if (Operation *op = value.getDefiningOp()) {
      if (!isLauncherOp(op))
        return wordsFor(op);
      work.append(op->operand_begin(), op->operand_end());
    } else if (!isa<IntegerType>(value.getType())) {
      return "a value that is no integer";
    }
  }
  return {};
}

} // namespace tessera::ir

namespace tessera {

detail::Snapshot detail::workspace(DType dtype, const Operand &count, const WorkspaceOptions &options,
                                   std::source_location at) {
  ir::Recorder r(at);
  r.refuseInCombine("workspace");
  if (!r.trace.atTop())
    r.fail("workspace inside a loop, an if_ or after a return_if; it is one piece of memory for the whole launch; ask "
           "for it "
           "at the start of the kernel");
  if (count.form == Operand::Form::Integer && count.negative)
    throw UsageError(count.at, fmt::format("workspace of {} elements; the count is at least 0",
                                           static_cast<std::int64_t>(count.integer)));
  const ir::Typed size = r.index(count, "the count of a workspace");
  if (const std::string_view unknown = ir::unknownIn(size.value); !unknown.empty())
    r.fail("the count of a workspace depends on {}; the launcher must know it before the launch: make it of integer "
           "arguments of the kernel, num_programs and numbers by + - * /, cdiv, floor_div, minimum, maximum and where",
           unknown);
  const DType pointer = ptr_to(dtype);
  const ir::Type type = ir::elementType(r.context(), pointer);
  return r.snapshot({ir::tile::WorkspaceOp::create(r.builder(), r.loc, type, size.value, options.zeroed), pointer});
}

} // namespace tessera
