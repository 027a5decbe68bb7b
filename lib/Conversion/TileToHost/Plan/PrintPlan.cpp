//===- PrintPlan.cpp - a plan as text -------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Plan/Contents.h"

#include "tessera-ir/Conversion/TileToHost/Passes.h"

#include "mlir/IR/AsmState.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::ir::host {

#define GEN_PASS_DEF_PRINTHOSTPLANPASS
#include "tessera-ir/Conversion/TileToHost/Passes.h.inc"

namespace {

class Printer {
public:
  Printer(const Plan &plan, raw_ostream &os) : plan(plan), os(os), names(plan.kernel()) {}

  void print() {
    os << "plan of @" << plan.kernel().getSymName() << ": arena of " << plan.arenaBytes() << " bytes\n";
    for (auto [number, slot] : llvm::enumerate(plan.slots()))
      if (isUsed(static_cast<unsigned>(number)))
        os << "  slot " << number << ": " << slot.bytes << " bytes at " << slot.offset << "\n";
    printBlock(&plan.kernel().getBody().front(), 2);
  }

private:
  /// Whether some sink or step names the slot: others have been put aside while planning.
  bool isUsed(unsigned number) const {
    const auto isHere = [&](const Sink &sink) {
      if (sink.kind == SinkKind::Pack)
        return sink.packed.slot == number;
      return (sink.kind == SinkKind::Define || sink.kind == SinkKind::Copy) && sink.to.slot == number;
    };
    for (const Group &group : plan.groups())
      if (llvm::any_of(group.sinks, isHere))
        return true;
    bool found = false;
    plan.kernel()->walk([&](Operation *op) {
      for (Value result : op->getResults()) {
        const Home &home = plan.home(result);
        found |= home.kind == HomeKind::Buffer && home.buffer.slot == number;
      }
    });
    return found;
  }

  void printValue(Value value) { value.printAsOperand(os, names); }

  void printValues(mlir::ValueRange values) {
    llvm::interleaveComma(values, os, [&](Value value) { printValue(value); });
  }

  void printExpr(UniformExpr expr) {
    expr.print(os, [&](raw_ostream &, Value value) { printValue(value); });
  }

  void printView(const BufferView &view) {
    os << "slot " << view.slot;
    if (view.offset)
      os << " + " << view.offset;
    os << " [";
    llvm::interleaveComma(view.strides, os);
    os << "] " << view.stored;
  }

  void printBlock(Block *block, unsigned indent) {
    for (const Step &step : plan.steps(block))
      printStep(step, indent);
  }

  void printStep(const Step &step, unsigned indent) {
    os.indent(indent);
    switch (step.kind) {
    case Step::Scalar:
    case Step::Structured:
      os << (step.kind == Step::Scalar ? "scalar " : "structured ");
      printOp(step.op);
      os << "\n";
      return;
    case Step::Group:
      os << "group " << step.group;
      printGroup(plan.group(step.group), indent + 2);
      return;
    case Step::Region:
      os << "region ";
      printOp(step.op);
      os << "\n";
      for (Region &region : step.op->getRegions())
        for (Block &block : region) {
          if (region.getRegionNumber() > 0)
            os.indent(indent) << "and\n";
          printBlock(&block, indent + 2);
        }
      return;
    }
  }

  void printOp(Operation *op) {
    if (op->getNumResults()) {
      printValues(op->getResults());
      os << " = ";
    }
    os << op->getName();
    for (Value result : op->getResults())
      if (const Home &home = plan.home(result); home.kind == HomeKind::Buffer) {
        os << " -> ";
        printView(home.buffer);
      }
  }

  void printCondition(const Condition &condition) {
    const Range all;
    if (condition.range.lo == condition.range.hi) {
      printExpr(condition.expr);
      os << " == " << condition.range.lo;
      return;
    }
    if (condition.range.lo != all.lo)
      os << condition.range.lo << " <= ";
    printExpr(condition.expr);
    if (condition.range.hi != all.hi)
      os << " <= " << condition.range.hi;
  }

  void printInterval(const Interval &interval) {
    if (interval.lo)
      printExpr(interval.lo);
    os << "..";
    if (interval.hi)
      printExpr(interval.hi);
  }

  void printGroup(const Group &group, unsigned indent) {
    os << " over ";
    llvm::interleave(group.shape, os, "x");
    if (!llvm::is_sorted(group.order)) {
      os << " in order ";
      llvm::interleaveComma(group.order, os);
    }
    os << ", " << group.lanes << " lanes, unroll " << group.unroll << "\n";
    if (!group.canBeFast) {
      os.indent(indent) << "never fast\n";
    } else if (!group.fast.empty()) {
      os.indent(indent) << "fast if ";
      llvm::interleave(group.fast, os, [&](const Condition &condition) { printCondition(condition); }, " and ");
      os << "\n";
    }
    if (!group.clamp.empty()) {
      os.indent(indent) << "clamp ";
      llvm::interleaveComma(group.clamp, os, [&](const Interval &interval) { printInterval(interval); });
      os << "\n";
    }
    for (const Sink &sink : group.sinks)
      printSink(sink, indent);
  }

  void printSink(const Sink &sink, unsigned indent) {
    os.indent(indent);
    switch (sink.kind) {
    case SinkKind::Define:
      os << "define ";
      printValue(sink.value);
      os << " = " << sink.op->getName() << " -> ";
      printView(sink.to);
      break;
    case SinkKind::Copy:
      os << "copy ";
      printValue(sink.value);
      if (sink.from) {
        os << " from ";
        printView(*sink.from);
      }
      os << " -> ";
      printView(sink.to);
      break;
    case SinkKind::Store:
    case SinkKind::ViewStore:
      os << "store ";
      printValues(sink.op->getOperands());
      break;
    case SinkKind::ReduceOrderFree:
      os << "reduce in any order ";
      printOp(sink.op);
      break;
    case SinkKind::ReducePairs:
      os << "reduce in pairs ";
      printOp(sink.op);
      break;
    case SinkKind::Pack:
      os << "pack " << (sink.packed.isB ? "b " : "a ");
      printValue(sink.value);
      os << (sink.packed.transposed ? " transposed" : "") << " -> slot " << sink.packed.slot << " "
         << sink.packed.stored << ", depth " << sink.packed.depth;
      if (sink.packed.isB)
        os << ", panels of " << sink.packed.panel;
      break;
    case SinkKind::LaneLoop:
      os << "by lane ";
      printOp(sink.op);
      break;
    }
    os << "\n";
  }

  const Plan &plan;
  raw_ostream &os;
  mlir::AsmState names;
};

struct PrintHostPlan : impl::PrintHostPlanPassBase<PrintHostPlan> {
  using PrintHostPlanPassBase::PrintHostPlanPassBase;
  void runOnOperation() override {
    HostOptions options;
    options.vectorBytes = vectorBytes;
    options.streamVectorBytes = streamVectorBytes;
    options.fuse = fuse;
    options.checks = checks;
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>())
      makePlan(kernel, options).print(llvm::outs());
    markAllAnalysesPreserved();
  }
};

} // namespace

void Plan::print(raw_ostream &os) const { Printer(*this, os).print(); }

} // namespace tessera::ir::host
