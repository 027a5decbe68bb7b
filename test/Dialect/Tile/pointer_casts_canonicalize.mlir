// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @int_of_int(
//       CHECK: tile.print "" %arg0
tile.kernel @int_of_int(%n: i64) {
  %p = tile.int_to_ptr %n : !tile.ptr<f32>
  %a = tile.ptr_to_int %p : !tile.ptr<f32>
  tile.print "" %a : i64
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @pointer_of_pointer(
//       CHECK: tile.print "" %arg0
tile.kernel @pointer_of_pointer(%p: !tile.ptr<f32>) {
  %a = tile.ptr_to_int %p : !tile.ptr<f32>
  %q = tile.int_to_ptr %a : !tile.ptr<f32>
  tile.print "" %q : !tile.ptr<f32>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @negative_other_pointee(
//       CHECK: tile.int_to_ptr
tile.kernel @negative_other_pointee(%p: !tile.ptr<f32>) {
  %a = tile.ptr_to_int %p : !tile.ptr<f32>
  %q = tile.int_to_ptr %a : !tile.ptr<i8>
  tile.print "" %q : !tile.ptr<i8>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @cast_twice(
//       CHECK: tile.ptr_cast %arg0 : !tile.ptr<f32> -> !tile.ptr<f16>
// CHECK-NOT: tile.ptr_cast
tile.kernel @cast_twice(%p: !tile.ptr<f32>) {
  %a = tile.ptr_cast %p : !tile.ptr<f32> -> !tile.ptr<i8>
  %b = tile.ptr_cast %a : !tile.ptr<i8> -> !tile.ptr<f16>
  tile.print "" %b : !tile.ptr<f16>
  tile.return
}

// -----

// CHECK-LABEL: tile.kernel @cast_back(
//       CHECK: tile.print "" %arg0
tile.kernel @cast_back(%p: !tile.ptr<f32>) {
  %a = tile.ptr_cast %p : !tile.ptr<f32> -> !tile.ptr<i8>
  %b = tile.ptr_cast %a : !tile.ptr<i8> -> !tile.ptr<f32>
  tile.print "" %b : !tile.ptr<f32>
  tile.return
}
