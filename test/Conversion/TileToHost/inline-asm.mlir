// RUN: tessera-opt %s -split-input-file -convert-tile-to-host -verify-diagnostics | FileCheck %s
// SEMANTICS P2

// Four bytes share a register; the body for "cpu" is the one whose key fits.
// CHECK-LABEL: llvm.func @narrow_elements(
//       CHECK:   scf.for %[[I:.*]] = %c0_i64 to %c8_i64 step %c4_i64
//       CHECK:   llvm.load {{.*}} -> vector<4xi8>
//       CHECK:   llvm.inline_asm "notl $0", "=r,0" %{{.*}} : (i32) -> i32
//       CHECK:   vector.from_elements {{.*}} : vector<4xi8>
//   CHECK-NOT:   llvm.inline_asm
tile.kernel @narrow_elements(%p: !tile.ptr<i8>) {
  %r = tile.arange 0 to 8 : tensor<8xi32>
  %pp = tile.splat %p : tensor<8x!tile.ptr<i8>>
  %a = tile.addptr %pp, %r : tensor<8x!tile.ptr<i8>>, tensor<8xi32>
  %x = tile.load %a : tensor<8x!tile.ptr<i8>>
  %y = tile.inline_asm {cpu = {asm = "notl $0", constraints = "=r,0"},
                        "cpu:other" = {asm = "", constraints = "=r,0"}} pure pack 4 (%x) : (tensor<8xi8>) -> tensor<8xi8>
  tile.store %a, %y : tensor<8x!tile.ptr<i8>>
  tile.return
}

// -----

// CHECK-LABEL: llvm.func @scalars_and_two_results(
//       CHECK:   %[[R:.*]] = llvm.inline_asm has_side_effects "", "=r,=r,r" %{{.*}} : (i32) -> !llvm.struct<(i32, i64)>
//       CHECK:   llvm.extractvalue %[[R]][0]
//       CHECK:   llvm.extractvalue %[[R]][1]
tile.kernel @scalars_and_two_results(%p: !tile.ptr<i32>, %s: i32) {
  %a, %b = tile.inline_asm {cpu = {asm = "", constraints = "=r,=r,r"}} (%s) : (i32) -> (i32, i64)
  tile.store %p, %a : !tile.ptr<i32>
  tile.return
}

// -----

tile.kernel @negative_no_body(%p: !tile.ptr<f32>, %s: f32) {
  // expected-error @below {{`tile.inline_asm` has bodies for cuda, hip:gfx9 and none for cpu; give it one}}
  %a = tile.inline_asm {cuda = {asm = "", constraints = "=f,f"}, "hip:gfx9" = {asm = "", constraints = ""}} pure (%s) : (f32) -> f32
  tile.store %p, %a : !tile.ptr<f32>
  tile.return
}
