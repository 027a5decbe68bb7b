// RUN: tessera-opt %s -split-input-file -convert-layout-to-llvm=target=cuda:sm_90a | FileCheck %s

// Two halves share a register.

// CHECK-LABEL: llvm.func @packed(
// CHECK-COUNT-2: llvm.inline_asm "ex2.approx.f16x2 $0, $1;", "=r,r" %{{.*}} : (i32) -> i32
//   CHECK-NOT:   llvm.inline_asm

#row = #layout.tile<128, register = [(64), (1)], lane = [(2), (4), (8), (16), (32)]>

tile.kernel @packed(%x: !tile.ptr<f16>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %i = tile.arange 0 to 128 : tensor<128xi32, #row>
  %xs = tile.splat %x : tensor<128x!tile.ptr<f16>, #row>
  %xp = tile.addptr %xs, %i : tensor<128x!tile.ptr<f16>, #row>, tensor<128xi32, #row>
  %v = tile.load %xp : tensor<128x!tile.ptr<f16>, #row>
  %e = tile.inline_asm {cuda = {asm = "ex2.approx.f16x2 $0, $1;", constraints = "=r,r"}} pure pack 2 (%v)
      : (tensor<128xf16, #row>) -> tensor<128xf16, #row>
  tile.store %xp, %e : tensor<128x!tile.ptr<f16>, #row>
  tile.return
}

// -----

// What may touch memory is evaluated once for a scalar.

// CHECK-LABEL: llvm.func @once(
//       CHECK:   scf.if %{{.*}} -> (i32)
//       CHECK:     llvm.inline_asm has_side_effects
//       CHECK:   llvm.call @tessera.gpu.shuffle.idx

tile.kernel @once(%x: !tile.ptr<i32>) attributes {layout.num_warps = 1 : i64, layout.warp_size = 32 : i64} {
  %e = tile.inline_asm {cuda = {asm = "mov.u32 $0, %clock;", constraints = "=r"}} () : () -> i32
  tile.store %x, %e : !tile.ptr<i32>
  tile.return
}
