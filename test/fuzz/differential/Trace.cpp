//===- Trace.cpp - a random kernel as a kernel of the language --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Trace.h"

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
      if (statement.kind == Statement::Kind::Let)
        declared.push_back(statement.result);
    }
    for (int variable : declared)
      variables.erase(variable);
  }
  const Tile &at(int variable) const { return variables.at(variable); }

  void store(const Statement &s, const Slot &slot) {
    const Tile start = arguments.out + (arguments.program * layout.bytesPerProgram + slot.offset);
    const Tile pointers = start.as(slot.type.dtype) + places(slot.type.shape, s.numbers[0]);
    if (s.args.size() > 1)
      tessera::store(pointers, at(s.args[0]), {.mask = at(s.args[1])});
    else
      tessera::store(pointers, at(s.args[0]));
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
    case Statement::Kind::If:
      if_(at(s.args[0]), [&] { run(s.body); }, [&] { run(s.otherwise); });
      break;
    case Statement::Kind::For: {
      const auto body = [&](Int i) {
        variables.emplace(s.result, Tile(i));
        run(s.body);
        variables.erase(s.result);
      };
      if (s.args.empty())
        for_range(s.numbers[0], s.numbers[1], s.numbers[2], body);
      else
        for_range(IndexOperand(s.numbers[0]), IndexOperand(at(s.args[0]) & 7), IndexOperand(s.numbers[2]), body);
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
