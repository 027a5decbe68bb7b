// RUN: tessera-opt %s -split-input-file -tile-canonicalize -verify-diagnostics
// Folders would not end on ops that use their own results; where those are valid, nothing is folded.

tile.kernel @unreachable_block(%s: f32) {
  // expected-error @below {{`scf.execute_region` does not belong to the tile stage}}
  scf.execute_region {
    scf.yield
  ^unreachable:
    %a = tile.maxnum %a, %a : f32
    scf.yield
  }
  tile.return
}

// -----

tile.kernel @no_dominance(%s: f32) {
  // expected-error @below {{`builtin.module` does not belong to the tile stage}}
  builtin.module {
    %a = tile.maxnum %a, %a : f32
  }
  tile.return
}

// -----

// Outside a kernel nothing is canonicalised.
%a = tile.maxnum %a, %a : f32
