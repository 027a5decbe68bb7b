// RUN: tessera-opt %s -split-input-file -tile-version-full-blocks=may-require=true | FileCheck %s

// Every program cuts the row at the same place, and only arguments decide how wide accesses are: no test, one version.
// CHECK-LABEL: tile.kernel @rows(
//  CHECK-SAME:   !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %{{[^:]*}}: i64 {tile.multiple_of = 16 : i64}, %{{[^:]*}}: i64 {tile.multiple_of = 8 : i64})
//  CHECK-SAME:   layout.required_multiples = array<i64: 1, 1, 8>
//   CHECK-NOT:   scf.if
tile.kernel @rows(%x: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %stride: i64 {tile.multiple_of = 16 : i64}, %cols: i64) {
  %id = tile.program_id x
  %row = arith.muli %id, %stride : i64
  %start = tile.addptr %x, %row : !tile.ptr<f16>, i64
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %lane64 = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %ends = tile.splat %cols : tensor<1024xi64>
  %inside = arith.cmpi slt, %lane64, %ends : tensor<1024xi64>
  %starts = tile.splat %start : tensor<1024x!tile.ptr<f16>>
  %p = tile.addptr %starts, %lane64 : tensor<1024x!tile.ptr<f16>>, tensor<1024xi64>
  %v = tile.load %p mask %inside : tensor<1024x!tile.ptr<f16>>
  tile.store %p, %v mask %inside : tensor<1024x!tile.ptr<f16>>
  tile.return
}

// -----

// What a user knows of an argument is kept.
// CHECK-LABEL: tile.kernel @known(
//  CHECK-SAME:   i64 {tile.multiple_of = 24 : i64})
//  CHECK-SAME:   layout.required_multiples = array<i64: 1, 8>
tile.kernel @known(%x: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %cols: i64 {tile.multiple_of = 12 : i64}) {
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %lane64 = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %ends = tile.splat %cols : tensor<1024xi64>
  %inside = arith.cmpi slt, %lane64, %ends : tensor<1024xi64>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f16>>
  %p = tile.addptr %xs, %lane64 : tensor<1024x!tile.ptr<f16>>, tensor<1024xi64>
  %v = tile.load %p mask %inside : tensor<1024x!tile.ptr<f16>>
  tile.store %p, %v mask %inside : tensor<1024x!tile.ptr<f16>>
  tile.return
}

// -----

// Where a program stands decides: only the program can tell.
// CHECK-LABEL: tile.kernel @negative_interior(
//   CHECK-NOT:   layout.required_multiples
//       CHECK:   scf.if
tile.kernel @negative_interior(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %n: i64) {
  %c1024 = arith.constant 1024 : i64
  %id = tile.program_id x
  %first = arith.muli %id, %c1024 : i64
  %firsts = tile.splat %first : tensor<1024xi64>
  %lane = tile.arange 0 to 1024 : tensor<1024xi32>
  %lane64 = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %at = arith.addi %firsts, %lane64 : tensor<1024xi64>
  %ns = tile.splat %n : tensor<1024xi64>
  %inside = arith.cmpi slt, %at, %ns : tensor<1024xi64>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %p = tile.addptr %xs, %at : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
  %v = tile.load %p mask %inside : tensor<1024x!tile.ptr<f32>>
  tile.store %p, %v mask %inside : tensor<1024x!tile.ptr<f32>>
  tile.return
}
