//===- LayoutEffects.td - memory that ops of the dialect touch --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The resource that accesses to buffers name, and what an op that orders memory counts as.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTEFFECTS_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTEFFECTS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tessera-ir/Dialect/Tile/IR/TileEffects.td"

/// Memory that the threads of a block, or of a cluster, share.
def Layout_SharedMemory : Resource<"::tessera::ir::layout::SharedMemory">;

/// Nothing that touches memory moves across such an op.
def Layout_OrdersMemory : MemoryEffects<[MemRead<Layout_SharedMemory>, MemWrite<Layout_SharedMemory>,
                                         MemRead<Tile_GlobalMemory>, MemWrite<Tile_GlobalMemory>]>;

/// The same for shared memory.
def Layout_OrdersShared : MemoryEffects<[MemRead<Layout_SharedMemory>, MemWrite<Layout_SharedMemory>]>;

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTEFFECTS_TD
