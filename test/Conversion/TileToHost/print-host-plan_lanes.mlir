// RUN: tessera-opt %s -split-input-file -tile-print-host-plan -o /dev/null | FileCheck %s
// How many elements a vector holds: at most what the registers take as it is computed, and in loops that mostly move
// data half a cache line as it is stored.

// bf16 is computed in f32, of which a register takes 16; those lie in 32 bytes of memory.
// CHECK-LABEL: plan of @narrow_stream:
//       CHECK:   group 0 over 256, 16 lanes
tile.kernel @narrow_stream(%x: !tile.ptr<bf16>) {
  %lane = tile.arange 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<bf16>>
  %p = tile.addptr %xs, %lane : tensor<256x!tile.ptr<bf16>>, tensor<256xi32>
  %a = tile.load %p : tensor<256x!tile.ptr<bf16>>
  %r = arith.addf %a, %a : tensor<256xbf16>
  tile.store %p, %r : tensor<256x!tile.ptr<bf16>>
  tile.return
}

// -----

// A register would take 16.
// CHECK-LABEL: plan of @wide_stream:
//       CHECK:   group 0 over 256, 8 lanes
tile.kernel @wide_stream(%x: !tile.ptr<f32>) {
  %lane = tile.arange 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %p = tile.addptr %xs, %lane : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %a = tile.load %p : tensor<256x!tile.ptr<f32>>
  %r = arith.addf %a, %a : tensor<256xf32>
  tile.store %p, %r : tensor<256x!tile.ptr<f32>>
  tile.return
}

// -----

// The loop computes more than it moves.
// CHECK-LABEL: plan of @negative_stream:
//       CHECK:   group 0 over 256, 16 lanes
tile.kernel @negative_stream(%x: !tile.ptr<f32>) {
  %lane = tile.arange 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %p = tile.addptr %xs, %lane : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %a = tile.load %p : tensor<256x!tile.ptr<f32>>
  %r = math.exp %a : tensor<256xf32>
  tile.store %p, %r : tensor<256x!tile.ptr<f32>>
  tile.return
}
