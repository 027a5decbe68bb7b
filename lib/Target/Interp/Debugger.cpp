//===- Debugger.cpp - stop a kernel at a line --------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Debugger.h"

#include "Target/Interp/Frame.h"
#include "Target/Interp/Launch.h"
#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Debug.h"

#include "IRSupport/Locations.h"
#include "Runtime/DeviceRecords.h"
#include "Support/Environment.h"

#include "tessera-ir/Dialect/Tile/IR/DTypes.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AsmState.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace tessera::ir::interp {

using namespace mlir;

// -- Where to stop ----------------------------------------------------------------------------------------------------

std::optional<BreakRequest> BreakRequest::parse(std::string_view text) {
  const auto number = [](std::string_view digits, auto &value) {
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return failed == std::errc() && end == digits.data() + digits.size() && value >= 0;
  };
  BreakRequest request;
  const std::size_t comma = text.find(','), colon = text.substr(0, comma).rfind(':');
  if (colon == std::string_view::npos || colon == 0)
    return std::nullopt;
  request.file = text.substr(0, colon);
  std::int64_t line = 0;
  if (!number(text.substr(0, comma).substr(colon + 1), line) || line == 0 || line > std::int64_t(1) << 31)
    return std::nullopt;
  request.line = static_cast<unsigned>(line);
  for (std::size_t at = comma; at != std::string_view::npos;) {
    const std::size_t next = text.find(',', at + 1);
    if (!number(text.substr(at + 1, next == std::string_view::npos ? next : next - at - 1),
                request.program.emplace_back()))
      return std::nullopt;
    at = next;
  }
  if (request.program.size() != 0 && request.program.size() != 1 && request.program.size() != 3)
    return std::nullopt;
  return request;
}

/// Whether \p path is \p file or ends in it after a slash.
static bool isFile(llvm::StringRef path, llvm::StringRef file) {
  return path.consume_back(file) && (path.empty() || path.ends_with("/") || file.starts_with("/"));
}

/// The line of \p op in \p file, or 0.
static unsigned lineIn(Operation &op, llvm::StringRef file) {
  const std::optional<FileLineColLoc> at = fileLocation(op.getLoc());
  return at && isFile(at->getFilename().getValue(), file) ? at->getLine() : 0;
}

std::unique_ptr<Debugger> Debugger::fromEnvironment(Operation *kernel, std::string &error) {
  const std::string text = support::environment(support::Variable::Break);
  if (text.empty())
    return nullptr;
  std::optional<BreakRequest> request = BreakRequest::parse(text);
  if (!request) {
    error =
        fmt::format("TESSERA_BREAK is `{}`; it names a place as file:line, file:line,program or file:line,x,y,z", text);
    return nullptr;
  }
  auto debugger = std::make_unique<Debugger>();
  debugger->request = std::move(*request);
  debugger->kernel = kernel;
  const BreakRequest &r = debugger->request;

  // Like other debuggers, go on to the next line that has something to execute.
  unsigned stop = 0;
  bool knowsFile = false;
  kernel->walk([&](Operation *op) {
    const unsigned line = isa<arith::ConstantOp>(op) || op == kernel ? 0 : lineIn(*op, r.file);
    knowsFile |= line != 0;
    if (line >= r.line && (stop == 0 || line < stop))
      stop = line;
  });
  if (stop == 0) {
    if (knowsFile)
      std::fprintf(stderr, "tessera: TESSERA_BREAK=%s: kernel `%s` has no operation at or behind that line\n",
                   text.c_str(), cast<tile::KernelOp>(kernel).getSymName().str().c_str());
    return nullptr;
  }
  kernel->walk([&](mlir::Block *block) {
    if (isa<tile::ReduceOp, tile::ScanOp>(block->getParentOp()))
      return;
    // Operations of neighbouring lines mix, and one line may make several that look alike: only the first one stops.
    for (Operation &op : block->without_terminator())
      if (!isa<arith::ConstantOp>(op) && lineIn(op, r.file) == stop) {
        debugger->stops.insert(&op);
        return;
      }
  });
  return debugger;
}

