// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @warp_roles_c1() {
  // expected-error @below {{expected at least one role, and at least one warp for each of 1, got [1, 1]}}
  layout.warp_roles warps [1, 1] {
  } roles {
  }
  tile.return
}

// -----

tile.kernel @warp_roles_c1_none() {
  // expected-error @below {{expected at least one role, and at least one warp for each of 1, got [0]}}
  layout.warp_roles warps [0] {
  } roles {
  }
  tile.return
}

// -----

tile.kernel @warp_roles_c2() {
  // expected-error @below {{expected `registers` to hold 2 multiples of 8 from 24 to 256, got [232]}}
  layout.warp_roles warps [1] registers [232] {
  } roles {
  }
  tile.return
}

// -----

tile.kernel @warp_roles_c2_multiple() {
  // expected-error @below {{expected `registers` to hold 2 multiples of 8 from 24 to 256, got [232, 42]}}
  layout.warp_roles warps [1] registers [232, 42] {
  } roles {
  }
  tile.return
}

// -----

#a = #layout.tile<4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]>
#s = #layout.shared<4x8>
tile.kernel @warp_roles_c3(%x: f16) {
  %t = tile.splat %x : tensor<4x8xf16, #a>
  %b = layout.shared_alloc : !layout.buffer<4x8xf16, #s>
  // expected-error @below {{expected roles to use no tile from outside, got 'tensor<4x8xf16}}
  layout.warp_roles warps [1] {
  } roles {
    layout.shared_store %b, %t : !layout.buffer<4x8xf16, #s>, tensor<4x8xf16, #a>
  }
  tile.return
}

// -----

tile.kernel @warp_roles_c4(%c: i1) {
  scf.if %c {
    // expected-error @below {{expects parent op 'tile.kernel'}}
    layout.warp_roles warps [1] {
    } roles {
    }
  }
  tile.return
}

// -----

tile.kernel @role_end_c1(%c: i1) {
  scf.if %c {
    // expected-error @below {{expects parent op 'layout.warp_roles'}}
    layout.role_end
  }
  tile.return
}

// -----

tile.kernel @named_barrier_sync_c1(%i: i32) {
  // expected-error @below {{expected `threads` to be 1 to 1024, got 0}}
  layout.named_barrier_sync %i threads 0
  tile.return
}

// -----

tile.kernel @named_barrier_arrive_c1(%i: i32) {
  // expected-error @below {{expected `threads` to be 1 to 1024, got 1025}}
  layout.named_barrier_arrive %i threads 1025
  tile.return
}
