// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @hint_c1(%n: f32) {
  // expected-error @below {{must be scalar or tile of integer or pointer}}
  %a = tile.hint %n multiple_of [16] : f32
  tile.return
}

// -----

tile.kernel @hint_c2(%n: i64) {
  // expected-error @below {{expected `multiple_of` to have 1 entries, got 2}}
  %a = tile.hint %n multiple_of [16, 1] : i64
  tile.return
}

// -----

tile.kernel @hint_c2_axes(%n: i64) {
  %x = tile.splat %n : tensor<8x64xi64>
  // expected-error @below {{expected `max_contiguous` to have 2 entries, got 1}}
  %a = tile.hint %x max_contiguous [1] : tensor<8x64xi64>
  tile.return
}

// -----

tile.kernel @hint_c3(%n: i64) {
  // expected-error @below {{expected entries of `multiple_of` to be at least 1, got 0}}
  %a = tile.hint %n multiple_of [0] : i64
  tile.return
}

// -----

tile.kernel @hint_c3_negative(%n: i64) {
  // expected-error @below {{expected entries of `max_contiguous` to be at least 1, got -4}}
  %a = tile.hint %n max_contiguous [-4] : i64
  tile.return
}

// -----

tile.kernel @hint_c4(%n: i64) {
  // expected-error @below {{expected `multiple_of` or `max_contiguous`, got neither}}
  %a = tile.hint %n : i64
  tile.return
}

// -----

tile.kernel @assume_type(%n: i32) {
  // expected-error @below {{operand #0 must be 1-bit signless integer}}
  "tile.assume"(%n) : (i32) -> ()
  tile.return
}
