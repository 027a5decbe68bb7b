// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @inline_asm_c1(%s: f32) {
  // expected-error @below {{expected a body for at least one target, got none}}
  tile.inline_asm {} (%s) : (f32) -> ()
  tile.return
}

// -----

tile.kernel @inline_asm_c1_string(%s: f32) {
  // expected-error @below {{expected the body for `cuda` to hold exactly the strings `asm` and `constraints`, got "nop"}}
  tile.inline_asm {cuda = "nop"} (%s) : (f32) -> ()
  tile.return
}

// -----

tile.kernel @inline_asm_c1_missing(%s: f32) {
  // expected-error @below {{expected the body for `cuda` to hold exactly the strings `asm` and `constraints`}}
  tile.inline_asm {cuda = {asm = "nop"}} (%s) : (f32) -> ()
  tile.return
}

// -----

tile.kernel @inline_asm_c1_more(%s: f32) {
  // expected-error @below {{expected the body for `cuda` to hold exactly the strings `asm` and `constraints`}}
  tile.inline_asm {cuda = {asm = "nop", constraints = "", volatile}} (%s) : (f32) -> ()
  tile.return
}

// -----

tile.kernel @inline_asm_c2(%s: f32) {
  // expected-error @below {{expected `pack` to be a power of two, got 3}}
  tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} pack 3 (%s) : (f32) -> ()
  tile.return
}

// -----

tile.kernel @inline_asm_c2_negative(%s: f32) {
  // expected-error @below {{expected `pack` to be a power of two, got -2147483648}}
  tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} pack -2147483648 (%s) : (f32) -> ()
  tile.return
}

// -----

tile.kernel @inline_asm_c3(%s: f32) {
  %x = tile.splat %s : tensor<4xf32>
  // expected-error @below {{expected operands and results of one shape, got [4] and []}}
  %r = tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} (%x) : (tensor<4xf32>) -> f32
  tile.return
}

// -----

tile.kernel @inline_asm_c4(%s: f32) {
  // expected-error @below {{expected results with `pure`, got none}}
  tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} pure (%s) : (f32) -> ()
  tile.return
}
