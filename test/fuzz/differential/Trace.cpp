//===- Trace.cpp - a random kernel as a kernel of the language --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Trace.h"

#include "DTypes.h"
#include "Ops.h"

#include <map>

namespace tessera::fuzz {

namespace {

class Tracer {
public:
  Tracer(const Program &program, const Layout &layout, Arguments arguments)
      : program(program), layout(layout), arguments(std::move(arguments)) {}

  void run() { run(program.body); }

private:
  void run(const Block &block) {
    std::vector<int> declared;
    for (const Statement &statement : block) {
      run(statement);
      if (statement.kind == Statement::Kind::Let || statement.kind == Statement::Kind::Reload)
        declared.push_back(statement.result);
    }
    for (int variable : declared)
      variables.erase(variable);
  }
  const Tile &at(int variable) const { return variables.at(variable); }

  /// One program needs no number, so that views of its output have descriptors.
  Tile startOf(const Slot &slot) const {
    if (program.grid == 1)
      return Tile(arguments.out + slot.offset).as(slot.type.dtype);
    return Tile(arguments.out + (arguments.program * layout.bytesPerProgram + slot.offset)).as(slot.type.dtype);
  }

  void store(const Statement &s, const Slot &slot) {
    const Tile start = startOf(slot), value = at(s.args[0]);
    if (s.numbers[0] == kThroughView) {
      withDType(slot.type.dtype, [&]<DType T>() {
        const ViewPlace &place = kViewPlaces[s.numbers[1]];
        view(Ptr<T>(start), {slot.type.shape[0], place.columnsOf(slot.type)}, {slot.type.shape[1], 1})
            .store({place.row, place.column}, value);
        return 0;
      });
      return;
    }
    const bool isAtomic = s.numbers[0] == kAtomic;
    const Tile place = places(slot.type.shape, isAtomic ? kRows : s.numbers[0]);
    const Tile pointers = start + (isAtomic ? Tile(place & 7) : place);
    OptionalOperand mask;
    if (s.args.size() > 1)
      mask = at(s.args[1]);
    if (!isAtomic)
      tessera::store(pointers, value, {.mask = mask});
    else if (slot.type.dtype == f32)
      atomic_max(pointers, value, {.mask = mask});
    else
      atomic_add(pointers, value, {.mask = mask});
  }

  void run(const Statement &s) {
    switch (s.kind) {
    case Statement::Kind::Let: {
      std::vector<Tile> args;
      for (int arg : s.args)
        args.push_back(at(arg));
      variables.emplace(s.result, ops()[static_cast<std::size_t>(s.op)].trace(args, s, arguments));
      break;
    }
    case Statement::Kind::Assign:
      variables.at(s.args[0]) = at(s.args[1]);
      break;
    case Statement::Kind::Store:
      store(s, layout.slots[nextSlot++]);
      break;
    case Statement::Kind::Reload: {
      const Slot &slot = layout.slots[nextSlot++];
      const Tile start = startOf(slot);
      tessera::store(start + places(slot.type.shape, kRows), at(s.args[0]));
      variables.emplace(s.result, load(start + places(slot.type.shape, kReversed)));
      break;
    }
    case Statement::Kind::If:
      if_(at(s.args[0]), [&] { run(s.body); }, [&] { run(s.otherwise); });
      break;
    case Statement::Kind::For: {
      const auto body = [&](Int i) {
        variables.emplace(s.result, Tile(i));
        run(s.body);
        variables.erase(s.result);
      };
      const LoopOptions options{.num_stages = static_cast<int>(s.numbers[3])};
      if (s.args.empty())
        for_range(s.numbers[0], s.numbers[1], s.numbers[2], body, options);
      else
        for_range(IndexOperand(s.numbers[0]), IndexOperand(at(s.args[0]) & 7), IndexOperand(s.numbers[2]), body,
                  options);
      break;
    }
    case Statement::Kind::While: {
      variables.emplace(s.result, Tile(0).to(i64));
      Tile &count = variables.at(s.result);
      const Tile limit = at(s.args[0]) & s.numbers[0];
      while_([&] { return count < limit; },
             [&] {
               run(s.body);
               count += 1;
             });
      variables.erase(s.result);
      break;
    }
    case Statement::Kind::BreakIf:
      break_if(at(s.args[0]));
      break;
    case Statement::Kind::ReturnIf:
      return_if(at(s.args[0]));
      break;
    }
  }

  const Program &program;
  const Layout &layout;
  Arguments arguments;
  std::map<int, Tile> variables;
  std::size_t nextSlot = 0;
};

} // namespace

Kernel<NoConfig, Ptr<u8>, Ptr<u8>, Ptr<u8>, Ptr<u8>, Int> kernelOf(const Program &program, const Layout &layout) {
  return kernel("fuzz", {"in0", "in1", "in2", "out", "n"},
                [program, layout](Ptr<u8> in0, Ptr<u8> in1, Ptr<u8> in2, Ptr<u8> out, Int n) {
                  Arguments arguments{{in0.as(program.inputs[0]), in1.as(program.inputs[1]), in2.as(program.inputs[2])},
                                      out,
                                      program_id(0),
                                      n};
                  Tracer(program, layout, std::move(arguments)).run();
                });
}

} // namespace tessera::fuzz
