//===- LayoutTypes.td - types of the layout dialect --------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Buffers in shared memory, barriers that count arrivals, and tokens of asynchronous work.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTTYPES_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.td"
include "tessera-ir/Dialect/Tile/IR/TileTypes.td"

class Layout_Type<string name, string typeMnemonic> : TypeDef<Layout_Dialect, name> { let mnemonic = typeMnemonic; }

def Layout_BufferType : Layout_Type<"Buffer", "buffer"> {
  let summary = "elements in shared memory";
  let description = [{
    Elements of one tile in the order that the layout says. With a leading extent more than the layout has, it is a
    *ring*: so many slots one after another, each of which holds a tile. An i1 is a byte, a pointer is 8.

    - (buffer_c1) `element` is an element type of the `tile` dialect.
    - (buffer_c2) the shape is that of the layout, or that with one more extent of at least 1 before it.
    - (buffer_c3) all of it has less than 2^31 bytes.

    ```mlir
    !layout.buffer<64x32xf16, #layout.shared<64x32>>
    !layout.buffer<3x64x32xf16, #layout.shared<64x32>>   // a ring of three
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$element, "SharedLayoutAttr":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    /// A buffer of one tile in the order of \p layout, or a ring of so many \p slots.
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$element, "SharedLayoutAttr":$layout,
                                        CArg<"int64_t", "0">:$slots), [{
      ::llvm::SmallVector<int64_t> shape(layout.getShape());
      if (slots > 0)
        shape.insert(shape.begin(), slots);
      return $_get(layout.getContext(), shape, element, layout);
    }]>];
  let extraClassDeclaration = [{
    /// Whether it has slots to choose from.
    bool isRing() const { return getShape().size() > getLayout().getShape().size(); }
    /// How many tiles it holds.
    int64_t slots() const { return isRing() ? getShape().front() : 1; }
    /// The extents of the tile in it, or in each slot.
    ::llvm::ArrayRef<int64_t> tileShape() const { return getLayout().getShape(); }
    /// The same without the ring.
    BufferType slotType() const { return get(getElement(), getLayout()); }
    int64_t bytesOfElement() const;
    int64_t bytesOfSlot() const;
    int64_t bytes() const { return slots() * bytesOfSlot(); }
  }];
}

def Layout_TokenType : Layout_Type<"Token", "token"> {
  let summary = "asynchronous work that has been started";
  let description = [{
    Given to the op that waits for it. It has no value at run time: it says what must come before what.
  }];
}

def Layout_MBarrierType : Layout_Type<"MBarrier", "mbarrier"> {
  let summary = "barriers in shared memory that count arrivals and bytes";
  let description = [{
    One barrier or a ring of `slots` of them, 8 bytes each.

    - (mbarrier_c1) `slots` is 1 to 1024.

    ```mlir
    !layout.mbarrier
    !layout.mbarrier<4>
    ```
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "1">:$slots);
  let assemblyFormat = "(`<` $slots^ `>`)?";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Sets that ops draw from
//===----------------------------------------------------------------------===//

/// A tile whose encoding is a #layout.tile.
class Layout_Distributed<Type base, string words> : Type<
    And<[base.predicate, CPred<"::tessera::ir::layout::encodingOf($_self) != nullptr">]>,
    words # " with a layout", "::mlir::RankedTensorType">;

def Layout_AnyTile : Layout_Distributed<Tile_AnyTile, "tile">;
def Layout_PtrTile : Layout_Distributed<Tile_TileOf<Tile_PointerElement>, "tile of pointers">;
def Layout_IntTile : Layout_Distributed<Tile_IntTile, "tile of integers">;
def Layout_Buffer : Type<Layout_BufferType.predicate, "buffer", "::tessera::ir::layout::BufferType">;
def Layout_ViewType : Type<Tile_ViewType.predicate, "view", "::tessera::ir::tile::ViewType">;
def Layout_MBarrier : Type<Layout_MBarrierType.predicate, "mbarrier", "::tessera::ir::layout::MBarrierType">;
def Layout_Token : Type<Layout_TokenType.predicate, "token", "::tessera::ir::layout::TokenType">,
    BuildableType<"$_builder.getType<::tessera::ir::layout::TokenType>()">;
/// A number of a slot.
def Layout_Index : AnyTypeOf<[I32, I64], "i32 or i64">;

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTTYPES_TD
