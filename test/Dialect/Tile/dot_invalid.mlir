// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// SEMANTICS D1, D1a, D2

tile.kernel @dot_c1(%s: f32, %t: f32, %u: f32) {
  %a = tile.splat %s : tensor<4x8xf32>
  %b = tile.splat %t : tensor<4x8xf32>
  %c = tile.splat %u : tensor<4x8xf32>
  // expected-error @below {{expected columns of `a` to equal rows of `b`, got 8 and 4}}
  %d = tile.dot %a, %b, %c : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  tile.return
}

// -----

tile.kernel @dot_c2(%s: f32, %t: f32, %u: f32) {
  %a = tile.splat %s : tensor<4x8xf32>
  %b = tile.splat %t : tensor<8x2xf32>
  %c = tile.splat %u : tensor<2x4xf32>
  // expected-error @below {{expected `acc` to have 4 rows and 2 columns, got 2 and 4}}
  %d = tile.dot %a, %b, %c : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<2x4xf32>
  tile.return
}

// -----

tile.kernel @dot_c3(%s: f32, %t: f32, %u: f32) {
  %a = tile.splat %s : tensor<4xf32>
  %b = tile.splat %t : tensor<4xf32>
  %c = tile.splat %u : tensor<4xf32>
  // expected-error @below {{expected `a`, `b` and `acc` to have rank 2 or all to have rank 3, got ranks 1, 1 and 1}}
  %d = tile.dot %a, %b, %c : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  tile.return
}

// -----

tile.kernel @dot_c3_ranks(%s: f32, %t: f32, %u: f32) {
  %a = tile.splat %s : tensor<4x4xf32>
  %b = tile.splat %t : tensor<2x4x4xf32>
  %c = tile.splat %u : tensor<4x4xf32>
  // expected-error @below {{expected `a`, `b` and `acc` to have rank 2 or all to have rank 3, got ranks 2, 3 and 2}}
  %d = tile.dot %a, %b, %c : tensor<4x4xf32>, tensor<2x4x4xf32> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.kernel @dot_c3_batch(%s: f32, %t: f32, %u: f32) {
  %a = tile.splat %s : tensor<2x4x4xf32>
  %b = tile.splat %t : tensor<4x4x4xf32>
  %c = tile.splat %u : tensor<2x4x4xf32>
  // expected-error @below {{expected `a`, `b` and `acc` to have one first extent, got 2, 4 and 2}}
  %d = tile.dot %a, %b, %c : tensor<2x4x4xf32>, tensor<4x4x4xf32> -> tensor<2x4x4xf32>
  tile.return
}

// -----

tile.kernel @dot_c4(%s: f16, %t: bf16, %u: f32) {
  %a = tile.splat %s : tensor<4x4xf16>
  %b = tile.splat %t : tensor<4x4xbf16>
  %c = tile.splat %u : tensor<4x4xf32>
  // expected-error @below {{expected `a` and `b` to have one element type or to be fp8 of one family, got 'f16' and 'bf16'}}
  %d = tile.dot %a, %b, %c : tensor<4x4xf16>, tensor<4x4xbf16> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.kernel @dot_c4_families(%s: f8E4M3FN, %t: f8E5M2FNUZ, %u: f32) {
  %a = tile.splat %s : tensor<4x4xf8E4M3FN>
  %b = tile.splat %t : tensor<4x4xf8E5M2FNUZ>
  %c = tile.splat %u : tensor<4x4xf32>
  // expected-error @below {{have one element type or to be fp8 of one family, got 'f8E4M3FN' and 'f8E5M2FNUZ'}}
  %d = tile.dot %a, %b, %c : tensor<4x4xf8E4M3FN>, tensor<4x4xf8E5M2FNUZ> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.kernel @dot_c5(%s: f16, %t: f16, %u: f16) {
  %a = tile.splat %s : tensor<4x4xf16>
  %b = tile.splat %t : tensor<4x4xf16>
  %c = tile.splat %u : tensor<4x4xf16>
  // expected-error @below {{expected products of 'f16' to accumulate in 'f32', got 'f16'}}
  %d = tile.dot %a, %b, %c : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf16>
  tile.return
}

// -----

tile.kernel @dot_c5_int(%s: i32, %t: i32, %u: i32) {
  %a = tile.splat %s : tensor<4x4xi32>
  %b = tile.splat %t : tensor<4x4xi32>
  %c = tile.splat %u : tensor<4x4xi32>
  // expected-error @below {{expected elements of i8 or float, got 'i32'}}
  %d = tile.dot %a, %b, %c : tensor<4x4xi32>, tensor<4x4xi32> -> tensor<4x4xi32>
  tile.return
}

// -----

tile.kernel @dot_c6(%s: f16, %t: f16, %u: f32) {
  %a = tile.splat %s : tensor<4x4xf16>
  %b = tile.splat %t : tensor<4x4xf16>
  %c = tile.splat %u : tensor<4x4xf32>
  // expected-error @below {{expected precision `tf32` only with f32 operands, got 'f16'}}
  %d = tile.dot %a, %b, %c precision tf32 : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.kernel @dot_c7(%s: f8E5M2, %t: f8E5M2, %u: f32) {
  %a = tile.splat %s : tensor<4x4xf8E5M2>
  %b = tile.splat %t : tensor<4x4xf8E5M2>
  %c = tile.splat %u : tensor<4x4xf32>
  // expected-error @below {{expected `max_imprecise_k` to be at least 1, got 0}}
  %d = tile.dot %a, %b, %c max_imprecise_k 0 : tensor<4x4xf8E5M2>, tensor<4x4xf8E5M2> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.kernel @dot_c7_type(%s: f16, %t: f16, %u: f32) {
  %a = tile.splat %s : tensor<4x4xf16>
  %b = tile.splat %t : tensor<4x4xf16>
  %c = tile.splat %u : tensor<4x4xf32>
  // expected-error @below {{expected `max_imprecise_k` only with fp8 operands, got 'f16'}}
  %d = tile.dot %a, %b, %c max_imprecise_k 32 : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf32>
  tile.return
}

// -----

tile.kernel @dot_c8(%s: f32) {
  %a = tile.splat %s : tensor<4x4xf32>
  // expected-error @below {{failed to verify that all of {acc, result} have same type}}
  %d = "tile.dot"(%a, %a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf64>
  tile.return
}
