// RUN: tessera-opt %s -split-input-file "-convert-tile-to-layout=target=cuda:sm_90a" | FileCheck %s
// RUN: tessera-opt %s -split-input-file "-convert-tile-to-layout=target=cuda:sm_80" | FileCheck %s --check-prefix=WARPS

// A loop carries the accumulator as the unit has it, and operands come as they are loaded.
//   CHECK-DAG: #[[ACC:.*]] = #layout.tile<128x128, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32), (0, 64), (64, 0)], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>
// CHECK-LABEL: tile.kernel @matmul(
//       CHECK: scf.for {{.*}} -> (tensor<128x128xf32, #[[ACC]]>)
//   CHECK-NOT: layout.convert {{.*}}tensor<64x64x
//       CHECK: tile.dot {{.*}} -> tensor<128x128xf32, #[[ACC]]>
//   CHECK-NOT: layout.convert {{.*}}tensor<64x64x
//       CHECK: scf.yield
//
// Warps multiply by themselves on other chips.
//   WARPS-DAG: #[[ACC:.*]] = #layout.tile<128x128, register = [(0, 1), (8, 0), {{.*}}], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)],
// WARPS-LABEL: tile.kernel @matmul(
//       WARPS: tile.dot {{.*}} -> tensor<128x128xf32, #[[ACC]]>
tile.kernel @matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %out: !tile.ptr<f32>, %m: i64, %n: i64, %k: i64) {
  %c64 = arith.constant 64 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
  %va = tile.make_view %a, [%m, %k], [%k, %c1] : !tile.view<f16, 2>
  %vb = tile.make_view %b, [%k, %n], [%n, %c1] : !tile.view<f16, 2>
  %vo = tile.make_view %out, [%m, %n], [%n, %c1] : !tile.view<f32, 2>
  %sum = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i64 {
    %x = tile.view_load %va[%c0, %i] : !tile.view<f16, 2> -> tensor<128x64xf16>
    %y = tile.view_load %vb[%i, %c0] : !tile.view<f16, 2> -> tensor<64x128xf16>
    %d = tile.dot %x, %y, %acc : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.view_store %vo[%c0, %c0], %sum : !tile.view<f32, 2>, tensor<128x128xf32>
  tile.return
}

// -----

// What is computed of one product for the next one has the layout of the first: nothing moves between them.
//   CHECK-DAG: #[[ACC:.*]] = #layout.tile<64x64, register = [(0, 1), (8, 0), (0, 8), (0, 16), (0, 32)], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], warp = [(16, 0), (32, 0)]>
// CHECK-LABEL: tile.kernel @attention(
//       CHECK: scf.for {{.*}} -> (tensor<64x64xf32, #[[ACC]]>
//       CHECK: tile.dot {{.*}} -> tensor<64x64xf32, #[[ACC]]>
//   CHECK-NOT: layout.convert {{.*}}tensor<64x64x
//       CHECK: tile.convert_float {{.*}} -> tensor<64x64xf16, #[[ACC]]>
//   CHECK-NOT: layout.convert {{.*}}tensor<64x64x
//       CHECK: tile.dot %{{.*}} : tensor<64x64xf16, #[[ACC]]>, {{.*}} -> tensor<64x64xf32, #[[ACC]]>
//   CHECK-NOT: layout.convert {{.*}}tensor<64x64x
//       CHECK: scf.yield
tile.kernel @attention(%q: !tile.ptr<f16>, %k: !tile.ptr<f16>, %v: !tile.ptr<f16>, %out: !tile.ptr<f32>, %n: i64) {
  %c64 = arith.constant 64 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
  %least = arith.constant dense<0xFF800000> : tensor<64xf32>
  %vq = tile.make_view %q, [%n, %c64], [%c64, %c1] : !tile.view<f16, 2>
  %vk = tile.make_view %k, [%n, %c64], [%c64, %c1] : !tile.view<f16, 2>
  %vv = tile.make_view %v, [%n, %c64], [%c64, %c1] : !tile.view<f16, 2>
  %vo = tile.make_view %out, [%n, %c64], [%c64, %c1] : !tile.view<f32, 2>
  %x = tile.view_load %vq[%c0, %c0] : !tile.view<f16, 2> -> tensor<64x64xf16>
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero, %most = %least) -> (tensor<64x64xf32>, tensor<64xf32>) : i64 {
    %y = tile.view_load %vk[%i, %c0] : !tile.view<f16, 2> -> tensor<64x64xf16>
    %t = tile.trans %y [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %s = tile.dot %x, %t, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %top = tile.reduce %s axis 1 : tensor<64x64xf32> -> tensor<64xf32> by arith.maximumf
    %new = arith.maximumf %most, %top : tensor<64xf32>
    %column = tile.expand_dims %new axis 1 : tensor<64xf32> -> tensor<64x1xf32>
    %wide = tile.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
    %below = arith.subf %s, %wide : tensor<64x64xf32>
    %p = math.exp2 %below : tensor<64x64xf32>
    %half = tile.convert_float %p : tensor<64x64xf32> -> tensor<64x64xf16>
    %z = tile.view_load %vv[%i, %c0] : !tile.view<f16, 2> -> tensor<64x64xf16>
    %d = tile.dot %half, %z, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d, %new : tensor<64x64xf32>, tensor<64xf32>
  }
  %most = tile.expand_dims %r#1 axis 1 : tensor<64xf32> -> tensor<64x1xf32>
  %all = tile.broadcast %most : tensor<64x1xf32> -> tensor<64x64xf32>
  %o = arith.addf %r#0, %all : tensor<64x64xf32>
  tile.view_store %vo[%c0, %c0], %o : !tile.view<f32, 2>, tensor<64x64xf32>
  tile.return
}
