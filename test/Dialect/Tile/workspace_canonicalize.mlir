// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// Two workspaces of one size are two pieces of memory.
// CHECK-LABEL: tile.kernel @kept_apart(
// CHECK-COUNT-2: tile.workspace
tile.kernel @kept_apart(%n: i64, %q: !tile.ptr<!tile.ptr<f32>>) {
  %a = tile.workspace %n : !tile.ptr<f32>
  %b = tile.workspace %n : !tile.ptr<f32>
  tile.store %q, %a : !tile.ptr<!tile.ptr<f32>>
  tile.store %q, %b : !tile.ptr<!tile.ptr<f32>>
  tile.return
}

// -----

// One that nobody uses is not asked for.
// CHECK-LABEL: tile.kernel @negative_unused(
// CHECK-NOT: tile.workspace
tile.kernel @negative_unused(%n: i64) {
  %a = tile.workspace %n : !tile.ptr<f32>
  tile.return
}
