//===- LayoutAttrs.td - layouts as attributes --------------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The encoding of tiles, the order of elements in a buffer, and an enumeration.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTATTRS_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"
include "tessera-ir/Dialect/Layout/IR/LayoutDialect.td"

class Layout_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Layout_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Layout_TileLayoutAttr : Layout_Attr<"TileLayout", "tile", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "which thread holds which element of a tile";
  let description = [{
    The shape of the tile, then the coordinates that each bit of the register number, the lane, the warp and the program
    of the cluster contributes; contributions combine by exclusive or. A list left out is empty. A contribution of zero,
    or one that repeats what lower bits make, means copies. Equal maps are equal attributes.

    - (tile_layout_c1) extents are powers of two, at most 5 of them and at most 1048576 elements.
    - (tile_layout_c2) every contribution lies inside the shape.
    - (tile_layout_c3) together they reach every element.
    - (tile_layout_c4) at most 64 lanes, 64 warps and 16 programs, and at most 2^20 registers.
    - (tile_layout_c5) as an encoding, the shape is that of the tensor.

    ```mlir
    #layout.tile<4x128, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, 16), (0, 32), (0, 64)],
                 warp = [(1, 0), (2, 0)]>
    ```
  }];
  let parameters = (ins AttrParameter<"::tessera::layout::TileLayout", "the map",
                                     "const ::tessera::layout::TileLayout &">:$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Layout_SharedLayoutAttr : Layout_Attr<"SharedLayout", "shared"> {
  let summary = "where in a buffer which element lies";
  let description = [{
    The shape of what the buffer holds, then the offset in elements that each bit of the flat row-major index
    contributes, lowest first; contributions combine by exclusive or. Without a list, elements lie in row-major order.

    - (shared_layout_c1) extents are powers of two, at most 5 of them and at most 1048576 elements.
    - (shared_layout_c2) there is one contribution for each bit of the index.
    - (shared_layout_c3) the map is one to one.

    ```mlir
    #layout.shared<64x32>
    #layout.shared<4x4, offsets = [1, 2, 5, 10]>   // columns exchanged by the row's number
    ```
  }];
  let parameters = (ins AttrParameter<"::tessera::layout::SharedLayout", "the map",
                                     "const ::tessera::layout::SharedLayout &">:$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<int64_t> getShape() const { return {getLayout().shape().data(), getLayout().shape().size()}; }
    ::llvm::ArrayRef<uint32_t> getOffsets() const { return {getLayout().bases().data(), getLayout().bases().size()}; }
  }];
}

def Layout_FenceSpace : I32EnumAttr<"FenceSpace", "memory that a fence is about", [
  I32EnumAttrCase<"All", 0, "all">,
  I32EnumAttrCase<"Shared", 1, "shared">,
  I32EnumAttrCase<"Global", 2, "global">
]> {
  let cppNamespace = "::tessera::ir::layout";
  let genSpecializedAttr = 0;
}
def Layout_FenceSpaceAttr : EnumAttr<Layout_Dialect, Layout_FenceSpace, "fence_space">;

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTATTRS_TD
