//===- LayoutRoleOps.td - warps with work of their own -----*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Roles of warps, barriers between some of them, and the cluster that a program belongs to.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTROLEOPS_TD
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTROLEOPS_TD

include "tessera-ir/Dialect/Layout/IR/LayoutEffects.td"
include "tessera-ir/Dialect/Layout/IR/LayoutTypes.td"

include "mlir/Interfaces/ControlFlowInterfaces.td"

def Layout_WarpRolesOp : Layout_Op<"warp_roles", [
    RecursiveMemoryEffects, HasParent<"::tessera::ir::tile::KernelOp">, NoRegionArguments,
    SingleBlockImplicitTerminator<"RoleEndOp">]> {
  let summary = "different work for different warps, at one time";
  let description = [{
    The program's own `layout.num_warps` run the first region, and `warps[i]` more warps run role `i` beside them. All
    threads wait for each other before and after. `registers` says how many registers a thread of the first region and
    of each role may have meanwhile.

    - (warp_roles_c1) there is at least one role, and each has at least one warp.
    - (warp_roles_c2) `registers` has one number for the first region and each role, a multiple of 8 from 24 to 256.
    - (warp_roles_c3) a role uses no tile from outside, which its warps do not hold.
    - (warp_roles_c4) it stands in the body of the kernel itself.

    ```mlir
    layout.warp_roles warps [1] registers [232, 40] {
      layout.mbarrier_wait %full parity %p : !layout.mbarrier
    } roles {
      layout.mbarrier_expect %full bytes 4096 : !layout.mbarrier
    }
    ```
  }];
  let arguments = (ins DenseI32ArrayAttr:$warps, OptionalAttr<DenseI32ArrayAttr>:$registers);
  let regions = (region SizedRegion<1>:$own, VariadicRegion<SizedRegion<1>>:$roles);
  let assemblyFormat = [{
    `warps` $warps (`registers` $registers^)? attr-dict-with-keyword $own `roles` $roles
  }];
  let hasRegionVerifier = 1;
  let hasVerifier = 1;
}

def Layout_RoleEndOp : Layout_Op<"role_end", [Pure, Terminator, HasParent<"WarpRolesOp">]> {
  let summary = "end of a role";
  let description = [{
    - (role_end_c1) the parent is a `layout.warp_roles`.
  }];
  let assemblyFormat = "attr-dict";
}

class Layout_NamedBarrier<string mnemonic> : Layout_Op<mnemonic, [Layout_OrdersMemory]> {
  let arguments = (ins I32:$id, I32Attr:$threads);
  let assemblyFormat = "$id `threads` $threads attr-dict";
  let hasVerifier = 1;
}

def Layout_NamedBarrierSyncOp : Layout_NamedBarrier<"named_barrier_sync"> {
  let summary = "wait for some warps";
  let description = [{
    The same as `layout.barrier` for the first `threads` that come to the barrier called `id`, 1 to 15, those that only
    arrive among them.

    - (named_barrier_sync_c1) `threads` is 1 to 1024.

    ```mlir
    layout.named_barrier_sync %id threads 256
    ```
  }];
}

def Layout_NamedBarrierArriveOp : Layout_NamedBarrier<"named_barrier_arrive"> {
  let summary = "tell some warps that these have come";
  let description = [{
    Counts at the barrier called `id` without waiting.

    - (named_barrier_arrive_c1) `threads` is 1 to 1024.

    ```mlir
    layout.named_barrier_arrive %id threads 256
    ```
  }];
}

def Layout_ClusterRankOp : Layout_Op<"cluster_rank", [Pure]> {
  let summary = "number of this block in its cluster";
  let description = [{
    At least 0 and below `layout.num_blocks`.

    ```mlir
    %rank = layout.cluster_rank
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Layout_ClusterBarrierOp : Layout_Op<"cluster_barrier", [Layout_OrdersMemory]> {
  let summary = "wait for all threads of the cluster";
  let description = [{
    The same as `layout.barrier` for the blocks of a cluster and the shared memory of all of them.

    ```mlir
    layout.cluster_barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTROLEOPS_TD
