// RUN: not tessera-opt %s -convert-tile-to-layout=num-warps=3 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: not tessera-opt %s -convert-tile-to-layout=num-warps=64 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not tessera-opt %s -convert-tile-to-layout=num-blocks=3 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not tessera-opt %s -convert-tile-to-layout=target=cpu 2>&1 | FileCheck %s --check-prefix=CHIP

// WARPS: a program of cuda:sm_90a has 1 to 32 warps, a power of two, not 3
// MANY: a program of cuda:sm_90a has 1 to 32 warps, a power of two, not 64
// BLOCKS: a cluster has 1 to 16 blocks, a power of two, not 3
// CHIP: no chip `cpu` with warps is known
tile.kernel @nothing() {
  tile.return
}
