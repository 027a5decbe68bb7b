//===- Plan.cpp - where tiles live and which ops share a loop -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Plan/BlockPlanner.h"

namespace tessera::ir::host {

//===--- Groups -------------------------------------------------------------===//

bool Group::implies(const Condition &condition) const {
  if (condition.known() == true)
    return true;
  return canBeFast && llvm::any_of(fast, [&](const Condition &given) {
           return given.expr == condition.expr && condition.range.contains(given.range);
         });
}

bool Group::covers(const MaskForm &mask, ArrayRef<int64_t> extents) const {
  const auto isImplied = [&](const Condition &condition) { return implies(condition); };
  if (!llvm::all_of(mask.needs, isImplied))
    return false;
  for (auto [interval, extent] : llvm::zip_equal(mask.box, extents))
    if ((interval.lo && !implies(atMost(interval.lo, 0))) || (interval.hi && !implies(atLeast(interval.hi, extent))))
      return false;
  return true;
}

bool Group::isContiguous(const AccessForm &access, unsigned axis, bool isFast) const {
  if (!access.address)
    return false;
  const int64_t bytes = access.elementBytes;
  const Condition oneByOne = {access.address->strides[axis], {bytes, bytes}};
  if (!isFast)
    return access.address->isExact() && oneByOne.known() == true;
  return implies(oneByOne) &&
         llvm::all_of(access.address->needs, [&](const Condition &condition) { return implies(condition); });
}

//===--- The plan -----------------------------------------------------------===//

Plan::Plan(std::unique_ptr<PlanContents> contents) : contents(std::move(contents)) {}
Plan::Plan(Plan &&) noexcept = default;
Plan &Plan::operator=(Plan &&) noexcept = default;
Plan::~Plan() = default;

const Home &Plan::home(Value value) const {
  static const Home uniform = {HomeKind::Uniform, {}};
  auto known = contents->homes.find(value);
  return known == contents->homes.end() ? uniform : known->second;
}

ArrayRef<Step> Plan::steps(Block *block) const {
  auto known = contents->steps.find(block);
  return known == contents->steps.end() ? ArrayRef<Step>() : ArrayRef<Step>(known->second);
}

ArrayRef<Group> Plan::groups() const { return contents->groups; }

const PackedView &Plan::packed(Operation *dot, unsigned operand) const {
  return contents->packed.find({dot, operand})->second;
}

ArrayRef<Slot> Plan::slots() const { return contents->slots; }
int64_t Plan::arenaBytes() const { return contents->arenaBytes; }
AffineForms &Plan::affine() const { return contents->affine; }
MaskForms &Plan::masks() const { return contents->masks; }
const HostOptions &Plan::options() const { return contents->options; }
tile::KernelOp Plan::kernel() const { return contents->kernel; }

//===--- Making one ---------------------------------------------------------===//

class Planner {
public:
  static Plan make(tile::KernelOp kernel, const HostOptions &options) {
    auto contents = std::make_unique<PlanContents>(kernel, options);
    Values values(*contents);
    const MemoryOrder order(kernel, contents->masks);
    StepUses uses;
    kernel.getBody().walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
      if (values.classOf(op) == OpClass::Region)
        for (Region &region : op->getRegions())
          for (Block &block : region)
            BlockPlanner(*contents, values, order, uses, &block).run();
    });
    BlockPlanner(*contents, values, order, uses, &kernel.getBody().front()).run();
    values.addHomes();
    layOutArena(*contents, uses);
    return Plan(std::move(contents));
  }
};

Plan makePlan(tile::KernelOp kernel, const HostOptions &options) { return Planner::make(kernel, options); }

} // namespace tessera::ir::host
