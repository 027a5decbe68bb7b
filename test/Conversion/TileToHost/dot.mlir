// RUN: tessera-opt %s -split-input-file -tile-pipeline -convert-tile-to-host | FileCheck %s
// RUN: tessera-opt %s -split-input-file -tile-pipeline -convert-tile-to-host=fma=false | FileCheck %s --check-prefix=PLAIN

// A piece of 8 rows and 2 vectors stays in registers through all of k, two steps in a turn.
// CHECK-LABEL: llvm.func @f32(
//       CHECK:   scf.for {{.*}} step %c32_i64
//       CHECK:     scf.for {{.*}} step %c8_i64
//       CHECK:       %{{.*}}:16 = scf.for {{.*}} step %c2_i64
// CHECK-COUNT-32:      math.fma {{.*}} : vector<16xf32>
//   CHECK-NOT:         math.fma
//       CHECK:         scf.yield
// PLAIN-LABEL: llvm.func @f32(
//   PLAIN-NOT:   math.fma
//       PLAIN:   arith.mulf {{.*}} : vector<16xf32>
//       PLAIN:   arith.addf {{.*}} : vector<16xf32>
tile.kernel @f32(%a: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  %lane = tile.arange 0 to 4096 : tensor<4096xi32>
  %s = tile.splat %a : tensor<4096x!tile.ptr<f32>>
  %p = tile.addptr %s, %lane : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  %f = tile.load %p : tensor<4096x!tile.ptr<f32>>
  %x = tile.reshape %f : tensor<4096xf32> -> tensor<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tile.dot %x, %x, %zero : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %r = tile.reshape %d : tensor<64x64xf32> -> tensor<4096xf32>
  %so = tile.splat %out : tensor<4096x!tile.ptr<f32>>
  %po = tile.addptr %so, %lane : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
  tile.store %po, %r : tensor<4096x!tile.ptr<f32>>
  tile.return
}

// -----

// Pairs of i8 along k are multiplied as i16 and added: one instruction where there is one.
// CHECK-LABEL: llvm.func @i8(
//       CHECK:   scf.for {{.*}} iter_args
//       CHECK:     %[[WORDS:.*]] = llvm.load {{.*}} -> vector<16xi32>
//       CHECK:     %[[HALVES:.*]] = vector.bitcast {{.*}} : vector<16xi32> to vector<32xi16>
//       CHECK:     arith.extsi %[[HALVES]] : vector<32xi16> to vector<32xi32>
//       CHECK:     %[[PRODUCTS:.*]] = arith.muli {{.*}} : vector<32xi32>
//       CHECK:     vector.shuffle %[[PRODUCTS]], %[[PRODUCTS]] [0, 2, 4,
//       CHECK:     vector.shuffle %[[PRODUCTS]], %[[PRODUCTS]] [1, 3, 5,
tile.kernel @i8(%a: !tile.ptr<i8>, %out: !tile.ptr<i32>) {
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %s = tile.splat %a : tensor<1024x!tile.ptr<i8>>
  %p = tile.addptr %s, %lane : tensor<1024x!tile.ptr<i8>>, tensor<1024xi32>
  %f = tile.load %p : tensor<1024x!tile.ptr<i8>>
  %x = tile.reshape %f : tensor<1024xi8> -> tensor<32x32xi8>
  %zero = arith.constant dense<0> : tensor<32x32xi32>
  %d = tile.dot %x, %x, %zero : tensor<32x32xi8>, tensor<32x32xi8> -> tensor<32x32xi32>
  %r = tile.reshape %d : tensor<32x32xi32> -> tensor<1024xi32>
  %so = tile.splat %out : tensor<1024x!tile.ptr<i32>>
  %po = tile.addptr %so, %lane : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  tile.store %po, %r : tensor<1024x!tile.ptr<i32>>
  tile.return
}

// -----

// Extents below a vector and a block of rows: straight code.
// CHECK-LABEL: llvm.func @small(
// CHECK-COUNT-4: math.fma {{.*}} : vector<2xf32>
//   CHECK-NOT:   math.fma
tile.kernel @small(%a: !tile.ptr<f32>, %out: !tile.ptr<f32>) {
  %lane = tile.arange 0 to 4 : tensor<4xi32>
  %s = tile.splat %a : tensor<4x!tile.ptr<f32>>
  %p = tile.addptr %s, %lane : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  %f = tile.load %p : tensor<4x!tile.ptr<f32>>
  %x = tile.reshape %f : tensor<4xf32> -> tensor<2x2xf32>
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %d = tile.dot %x, %x, %zero : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %r = tile.reshape %d : tensor<2x2xf32> -> tensor<4xf32>
  %so = tile.splat %out : tensor<4x!tile.ptr<f32>>
  %po = tile.addptr %so, %lane : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  tile.store %po, %r : tensor<4x!tile.ptr<f32>>
  tile.return
}

// -----

// Operands multiply exactly whatever less is allowed, and the report says so.
// CHECK-LABEL: llvm.func @tf32(
//  CHECK-SAME:   host.dot_precision = "ieee"
tile.kernel @tf32(%out: !tile.ptr<f32>) {
  %x = arith.constant dense<0.5> : tensor<1x1xf32>
  %d = tile.dot %x, %x, %x precision tf32 : tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf32>
  %r = tile.reshape %d : tensor<1x1xf32> -> f32
  tile.store %out, %r : !tile.ptr<f32>
  tile.return
}
