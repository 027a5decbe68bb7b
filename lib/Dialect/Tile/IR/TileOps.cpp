//===- TileOps.cpp - the generated bodies of all ops -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

#include "Dialect/Tile/IR/CombineRegion.h"

namespace tessera::ir::tile {

//===----------------------------------------------------------------------===//
// Types that follow from others, named by `custom<...>` in the formats
//===----------------------------------------------------------------------===//

/// Results of a scan: the types of the inputs.
static ParseResult parseSameTypes(OpAsmParser &parser, SmallVectorImpl<Type> &inputs, SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(inputs))
    return failure();
  results.assign(inputs.begin(), inputs.end());
  return success();
}

static void printSameTypes(OpAsmPrinter &printer, Operation *, TypeRange inputs, TypeRange) {
  llvm::interleaveComma(inputs, printer);
}

/// Types of a sort: the key's, then the payloads'; the results repeat them.
static ParseResult parseSortTypes(OpAsmParser &parser, Type &key, SmallVectorImpl<Type> &payload, Type &sorted,
                                  SmallVectorImpl<Type> &moved) {
  SmallVector<Type> types;
  if (parser.parseTypeList(types))
    return failure();
  key = sorted = types.front();
  payload.assign(std::next(types.begin()), types.end());
  moved.assign(payload.begin(), payload.end());
  return success();
}

static void printSortTypes(OpAsmPrinter &printer, Operation *, Type key, TypeRange payload, Type, TypeRange) {
  printer << key;
  for (Type type : payload)
    printer << ", " << type;
}

} // namespace tessera::ir::tile

#define GET_OP_CLASSES
#include "tessera-ir/Dialect/Tile/IR/TileOps.cpp.inc"

namespace tessera::ir::tile {

void TileDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "tessera-ir/Dialect/Tile/IR/TileOps.cpp.inc"
      >();
}

} // namespace tessera::ir::tile
