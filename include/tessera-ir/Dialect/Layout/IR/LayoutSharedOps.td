//===- LayoutSharedOps.td - buffers in shared memory -------*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Buffers live from their `shared_alloc` to their `shared_free`; tiles are moved into them and out of them by all
// threads of a program together. None of these ops orders the accesses of different threads: barriers do.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTSHAREDOPS_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTSHAREDOPS_TD

include "tessera-ir/Dialect/Layout/IR/LayoutEffects.td"
include "tessera-ir/Dialect/Layout/IR/LayoutTypes.td"

include "mlir/Interfaces/InferTypeOpInterface.td"

//===----------------------------------------------------------------------===//
// Lifetime and parts
//===----------------------------------------------------------------------===//

def Layout_SharedAllocOp : Layout_Op<"shared_alloc"> {
  let summary = "begin the life of a buffer";
  let description = [{
    The buffer holds anything. It lives until the `layout.shared_free` of it, which stands in the same block; allocation
    gives it its `offset` in bytes from the program's shared memory.

    - (shared_alloc_c1) `offset` is not negative, and a multiple of the bytes of an element.

    ```mlir
    %b = layout.shared_alloc : !layout.buffer<64x32xf16, #layout.shared<64x32>>
    %c = layout.shared_alloc offset 4096 : !layout.buffer<64x32xf16, #layout.shared<64x32>>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs Res<Layout_Buffer, "", [MemAlloc<Layout_SharedMemory>]>:$result);
  let assemblyFormat = "(`offset` $offset^)? attr-dict `:` qualified(type($result))";
  let builders = [OpBuilder<(ins "::tessera::ir::layout::BufferType":$type), [{
    build($_builder, $_state, type, ::mlir::IntegerAttr());
  }]>];
  let hasVerifier = 1;
}

def Layout_SharedFreeOp : Layout_Op<"shared_free"> {
  let summary = "end the life of a buffer";
  let description = [{
    Its memory may be another buffer's afterwards.

    - (shared_free_c1) `buffer` is the result of a `layout.shared_alloc` in the same block, freed once.

    ```mlir
    layout.shared_free %b : !layout.buffer<64x32xf16, #layout.shared<64x32>>
    ```
  }];
  let arguments = (ins Arg<Layout_Buffer, "", [MemFree<Layout_SharedMemory>]>:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer))";
  let hasVerifier = 1;
}

def Layout_SharedSlotOp : Layout_Op<"shared_slot", [Pure,
    TypesMatchWith<"the result is a slot of `ring`", "ring", "result",
                   "::llvm::cast<::tessera::ir::layout::BufferType>($_self).slotType()">]> {
  let summary = "one slot of a ring";
  let description = [{
    `index` is at least 0 and below the number of slots.

    - (shared_slot_c1) `ring` is a ring.
    - (shared_slot_c2) the result has its type without the slots.

    ```mlir
    %s = layout.shared_slot %ring[%i] : !layout.buffer<3x64x32xf16, #layout.shared<64x32>>, i32
    ```
  }];
  let arguments = (ins Layout_Buffer:$ring, Layout_Index:$index);
  let results = (outs Layout_Buffer:$result);
  let assemblyFormat = "$ring `[` $index `]` attr-dict `:` qualified(type($ring)) `,` type($index)";
  let hasVerifier = 1;
}

def Layout_SharedSubviewOp : Layout_Op<"shared_subview", [Pure]> {
  let summary = "a box of a buffer that lies in one piece";
  let description = [{
    Element `i` of the result is element `offsets + i` of `buffer`.

    - (shared_subview_c1) `buffer` is no ring, and `buffer` and result have one element type and one rank.
    - (shared_subview_c2) there is one offset for each axis, a multiple of the result's extent, and the box lies inside
      `buffer`.
    - (shared_subview_c3) the box lies in one piece, in the order of the result's layout.

    ```mlir
    %v = layout.shared_subview %b [32, 0]
        : !layout.buffer<64x32xf16, #layout.shared<64x32>> -> !layout.buffer<32x32xf16, #layout.shared<32x32>>
    ```
  }];
  let arguments = (ins Layout_Buffer:$buffer, DenseI64ArrayAttr:$offsets);
  let results = (outs Layout_Buffer:$result);
  let assemblyFormat = "$buffer $offsets attr-dict `:` qualified(type($buffer)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// How many elements after the first of `buffer` the result begins.
    int64_t elementOffset();
  }];
}

def Layout_SharedTransOp : Layout_Op<"shared_trans", [Pure,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "a buffer with its axes permuted";
  let description = [{
    Axis `i` of the result is axis `permutation[i]` of `buffer`. Nothing moves.

    - (shared_trans_c1) `buffer` is no ring, and `permutation` holds each of its axes once.
    - (shared_trans_c2) the result has its elements, with the extents and the layout permuted.

    ```mlir
    %t = layout.shared_trans %b [1, 0] : !layout.buffer<64x32xf16, #layout.shared<64x32>>
    ```
  }];
  let arguments = (ins Layout_Buffer:$buffer, DenseI32ArrayAttr:$permutation);
  let results = (outs Layout_Buffer:$result);
  let assemblyFormat = "$buffer $permutation attr-dict `:` qualified(type($buffer))";
}

def Layout_SharedReshapeOp : Layout_Op<"shared_reshape", [Pure]> {
  let summary = "a buffer under other extents";
  let description = [{
    Elements keep their number in row-major order. Nothing moves.

    - (shared_reshape_c1) `buffer` is no ring, and the result has its elements, as many as it.
    - (shared_reshape_c2) the result's layout has the offsets of that of `buffer`.

    ```mlir
    %r = layout.shared_reshape %b
        : !layout.buffer<1x64x32xf16, #layout.shared<1x64x32>> -> !layout.buffer<64x32xf16, #layout.shared<64x32>>
    ```
  }];
  let arguments = (ins Layout_Buffer:$buffer);
  let results = (outs Layout_Buffer:$result);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer)) `->` qualified(type($result))";
  let builders = [OpBuilder<(ins "::mlir::Value":$buffer, "::llvm::ArrayRef<int64_t>":$shape)>];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

class Layout_SharedRead<string mnemonic, list<Trait> traits = []> : Layout_Op<mnemonic, traits> {
  dag buffer = (ins Arg<Layout_Buffer, "", [MemRead<Layout_SharedMemory>]>:$buffer);
  let hasVerifier = 1;
}
class Layout_SharedWrite<string mnemonic, list<Trait> traits = []> : Layout_Op<mnemonic, traits> {
  dag buffer = (ins Arg<Layout_Buffer, "", [MemWrite<Layout_SharedMemory>]>:$buffer);
  let hasVerifier = 1;
}

def Layout_SharedStoreOp : Layout_SharedWrite<"shared_store"> {
  let summary = "write a tile into a buffer";
  let description = [{
    - (shared_store_c1) `buffer` is no ring.
    - (shared_store_c2) `value` has its shape and element type.

    With `cluster`, each element goes into the buffer of every block of the cluster. A `layout.cluster_barrier` comes
    before, after which all blocks run and none uses the memory any more, and one behind.

    ```mlir
    layout.shared_store %b, %x : !layout.buffer<64x32xf16, #layout.shared<64x32>>, tensor<64x32xf16, #a>
    ```
  }];
  let arguments = !con(buffer, (ins Layout_AnyTile:$value, UnitAttr:$cluster));
  let assemblyFormat = [{
    (`cluster` $cluster^)? $buffer `,` $value attr-dict `:` qualified(type($buffer)) `,` type($value)
  }];
}

def Layout_SharedLoadOp : Layout_SharedRead<"shared_load"> {
  let summary = "read a tile from a buffer";
  let description = [{
    - (shared_load_c1) `buffer` is no ring.
    - (shared_load_c2) the result has its shape and element type.

    ```mlir
    %x = layout.shared_load %b : !layout.buffer<64x32xf16, #layout.shared<64x32>> -> tensor<64x32xf16, #a>
    ```
  }];
  let arguments = buffer;
  let results = (outs Layout_AnyTile:$result);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer)) `->` type($result)";
}

def Layout_SharedGatherOp : Layout_SharedRead<"shared_gather"> {
  let summary = "read elements of a buffer at run-time indices along an axis";
  let description = [{
    `result[i, j] = buffer[index[i, j], j]` for `axis` 0 of two, and so on. Indices are signed; one outside the extent
    touches nothing and gives an unspecified element.

    - (shared_gather_c1) `buffer` is no ring, and `axis` is below its rank.
    - (shared_gather_c2) `index` has the rank of `buffer`, and its extents on every axis but `axis`.
    - (shared_gather_c3) the result has the shape and layout of `index` and the element type of `buffer`.

    ```mlir
    %x = layout.shared_gather %b[%i] axis 0
        : !layout.buffer<64x32xf16, #layout.shared<64x32>>, tensor<8x32xi32, #a> -> tensor<8x32xf16, #a>
    ```
  }];
  let arguments = !con(buffer, (ins Layout_IntTile:$index, I32Attr:$axis));
  let results = (outs Layout_AnyTile:$result);
  let assemblyFormat = [{
    $buffer `[` $index `]` `axis` $axis attr-dict `:` qualified(type($buffer)) `,` type($index) `->` type($result)
  }];
}

def Layout_SharedScatterOp : Layout_SharedWrite<"shared_scatter"> {
  let summary = "write elements into a buffer at run-time indices along an axis";
  let description = [{
    `buffer[index[i, j], j] = value[i, j]` for `axis` 0 of two, and so on. Indices are signed; one outside the extent
    writes nothing. Where several write one element, one of them wins.

    - (shared_scatter_c1) `buffer` is no ring, and `axis` is below its rank.
    - (shared_scatter_c2) `index` has the rank of `buffer`, and its extents on every axis but `axis`.
    - (shared_scatter_c3) `value` has the shape and layout of `index` and the element type of `buffer`.

    ```mlir
    layout.shared_scatter %b[%i], %x axis 0
        : !layout.buffer<64x32xf16, #layout.shared<64x32>>, tensor<8x32xi32, #a>, tensor<8x32xf16, #a>
    ```
  }];
  let arguments = !con(buffer, (ins Layout_IntTile:$index, Layout_AnyTile:$value, I32Attr:$axis));
  let assemblyFormat = [{
    $buffer `[` $index `]` `,` $value `axis` $axis attr-dict
    `:` qualified(type($buffer)) `,` type($index) `,` type($value)
  }];
}

def Layout_SharedAtomicAddOp : Layout_SharedWrite<"shared_atomic_add"> {
  let summary = "add to elements of a buffer at run-time indices";
  let description = [{
    `buffer[index[i]] += value[i]` for every element of the tiles, each once however many threads hold it, and all of
    them take effect. Indices are signed; one outside the extent adds nothing.

    - (shared_atomic_add_c1) `buffer` is no ring, of rank 1, and holds i32, i64 or f32.
    - (shared_atomic_add_c2) `index` and `value` have one shape and layout.
    - (shared_atomic_add_c3) `value` has the element type of `buffer`.

    ```mlir
    layout.shared_atomic_add %b[%i], %x
        : !layout.buffer<256xi32, #layout.shared<256>>, tensor<64xi32, #a>, tensor<64xi32, #a>
    ```
  }];
  let arguments = (ins Arg<Layout_Buffer, "", [MemRead<Layout_SharedMemory>, MemWrite<Layout_SharedMemory>]>:$buffer,
                       Layout_IntTile:$index, Layout_AnyTile:$value);
  let assemblyFormat = [{
    $buffer `[` $index `]` `,` $value attr-dict `:` qualified(type($buffer)) `,` type($index) `,` type($value)
  }];
}

def Layout_SharedFillOp : Layout_SharedWrite<"shared_fill"> {
  let summary = "write one value into every element of a buffer";
  let description = [{
    - (shared_fill_c1) `buffer` is no ring.
    - (shared_fill_c2) `value` has the element type of `buffer`.

    ```mlir
    layout.shared_fill %b, %zero : !layout.buffer<256xi32, #layout.shared<256>>, i32
    ```
  }];
  let arguments = !con(buffer, (ins Tile_AnyElement:$value));
  let assemblyFormat = "$buffer `,` $value attr-dict `:` qualified(type($buffer)) `,` qualified(type($value))";
}

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTSHAREDOPS_TD
