//===- BundleHeaders.cpp - C++ and C for a bundle's functions -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Bundle/BundleHeaders.h"

#include "Support/Options.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace tessera::rt {

static constexpr std::string_view kKeywords[] = {"alignas",
                                                 "alignof",
                                                 "and",
                                                 "and_eq",
                                                 "asm",
                                                 "auto",
                                                 "bitand",
                                                 "bitor",
                                                 "bool",
                                                 "break",
                                                 "case",
                                                 "catch",
                                                 "char",
                                                 "class",
                                                 "compl",
                                                 "concept",
                                                 "const",
                                                 "consteval",
                                                 "constexpr",
                                                 "constinit",
                                                 "continue",
                                                 "co_await",
                                                 "co_return",
                                                 "co_yield",
                                                 "decltype",
                                                 "default",
                                                 "delete",
                                                 "do",
                                                 "double",
                                                 "dynamic_cast",
                                                 "else",
                                                 "enum",
                                                 "explicit",
                                                 "export",
                                                 "extern",
                                                 "false",
                                                 "float",
                                                 "for",
                                                 "friend",
                                                 "goto",
                                                 "if",
                                                 "inline",
                                                 "int",
                                                 "long",
                                                 "mutable",
                                                 "namespace",
                                                 "new",
                                                 "noexcept",
                                                 "not",
                                                 "not_eq",
                                                 "nullptr",
                                                 "operator",
                                                 "or",
                                                 "or_eq",
                                                 "private",
                                                 "protected",
                                                 "public",
                                                 "register",
                                                 "reinterpret_cast",
                                                 "requires",
                                                 "restrict",
                                                 "return",
                                                 "short",
                                                 "signed",
                                                 "sizeof",
                                                 "static",
                                                 "static_assert",
                                                 "static_cast",
                                                 "struct",
                                                 "switch",
                                                 "template",
                                                 "this",
                                                 "thread_local",
                                                 "throw",
                                                 "true",
                                                 "try",
                                                 "typedef",
                                                 "typeid",
                                                 "typename",
                                                 "union",
                                                 "unsigned",
                                                 "using",
                                                 "virtual",
                                                 "void",
                                                 "volatile",
                                                 "wchar_t",
                                                 "while",
                                                 "xor",
                                                 "xor_eq"};
/// Names in the namespace of a C++ header that are not functions of the bundle.
static constexpr std::string_view kOwnNames[] = {"bundle", "use", "source"};

std::string headerProblem(const BundleIndex &index) {
  const auto isTaken = [](std::string_view name) { return std::ranges::find(kKeywords, name) != std::end(kKeywords); };
  if (isTaken(index.name) || index.name == "tessera" || index.name == "std")
    return fmt::format("a bundle cannot be called `{}`, a name of C++ or of this library", index.name);
  for (const BundleFunction &function : index.functions) {
    if (isTaken(function.symbol) || std::ranges::find(kOwnNames, function.symbol) != std::end(kOwnNames))
      return fmt::format(
          "a function of a bundle cannot be called `{}`, a name of C++ or of the header; give another with "
          "BundleOptions::name",
          function.symbol);
    const std::string config = function.symbol + "_config";
    if (index.find(config))
      return fmt::format("functions `{}` and `{}`: the second is called like the config of the first", function.symbol,
                         config);
  }
  return {};
}

/// A field's or parameter's name as C++ and C take it, unlike those in \p taken, to which it is added.
static std::string freshName(std::string_view wanted, std::set<std::string> &taken) {
  std::string name = identifierOf(wanted);
  while (std::ranges::find(kKeywords, name) != std::end(kKeywords) || !taken.insert(name).second)
    name += "_";
  return name;
}

//===----------------------------------------------------------------------===//
// Words about a function
//===----------------------------------------------------------------------===//

/// `x: f32*, out: f32* (stored), n: i64`; the parts of a view are one.
static std::string parametersText(const BundleFunction &function) {
  std::string text;
  for (const BundleArgument &argument : function.arguments) {
    if (argument.role != BundleRole::Plain && argument.role != BundleRole::ViewBase)
      continue;
    text += fmt::format("{}{}: {}{}", text.empty() ? "" : ", ", argument.name, argument.dtype.name(),
                        argument.role == BundleRole::ViewBase ? fmt::format(" view of rank {}", argument.rank)
                        : argument.pointer                    ? "*"
                                                              : "");
    if (argument.stored)
      text += argument.zeroed ? " (zeroed, stored)" : " (stored)";
  }
  return text.empty() ? "no arguments" : text;
}

static std::string targetsText(const BundleFunction &function) {
  std::set<std::string> targets;
  for (const BundleImage &image : function.images)
    targets.insert(image.target + (image.format == "ptx" ? "+ptx" : ""));
  return fmt::format("{}", fmt::join(targets, ", "));
}