// -- What can be seen there -------------------------------------------------------------------------------------------

namespace {

struct LiveValue {
  std::string user; ///< the user's name, or empty
  std::string ir;   ///< "%12"
  std::string type; ///< "tensor<4x8xf32>"
  Slot slot;
  Shape shape;
  DType dtype;
};

struct StopPayload : Payload {
  BreakRequest request;
  std::string at;
  std::vector<LiveValue> values; ///< the latest first
};

/// The stop this thread stands at.
struct Standing {
  const StopPayload *stop = nullptr;
  const Frame *frame = nullptr;
};
thread_local Standing standing;

std::function<void()> &breakHook() {
  static std::function<void()> hook;
  return hook;
}

bool isWanted(const BreakRequest &request, const Frame &frame) {
  if (request.program.empty())
    return true;
  if (request.program.size() == 1)
    return frame.program == static_cast<std::uint64_t>(request.program[0]);
  return std::equal(frame.id.begin(), frame.id.end(), request.program.begin());
}

void stop(const Inst &inst, Frame &frame) {
  const auto &p = inst.payload<StopPayload>();
  if (!isWanted(p.request, frame))
    return;
  const std::string program = programName(frame.id);
  std::fprintf(stderr, "tessera: stopped at %s in %s; see tessera_dump_all()\n", p.at.c_str(), program.c_str());
  standing = {&p, &frame};
  tessera_debug_break(p.at.c_str(), program.c_str());
  if (breakHook())
    breakHook()();
  standing = {};
}

} // namespace

void setBreakHook(std::function<void()> hook) { breakHook() = std::move(hook); }

void Debugger::emitStop(Operation &op, Builder &b, const llvm::DenseMap<Value, Slot> &slots) const {
  auto payload = std::make_unique<StopPayload>();
  payload->request = request;
  payload->at = locationText(op.getLoc());
  AsmState names(kernel, OpPrintingFlags().printNameLocAsPrefix());
  const auto add = [&](Value value) {
    const auto it = slots.find(value);
    if (it == slots.end())
      return;
    LiveValue &live = payload->values.emplace_back();
    live.user = userName(value.getLoc()).str();
    llvm::raw_string_ostream ir(live.ir), type(live.type);
    value.printAsOperand(ir, names);
    type << value.getType();
    live.slot = it->second;
    live.shape = shapeOf(value.getType());
    live.dtype = tile::dtypeOf(value.getType());
  };
  for (Operation *here = &op; here != kernel; here = here->getParentOp()) {
    for (Operation *before = here->getPrevNode(); before; before = before->getPrevNode())
      for (Value result : before->getResults())
        add(result);
    for (BlockArgument argument : here->getBlock()->getArguments())
      add(argument);
  }
  b.code.inGridOrder = true;
  b.emit(op, stop, {}, {}).extra = std::move(payload);
}

// -- Text -------------------------------------------------------------------------------------------------------------

