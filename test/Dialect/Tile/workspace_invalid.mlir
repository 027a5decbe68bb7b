// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @workspace_c1(%c: i1, %n: i64) {
  scf.if %c {
    // expected-error @below {{expected to stand in the body of a kernel, not in a loop or branch}}
    %a = tile.workspace %n : !tile.ptr<f32>
  }
  tile.return
}

// -----

tile.kernel @workspace_count(%n: i32) {
  // expected-error @below {{operand #0 must be 64-bit signless integer, but got 'i32'}}
  %a = "tile.workspace"(%n) : (i32) -> !tile.ptr<f32>
  tile.return
}
