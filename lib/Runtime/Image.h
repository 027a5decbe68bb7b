//===- Image.h - a compiled kernel and how to launch it --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The launch ABI. A back end makes an image; a runtime that knows no compiler launches it, years later if need be. The
// arguments of a launch are one packed block, laid out like a C struct: first the kernel's own parameters in order,
// then the hidden ones, each at the offset its table entry names. The block is a format of ours, not the chip's (which
// places descriptors by rules of its own): drivers hand the vendor the address of each argument. What a hidden argument
// holds is a recipe in the image.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_IMAGE_H
#define TESSERA_RUNTIME_IMAGE_H

#include "Runtime/Expr.h"

#include "tessera/core/DType.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::rt {

/// What a kernel argument holds. Pointer and Scalar come from the caller, the rest from the launcher. Values are stored
/// in files: append only.
enum class ArgumentKind : std::uint8_t {
  Pointer,     ///< an address given by the caller
  Scalar,      ///< a number given by the caller; an i1 is a byte of 0 or 1
  Value,       ///< an i64 computed from the other arguments and the grid (`value`)
  Workspace,   ///< address of scratch memory of `bytes`; contents unspecified, or zero if `zeroed`
  Counters,    ///< address of `bytes` of zeros, which the kernel leaves zero again
  PrintBuffer, ///< address of a PrintHeader followed by its records (DeviceRecords.h)
  FaultFlag,   ///< address of a FaultRecord, zero unless something went wrong (DeviceRecords.h)
  TensorMap,   ///< a TMA descriptor, by value: 128 bytes aligned to 64 (`tensorMap`)
  kCount
};

/// How shared-memory rows of a TMA box are swizzled, and what lies outside the extents. Stored in files: append only.
enum class TensorSwizzle : std::uint8_t { None, Bytes32, Bytes64, Bytes128, kCount };
enum class TensorFill : std::uint8_t { Zero, Nan, kCount };

/// How to make a TMA descriptor. Axis 0 is the contiguous one, as the hardware counts.
struct TensorMapRecipe {
  int base = 0; ///< number of the Pointer argument it starts from
  Expr offset;  ///< bytes added to the base
  DType dtype;
  std::vector<Expr> extents;      ///< in elements, one per axis
  std::vector<Expr> strides;      ///< in bytes, one per axis but axis 0
  std::vector<std::uint32_t> box; ///< in elements, one per axis
  TensorSwizzle swizzle = TensorSwizzle::None;
  TensorFill fill = TensorFill::Zero;

  bool operator==(const TensorMapRecipe &) const = default;
};

/// One argument of the kernel. Fields that a kind does not use keep their defaults.
struct Argument {
  ArgumentKind kind = ArgumentKind::Scalar;
  DType dtype;              ///< a scalar's type; what a pointer points to
  std::string name;         ///< the user's, may be empty
  std::uint32_t offset = 0; ///< in the packed block; set by Image::layOut
  bool mayAlias = false;    ///< Pointer: declared to overlap other arguments (SEMANTICS M3)
  bool zeroed = false;      ///< Pointer, Workspace: the launcher fills it with zeros before each launch
  bool read = false;        ///< Pointer: the kernel may load from it
  bool written = false;     ///< Pointer: the kernel may store to it
  Expr value;               ///< Value
  Expr bytes;               ///< Workspace, Counters, PrintBuffer
  std::optional<TensorMapRecipe> tensorMap;

  bool isHidden() const { return kind != ArgumentKind::Pointer && kind != ArgumentKind::Scalar; }
  /// Bytes this argument takes in the packed block, which is also its alignment except for tensor maps (64).
  std::uint32_t packedBytes() const;
  std::uint32_t packedAlignment() const;

  bool operator==(const Argument &) const = default;
};

/// Where a device_print or a check stands in the source; device records refer to sites by number.
struct Site {
  std::string text;               ///< the print's prefix or the check's message
  std::string location;           ///< file:line:column
  std::vector<std::string> names; ///< of the printed values
  std::vector<DType> dtypes;      ///< of the printed values

  bool operator==(const Site &) const = default;
};

/// A compiled kernel. A value; whoever changes it calls layOut() last.
struct Image {
  std::string target; ///< "cuda:sm_90a"
  std::string format; ///< of `binary`: "cubin", "ptx", "hsaco", "shared-object", "mlir-bytecode" …
  std::string kernel; ///< the user's name for it
  std::string entry;  ///< symbol in the binary
  std::vector<Argument> arguments;
  std::uint32_t packedBytes = 0; ///< size of the packed block; set by layOut

  std::uint32_t threadsPerProgram = 1;
  std::uint32_t sharedBytes = 0;                 ///< shared memory to ask for at the launch
  std::uint32_t staticSharedBytes = 0;           ///< shared memory the binary has by itself; limits are on the sum
  std::array<std::uint32_t, 3> cluster{1, 1, 1}; ///< programs launched together; divides the grid
  /// What must be non-zero for this image to be right: "the base is a multiple of 16", "the extent fits 32 bits". A
  /// launch that breaks one takes the general variant of the kernel, whose image requires nothing.
  std::vector<Expr> requirements;
  /// The grid to start, over the programs asked for; empty: that very grid. A persistent kernel and a folded grid set
  /// it.
  std::vector<Expr> launchGrid;

  std::vector<Site> sites;
  /// Facts for reports and logs, sorted by key: "registers", "spill_bytes", "shared_bytes", "toolchain" …
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<std::byte> binary;

  /// Numbers the offsets of the arguments and sets packedBytes.
  void layOut();
  /// Sets a fact, replacing an older value.
  void setFact(std::string key, std::string value);
  /// The fact stored under \p key, or null.
  const std::string *fact(std::string_view key) const;
  /// Names of all arguments, for printing expressions.
  std::vector<std::string> argumentNames() const;

  /// Why this image breaks the ABI (an expression over a missing argument, overlapping offsets …); empty if it does
  /// not.
  std::string check() const;
  /// The bytes of a file: magic, version, checksum, contents.
  std::vector<std::byte> serialize() const;
  /// Reads what serialize() wrote. UsageError for anything else, whatever the bytes are.
  static Image deserialize(std::span<const std::byte> bytes);

  bool operator==(const Image &) const = default;
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_IMAGE_H