/// \p text for a comment of either kind.
static std::string commentText(std::string text) {
  for (std::size_t at = 0; (at = text.find("*/", at)) != std::string::npos;)
    text.replace(at, 2, "* /");
  for (char &c : text)
    if (c == '\n' || c == '\\')
      c = ' ';
  return text;
}

/// Lines about \p function, each after \p prefix.
static std::string describe(const BundleFunction &function, std::string_view prefix) {
  return fmt::format("{0}Kernel `{1}` ({2}).\n{0}Config {3}; options {4}.\n{0}Compiled for {5}.\n", prefix,
                     commentText(function.kernel), commentText(parametersText(function)), commentText(function.config),
                     commentText(support::describeOptionKey(function.options)), commentText(targetsText(function)));
}

//===----------------------------------------------------------------------===//
// C++
//===----------------------------------------------------------------------===//

/// `tessera::f32`, `tessera::ptr_to(tessera::f32)`
static std::string dtypeText(DType dtype) {
  std::string text;
  for (int level = 0; level != dtype.pointers; ++level)
    text += "tessera::ptr_to(";
  text += "tessera::" + DType{dtype.kind}.name();
  return text + std::string(dtype.pointers, ')');
}

static std::string parameterType(const BundleArgument &argument) {
  const std::string dtype = dtypeText(argument.dtype);
  if (argument.role == BundleRole::ViewBase)
    return fmt::format("tessera::View<{}, {}, {}>", dtype, argument.rank, argument.contiguous);
  if (!argument.pointer)
    return fmt::format("tessera::Scalar<{}>", dtype);
  return fmt::format("tessera::{}<{}>", argument.zeroed ? "Zeroed" : argument.mayAlias ? "MayAlias" : "Ptr", dtype);
}

static std::string declaration(const BundleFunction &function, std::size_t number) {
  std::string text = "\n/// The integers of the config that `" + function.symbol + "` was compiled with.\n";
  text += fmt::format("struct {}_config {{\n", function.symbol);
  std::set<std::string> taken;
  for (const auto &[name, value] : function.constants)
    text += fmt::format("  std::int64_t {} = {};\n", freshName(name, taken),
                        value == INT64_MIN ? "INT64_MIN" : fmt::format("{}", value));
  text += "};\n" + describe(function, "/// ");
  text += fmt::format("inline constexpr tessera::BundledKernel<{}_config", function.symbol);
  for (const BundleArgument &argument : function.arguments)
    if (argument.role == BundleRole::Plain || argument.role == BundleRole::ViewBase)
      text += ",\n    " + parameterType(argument);
  return text + fmt::format("> {}{{source, {}, 0x{:016x}}};\n", function.symbol, number, function.signature());
}

