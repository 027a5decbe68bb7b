// RUN: tessera-opt %s -split-input-file -layout-allocate-shared | FileCheck %s

#s = #layout.shared<16384>
#t = #layout.shared<32768>

// Buffers in turn have one place.
// CHECK-LABEL: tile.kernel @turns(
//  CHECK-SAME: layout.shared_bytes = 131072 : i64
//       CHECK:   layout.shared_alloc offset 0 : !layout.buffer<16384xf32
//       CHECK:   layout.shared_alloc offset 0 : !layout.buffer<32768xf32
tile.kernel @turns(%x: f32) {
  %a = layout.shared_alloc : !layout.buffer<16384xf32, #s>
  layout.shared_fill %a, %x : !layout.buffer<16384xf32, #s>, f32
  layout.shared_free %a : !layout.buffer<16384xf32, #s>
  %b = layout.shared_alloc : !layout.buffer<32768xf32, #t>
  layout.shared_fill %b, %x : !layout.buffer<32768xf32, #t>, f32
  layout.shared_free %b : !layout.buffer<32768xf32, #t>
  tile.return
}

// -----

#s = #layout.shared<64>
#t = #layout.shared<128>

// Where there is room anyway, neighbours do not: a place is used again when a barrier has come.
// CHECK-LABEL: tile.kernel @negative_small(
//  CHECK-SAME: layout.shared_bytes = 768 : i64
//       CHECK:   layout.shared_alloc offset [[A:[0-9]+]] : !layout.buffer<64xf32
//   CHECK-NOT:   layout.shared_alloc offset [[A]] :
//       CHECK:   layout.shared_alloc offset {{[0-9]+}} : !layout.buffer<128xf32
//       CHECK:   layout.shared_alloc offset [[A]] : !layout.buffer<64xf32
tile.kernel @negative_small(%x: f32) attributes {layout.num_warps = 4, layout.warp_size = 32} {
  %a = layout.shared_alloc : !layout.buffer<64xf32, #s>
  layout.shared_fill %a, %x : !layout.buffer<64xf32, #s>, f32
  layout.shared_free %a : !layout.buffer<64xf32, #s>
  %b = layout.shared_alloc : !layout.buffer<128xf32, #t>
  layout.shared_fill %b, %x : !layout.buffer<128xf32, #t>, f32
  layout.shared_free %b : !layout.buffer<128xf32, #t>
  %c = layout.shared_alloc : !layout.buffer<64xf32, #s>
  layout.shared_fill %c, %x : !layout.buffer<64xf32, #s>, f32
  layout.shared_free %c : !layout.buffer<64xf32, #s>
  tile.return
}

// -----

#s = #layout.shared<64>

// What is alive during a loop keeps its place from what the loop makes; a ring takes all its slots.
// CHECK-LABEL: tile.kernel @negative_loop(
//  CHECK-SAME: layout.shared_bytes = 1024 : i64
//       CHECK:   layout.shared_alloc offset [[A:[0-9]+]] : !layout.buffer<3x64xf32
//   CHECK-NOT:   layout.shared_alloc offset [[A]]
//       CHECK:   layout.shared_alloc
tile.kernel @negative_loop(%x: f32, %n: i64, %one: i64, %k: i32) {
  %ring = layout.shared_alloc : !layout.buffer<3x64xf32, #s>
  scf.for %i = %n to %n step %one : i64 {
    %b = layout.shared_alloc : !layout.buffer<64xf32, #s>
    layout.shared_fill %b, %x : !layout.buffer<64xf32, #s>, f32
    layout.shared_free %b : !layout.buffer<64xf32, #s>
  }
  %slot = layout.shared_slot %ring[%k] : !layout.buffer<3x64xf32, #s>, i32
  layout.shared_fill %slot, %x : !layout.buffer<64xf32, #s>, f32
  layout.shared_free %ring : !layout.buffer<3x64xf32, #s>
  tile.return
}

// -----

#s = #layout.shared<16>

// Each of three programs in a block has its part, aligned as its buffers are.
// CHECK-LABEL: tile.kernel @programs(
//  CHECK-SAME: layout.shared_bytes = 48 : i64
//       CHECK:   layout.shared_alloc offset 0 : !layout.buffer<16xi1
tile.kernel @programs(%x: i1) attributes {layout.num_warps = 1, layout.warp_size = 32, layout.programs_per_block = 3} {
  %a = layout.shared_alloc : !layout.buffer<16xi1, #s>
  layout.shared_fill %a, %x : !layout.buffer<16xi1, #s>, i1
  layout.shared_free %a : !layout.buffer<16xi1, #s>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @none(
//  CHECK-SAME: layout.shared_bytes = 0 : i64
tile.kernel @none() {
  tile.return
}

// -----

#s = #layout.shared<64>

// Barriers live to the end; buffers of different roles live at one time.
// CHECK-LABEL: tile.kernel @roles(
//  CHECK-SAME: layout.shared_bytes = 528 : i64
//       CHECK:   layout.mbarrier_alloc offset [[F:[0-9]+]] : !layout.mbarrier<2>
//       CHECK:   layout.shared_alloc offset [[A:[0-9]+]]
//   CHECK-NOT:   layout.shared_alloc offset [[A]]
//       CHECK:   layout.shared_alloc
tile.kernel @roles(%x: f32) {
  %f = layout.mbarrier_alloc : !layout.mbarrier<2>
  layout.warp_roles warps [1] {
    %a = layout.shared_alloc : !layout.buffer<64xf32, #s>
    layout.shared_fill %a, %x : !layout.buffer<64xf32, #s>, f32
    layout.shared_free %a : !layout.buffer<64xf32, #s>
  } roles {
    %b = layout.shared_alloc : !layout.buffer<64xf32, #s>
    layout.shared_fill %b, %x : !layout.buffer<64xf32, #s>, f32
    layout.shared_free %b : !layout.buffer<64xf32, #s>
  }
  tile.return
}
