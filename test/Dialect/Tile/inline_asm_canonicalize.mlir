// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @pure_unused(
// CHECK-NOT: tile.inline_asm
//       CHECK: tile.return
tile.kernel @pure_unused(%s: f32) {
  %a = tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} pure (%s) : (f32) -> f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @pure_twice(
//       CHECK: %[[A:.*]] = tile.inline_asm
//       CHECK: tile.print "" %[[A]], %[[A]]
tile.kernel @pure_twice(%s: f32) {
  %a = tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} pure (%s) : (f32) -> f32
  %b = tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} pure (%s) : (f32) -> f32
  tile.print "" %a, %b : f32, f32
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_unused(
//       CHECK: tile.inline_asm
tile.kernel @negative_unused(%s: f32) {
  %a = tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} (%s) : (f32) -> f32
  tile.return
}
