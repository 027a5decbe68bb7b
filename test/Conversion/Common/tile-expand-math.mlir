// RUN: tessera-opt %s -split-input-file -tile-expand-math -tile-verify-stage | FileCheck %s

// CHECK-LABEL: tile.kernel @tile_of_f32(
//  CHECK-SAME:   %[[X:[^:]*]]: !tile.ptr<f32>
//   CHECK-NOT:   math.exp
//       CHECK:   math.roundeven {{.*}} : tensor<64xf32>
//       CHECK:   math.fma {{.*}} : tensor<64xf32>
//       CHECK:   tile.float_to_int {{.*}} : tensor<64xf32> -> tensor<64xi32>
//   CHECK-NOT:   math.exp
//       CHECK:   tile.store
tile.kernel @tile_of_f32(%x: !tile.ptr<f32>) {
  %a = tile.load %x : !tile.ptr<f32>
  %t = tile.splat %a : tensor<64xf32>
  %y = math.exp %t : tensor<64xf32>
  %s = tile.reduce %y axis 0 : tensor<64xf32> -> f32 by arith.addf
  tile.store %x, %s : !tile.ptr<f32>
  tile.return
}

// -----

// A narrow float is computed in f32.
// CHECK-LABEL: tile.kernel @scalar_of_bf16(
//       CHECK:   %[[WIDE:.*]] = tile.convert_float %{{.*}} : bf16 -> f32
//       CHECK:   math.fma {{.*}} : f32
//       CHECK:   tile.convert_float %{{.*}} : f32 -> bf16
tile.kernel @scalar_of_bf16(%x: bf16, %out: !tile.ptr<bf16>) {
  %y = math.log %x : bf16
  tile.store %out, %y : !tile.ptr<bf16>
  tile.return
}

// -----

// Square roots and roundings are instructions.
// CHECK-LABEL: tile.kernel @negative_exact(
//       CHECK:   math.sqrt
//  CHECK-NEXT:   math.floor
//  CHECK-NEXT:   tile.store
tile.kernel @negative_exact(%x: f32, %out: !tile.ptr<f32>) {
  %y = math.sqrt %x : f32
  %z = math.floor %y : f32
  tile.store %out, %z : !tile.ptr<f32>
  tile.return
}

// -----

// SEMANTICS asks for no such function in f64.
// CHECK-LABEL: tile.kernel @negative_f64(
//       CHECK:   math.erf
//   CHECK-NOT:   math.exp
tile.kernel @negative_f64(%x: f64, %out: !tile.ptr<f64>) {
  %y = math.erf %x : f64
  %z = math.exp %y : f64
  tile.store %out, %z : !tile.ptr<f64>
  tile.return
}
