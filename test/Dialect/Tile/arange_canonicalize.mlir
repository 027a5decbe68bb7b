// RUN: tessera-opt %s -split-input-file -tile-canonicalize | FileCheck %s

// CHECK-LABEL: tile.kernel @one_element(
//       CHECK: arith.constant dense<5> : tensor<1xi32>
tile.kernel @one_element() {
  %a = tile.arange 5 to 6 : tensor<1xi32>
  tile.print "" %a : tensor<1xi32>
  tile.return
}

// -----

// A list of elements would only be longer.
// CHECK-LABEL: tile.kernel @negative_two_elements(
//       CHECK: tile.arange 5 to 7
tile.kernel @negative_two_elements() {
  %a = tile.arange 5 to 7 : tensor<2xi32>
  tile.print "" %a : tensor<2xi32>
  tile.return
}
