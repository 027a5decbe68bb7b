//===- Reflect.h - the fields of a plain struct ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Configs and parameter structs are plain aggregates; their fields are counted, visited and named here without any
// registration. Up to 24 fields; no C arrays (use std::array), no base classes, no references.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CORE_REFLECT_H
#define TESSERA_CORE_REFLECT_H

#include "tessera/core/DType.h"
#include "tessera/core/Export.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tessera::detail {

inline constexpr std::size_t maxFields = 24;

/// Converts to whatever a field wants; only ever named in unevaluated code.
struct AnyField {
  template <class Type> operator Type() const;
};

template <class Type, std::size_t... Index> constexpr bool takesFields(std::index_sequence<Index...>) {
  return requires { Type{(static_cast<void>(Index), AnyField{})...}; };
}

template <class Type, std::size_t Count = maxFields + 1> constexpr std::size_t countFields() {
  if constexpr (takesFields<Type>(std::make_index_sequence<Count>()))
    return Count;
  else if constexpr (Count == 0)
    return 0;
  else
    return countFields<Type, Count - 1>();
}

/// The number of fields of the aggregate Type.
template <class Type> inline constexpr std::size_t fieldCount = countFields<Type>();

/// Calls \p visit once with all fields of \p object, in their order.
template <class Type, class Visit> constexpr decltype(auto) withFields(Type &object, Visit &&visit) {
  using Plain = std::remove_cv_t<Type>;
  static_assert(std::is_aggregate_v<Plain>, "a config or parameter struct is a plain aggregate: no constructors, no "
                                            "private fields, no virtual functions");
  constexpr std::size_t count = fieldCount<Plain>;
  static_assert(count <= maxFields, "a config or parameter struct has at most 24 fields; nest structs to have more");
  if constexpr (count == 0) {
    return visit();
  } else if constexpr (count == 1) {
    auto &[a] = object;
    return visit(a);
  } else if constexpr (count == 2) {
    auto &[a, b] = object;
    return visit(a, b);
  } else if constexpr (count == 3) {
    auto &[a, b, c] = object;
    return visit(a, b, c);
  } else if constexpr (count == 4) {
    auto &[a, b, c, d] = object;
    return visit(a, b, c, d);
  } else if constexpr (count == 5) {
    auto &[a, b, c, d, e] = object;
    return visit(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto &[a, b, c, d, e, f] = object;
    return visit(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto &[a, b, c, d, e, f, g] = object;
    return visit(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto &[a, b, c, d, e, f, g, h] = object;
    return visit(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    auto &[a, b, c, d, e, f, g, h, i] = object;
    return visit(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto &[a, b, c, d, e, f, g, h, i, j] = object;
    return visit(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto &[a, b, c, d, e, f, g, h, i, j, k] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (count == 12) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (count == 13) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (count == 14) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (count == 15) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (count == 16) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  } else if constexpr (count == 17) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
  } else if constexpr (count == 18) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
  } else if constexpr (count == 19) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
  } else if constexpr (count == 20) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
  } else if constexpr (count == 21) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
  } else if constexpr (count == 22) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
  } else if constexpr (count == 23) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w);
  } else if constexpr (count == 24) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x] = object;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x);
  }
}

template <class Type> struct FieldPointer {
  const Type *address;
};

// One object a type, never defined: only the addresses of its fields are named, at compile time.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
template <class Type> struct Specimen {
  const Type object;
};
template <class Type> extern const Specimen<Type> specimen;

/// The text of the instantiation, which holds the field's name.
template <auto Field> constexpr std::string_view fieldText() { return __PRETTY_FUNCTION__; }

constexpr bool isNameCharacter(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The last name before the last closing brace: both compilers write `...{...object.block}` or `...::block)}`.
constexpr std::string_view lastName(std::string_view text) {
  std::size_t last = text.rfind('}');
  while (last > 0 && !isNameCharacter(text[last - 1]))
    --last;
  std::size_t first = last;
  while (first > 0 && isNameCharacter(text[first - 1]))
    --first;
  return text.substr(first, last - first);
}

template <class Type, std::size_t Index> constexpr std::string_view fieldNameAt() {
  constexpr auto pointer = withFields(specimen<Type>.object, [](auto &...fields) {
    return std::get<Index>(std::tuple(FieldPointer<std::remove_cvref_t<decltype(fields)>>{&fields}...));
  });
  return lastName(fieldText<pointer>());
}
#ifdef __clang__
#pragma clang diagnostic pop
#endif

template <class Type, std::size_t... Index>
constexpr std::array<std::string_view, sizeof...(Index)> fieldNamesOf(std::index_sequence<Index...>) {
  return {fieldNameAt<Type, Index>()...};
}

/// The names of the fields of the aggregate Type, in their order.
template <class Type>
inline constexpr std::array<std::string_view, fieldCount<Type>> fieldNames =
    fieldNamesOf<Type>(std::make_index_sequence<fieldCount<Type>>());

/// Calls \p visit(name, value) for each field of the aggregate \p object, in their order.
template <class Type, class Visit> constexpr void forEachField(const Type &object, Visit &&visit) {
  withFields(object, [&](const auto &...fields) {
    std::size_t index = 0;
    (visit(fieldNames<Type>[index++], fields), ...);
  });
}

/// Appends \p number so that reading it back gives the same bits.
TESSERA_API void appendNumber(std::string &text, double number);

template <class Type> struct IsStdArray : std::false_type {};
template <class Type, std::size_t Count> struct IsStdArray<std::array<Type, Count>> : std::true_type {};

/// Appends \p value as text that is equal exactly for equal values: the config's part of keys and logs.
template <class Type> void appendValue(std::string &text, const Type &value) {
  if constexpr (std::same_as<Type, bool>) {
    text += value ? "true" : "false";
  } else if constexpr (std::same_as<Type, DType>) {
    text += value.name();
  } else if constexpr (std::integral<Type>) {
    text += std::to_string(value);
  } else if constexpr (std::floating_point<Type>) {
    appendNumber(text, static_cast<double>(value));
  } else if constexpr (std::is_enum_v<Type>) {
    text += std::to_string(static_cast<std::underlying_type_t<Type>>(value));
  } else if constexpr (std::convertible_to<const Type &, std::string_view>) {
    text += '"';
    for (char c : std::string_view(value)) {
      if (c == '"' || c == '\\')
        text += '\\';
      text += c;
    }
    text += '"';
  } else if constexpr (IsStdArray<Type>::value) {
    text += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      text += i ? ", " : "";
      appendValue(text, value[i]);
    }
    text += ']';
  } else {
    text += '{';
    const char *separator = "";
    forEachField(value, [&](std::string_view name, const auto &field) {
      text += separator;
      text += name;
      text += '=';
      appendValue(text, field);
      separator = ", ";
    });
    text += '}';
  }
}

/// `{bm=128, bn=128}`: the fields of a config by name.
template <class Config> std::string configText(const Config &config) {
  std::string text;
  appendValue(text, config);
  return text;
}

} // namespace tessera::detail

#endif // TESSERA_CORE_REFLECT_H
