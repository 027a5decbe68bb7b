// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @arange_c1() {
  // expected-error @below {{expected the result to have shape [end - start], got [16] for 0 to 8}}
  %a = tile.arange 0 to 8 : tensor<16xi32>
  tile.return
}

// -----

tile.kernel @arange_c1_rank() {
  // expected-error @below {{expected the result to have shape [end - start], got [8, 1] for 0 to 8}}
  %a = tile.arange 0 to 8 : tensor<8x1xi32>
  tile.return
}

// -----

tile.kernel @arange_c1_overflow() {
  // expected-error @below {{expected the result to have shape [end - start], got [1] for -2147483648 to 2147483647}}
  %a = tile.arange -2147483648 to 2147483647 : tensor<1xi32>
  tile.return
}

// -----

tile.kernel @arange_element() {
  // expected-error @below {{must be tile of 32-bit signless integer}}
  %a = tile.arange 0 to 8 : tensor<8xi64>
  tile.return
}