std::string bundleHeader(const BundleIndex &index) {
  std::string guard = "TESSERA_BUNDLE_" + index.name + "_H";
  std::string text = fmt::format(R"(// Made together with bundle `{0}`. Do not edit.

#ifndef {1}
#define {1}

#include <tessera/runtime/Bundle.h>

#include <cstdint>
#include <source_location>

extern "C" {{
__attribute__((weak)) extern const unsigned char tessera_bundle_{0}_begin[];
__attribute__((weak)) extern const unsigned char tessera_bundle_{0}_end[];
}}

namespace {0} {{

/// Where the functions below come from.
inline constinit tessera::detail::BundleSource source{{"{0}", tessera_bundle_{0}_begin, tessera_bundle_{0}_end}};

/// The bundle that they come from: the one linked into this program, or the one given to use().
inline tessera::Bundle bundle(std::source_location at = std::source_location::current()) {{ return source.get(at); }}
/// Takes them from another bundle of this name, such as a file's, from now on.
inline void use(const tessera::Bundle &other, std::source_location at = std::source_location::current()) {{
  source.take(other, at);
}}
)",
                                 index.name, guard);
  for (std::size_t i = 0; i != index.functions.size(); ++i)
    text += declaration(index.functions[i], i);
  return text + fmt::format("\n}} // namespace {}\n\n#endif // {}\n", index.name, guard);
}

//===----------------------------------------------------------------------===//
// C
//===----------------------------------------------------------------------===//

/// The type of an element in C. Floats that C does not have are their bits.
static std::string typeInC(DType dtype) {
  if (dtype.isPointer())
    return "void *";
  switch (dtype.kind) {
  case Kind::F64:
    return "double";
  case Kind::F32:
    return "float";
  case Kind::I1:
    return "uint8_t";
  default:
    return fmt::format("{}int{}_t", dtype.isSigned() ? "" : "u", dtype.bits());
  }
}

static std::string parameterInC(const BundleArgument &argument, const std::string &name) {
  const std::string type = typeInC(argument.dtype);
  const bool star = type.ends_with('*');
  if (!argument.pointer)
    return type + " " + name;
  if (argument.dtype.isPointer()) // a table of addresses
    return fmt::format("{}{}*{}", type, argument.stored ? "" : "const ", name);
  return fmt::format("{}{}{}*{}", argument.stored ? "" : "const ", type, star ? "" : " ", name);
}

/// What hands the parameter on.
static std::string argumentInC(const BundleArgument &argument, const std::string &name, const std::string &count) {
  if (argument.pointer)
    return fmt::format("tessera_pointer({}, {})", name, count.empty() ? "-1" : count);
  if (argument.dtype == f32)
    return fmt::format("tessera_float32({})", name);
  if (argument.dtype == f64)
    return fmt::format("tessera_float64({})", name);
  if (argument.dtype.isSigned()) // only the bits of its own type
    return fmt::format("tessera_integer((uint{}_t){})", argument.dtype.bits(), name);
  return fmt::format("tessera_integer({}{})", name, argument.dtype.isBool() ? " != 0" : "");
}

static std::string definitionInC(const BundleIndex &index, const BundleFunction &function, std::size_t number) {
  std::set<std::string> taken{"bundle", "queue", "grid", "arguments"};
  std::string parameters, values;
  for (const BundleArgument &argument : function.arguments) {
    const std::string name = freshName(argument.name, taken);
    parameters += ", " + parameterInC(argument, name);
    std::string count;
    if (argument.zeroed) { // the launcher has to know how much to fill
      count = freshName(argument.name + "_count", taken);
      parameters += ", int64_t " + count;
    }
    values += fmt::format("{}\n      {}", values.empty() ? "" : ",", argumentInC(argument, name, count));
  }
  std::string text = "\n/*\n" + describe(function, " * ") + " */\n";
  for (const auto &[name, value] : function.constants)
    text += fmt::format("#define {}_{}_{} {}\n", index.name, function.symbol, name,
                        value == INT64_MIN ? "INT64_MIN" : fmt::format("INT64_C({})", value));
  text += fmt::format("static inline tessera_status {}_{}(const tessera_bundle *bundle, tessera_queue queue, "
                      "tessera_grid grid{}) {{\n",
                      index.name, function.symbol, parameters);
  if (!values.empty())
    text += fmt::format("  const tessera_argument arguments[] = {{{}}};\n", values);
  return text + fmt::format("  return tessera_launch(bundle, {}, UINT64_C(0x{:016x}), queue, grid, {}, {});\n}}\n",
                            number, function.signature(), values.empty() ? "NULL" : "arguments",
                            function.arguments.size());
}

std::string bundleHeaderForC(const BundleIndex &index) {
  std::string guard = "TESSERA_BUNDLE_" + index.name + "_C_H";
  std::string text = fmt::format(R"(/* Made together with bundle `{0}`. Do not edit. */

#ifndef {1}
#define {1}

#include <tessera/c/bundle.h>

#ifdef __cplusplus
extern "C" {{
#endif

__attribute__((weak)) extern const unsigned char tessera_bundle_{0}_begin[];
__attribute__((weak)) extern const unsigned char tessera_bundle_{0}_end[];

/* The bundle that is linked into this program. tessera_load_bundle opens one in a file instead. */
static inline tessera_status {0}_bundle(tessera_bundle **bundle) {{
  return tessera_linked_bundle("{0}", tessera_bundle_{0}_begin, tessera_bundle_{0}_end, bundle);
}}
)",
                                 index.name, guard);
  for (std::size_t i = 0; i != index.functions.size(); ++i)
    text += definitionInC(index, index.functions[i], i);
  return text + fmt::format("\n#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {} */\n", guard);
}

//===----------------------------------------------------------------------===//
// The source that links it in
//===----------------------------------------------------------------------===//

std::string bundleSource(const BundleIndex &index, const std::string &path) {
  std::string quoted;
  for (const char c : path) {
    if (c == '"' || c == '\\')
      quoted += "\\\\";
    quoted += c == '"' ? "\\\"" : c == '\\' ? "\\\\" : std::string(1, c);
  }
  return fmt::format(R"(/* Holds bundle `{0}`. Made together with it. Do not edit. */
__asm__(".pushsection .rodata, \"a\"\n"
        ".balign 16\n"
        ".global tessera_bundle_{0}_begin\n"
        ".hidden tessera_bundle_{0}_begin\n"
        ".type tessera_bundle_{0}_begin, STT_OBJECT\n"
        "tessera_bundle_{0}_begin:\n"
        ".incbin \"{1}\"\n"
        ".global tessera_bundle_{0}_end\n"
        ".hidden tessera_bundle_{0}_end\n"
        ".type tessera_bundle_{0}_end, STT_OBJECT\n"
        "tessera_bundle_{0}_end:\n"
        ".byte 0\n"
        ".popsection\n");
)",
                     index.name, quoted);
}

} // namespace tessera::rt