namespace {

std::string element(const LiveValue &value, std::uint64_t index) {
  return rt::elementText(elementBits(*standing.frame, value.slot, index), value.dtype);
}

std::string title(const LiveValue &value) {
  const std::string own = value.ir.substr(value.ir.starts_with("%") ? 1 : 0);
  return fmt::format("{}: {}",
                     value.user.empty()  ? value.ir
                     : value.user == own ? value.user
                                         : value.user + " (" + value.ir + ")",
                     value.type);
}

/// Calls `fn(i)` for the first and last places of an axis and `skip()` where the middle is left out.
template <class Fn, class Skip> void ends(std::uint64_t n, Fn &&fn, Skip &&skip) {
  constexpr std::uint64_t most = 16, kept = 8;
  for (std::uint64_t i = 0; i != n; ++i) {
    if (n > most && i == kept) {
      skip();
      i = n - kept;
    }
    fn(i);
  }
}

void dump(const LiveValue &value) {
  std::string text = title(value);
  if (value.slot.elem == Elem::View) {
    const auto *words = standing.frame->at<std::int64_t>(value.slot);
    const std::uint32_t rank = (value.slot.count - 1) / 2;
    text += fmt::format(" = base {:#x}, extents [{}], strides [{}]\n", static_cast<std::uint64_t>(words[0]),
                        fmt::join(words + 1, words + 1 + rank, ", "),
                        fmt::join(words + 1 + rank, words + 1 + 2 * rank, ", "));
  } else if (value.shape.rank == 0) {
    text += " = " + element(value, 0) + "\n";
  } else {
    text += "\n";
    const auto columns = static_cast<std::uint64_t>(value.shape.extent[value.shape.rank - 1]);
    Shape outer = value.shape;
    --outer.rank;
    ends(
        static_cast<std::uint64_t>(outer.count()),
        [&](std::uint64_t row) {
          text += "  ";
          if (outer.rank)
            text += outer.coordinates(static_cast<std::int64_t>(row)) + " ";
          ends(
              columns, [&](std::uint64_t i) { text += element(value, row * columns + i) + " "; },
              [&] { text += "... "; });
          text.back() = '\n';
        },
        [&] { text += "  ...\n"; });
  }
  std::fputs(text.c_str(), stderr);
}

/// The value of that name, the innermost and latest one first; tells when there is none.
const LiveValue *find(const char *name) {
  if (!standing.stop) {
    std::fputs("tessera: this thread does not stand in tessera_debug_break\n", stderr);
    return nullptr;
  }
  const std::string_view wanted = name ? name : "";
  const std::vector<LiveValue> &values = standing.stop->values;
  const auto named = [&](const auto &matches) { return std::find_if(values.begin(), values.end(), matches); };
  auto it = named([&](const LiveValue &v) { return !wanted.empty() && v.user == wanted; });
  if (it == values.end())
    it = named([&](const LiveValue &v) { return v.ir == wanted || v.ir == "%" + std::string(wanted); });
  if (it != values.end())
    return &*it;
  std::fprintf(stderr, "tessera: no live value is named `%s`; tessera_dump_all() shows them\n", name ? name : "");
  return nullptr;
}

} // namespace

} // namespace tessera::ir::interp

#define TESSERA_FOR_DEBUGGERS __attribute__((noinline, used, retain, visibility("default")))

TESSERA_FOR_DEBUGGERS void tessera_debug_break(const char *at, const char *program) {
  asm volatile("" : : "r"(at), "r"(program) : "memory"); // not an empty function that calls could be dropped of
}

TESSERA_FOR_DEBUGGERS void tessera_dump(const char *name) {
  if (const auto *value = tessera::ir::interp::find(name))
    tessera::ir::interp::dump(*value);
}

TESSERA_FOR_DEBUGGERS void tessera_dump_part(const char *name, long first, long count) {
  using namespace tessera::ir::interp;
  const auto *value = find(name);
  if (!value || value->slot.elem == Elem::View)
    return;
  const long n = static_cast<long>(value->shape.count());
  std::fprintf(stderr, "%s\n", title(*value).c_str());
  for (long i = std::max(first, 0l); i < n && i - first < count; ++i)
    std::fprintf(stderr, "  %s %s\n", value->shape.coordinates(i).c_str(),
                 element(*value, static_cast<std::uint64_t>(i)).c_str());
}

TESSERA_FOR_DEBUGGERS void tessera_dump_all() {
  using namespace tessera::ir::interp;
  if (!standing.stop) {
    find(nullptr);
    return;
  }
  for (const auto &value : standing.stop->values)
    if (value.slot.elem != Elem::View && value.shape.rank == 0)
      dump(value);
    else
      std::fprintf(stderr, "%s\n", title(value).c_str());
}
