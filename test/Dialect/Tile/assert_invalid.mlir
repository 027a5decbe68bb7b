// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @assert_type(%c: i32) {
  // expected-error @below {{must be scalar or tile of 1-bit signless integer}}
  tile.assert %c, "" : i32
  tile.return
}

// -----

tile.kernel @assert_message(%c: i1) {
  // expected-error @below {{requires attribute 'message'}}
  "tile.assert"(%c) : (i1) -> ()
  tile.return
}
