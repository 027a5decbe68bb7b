// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected parameter 0 to be an integer, float or pointer of the tile dialect, got 'tensor<4xf32>'}}
tile.kernel @kernel_c1(%x: tensor<4xf32>) { tile.return }

// -----

// expected-error @below {{expected no results, got 1}}
"tile.kernel"() <{function_type = () -> i32, sym_name = "kernel_c2"}> ({
  tile.return
}) : () -> ()

// -----

// expected-error @below {{expected `tile.multiple_of` of parameter 0 to be an i64 of at least 1, got 0 : i64}}
tile.kernel @kernel_c3(%n: i64 {tile.multiple_of = 0 : i64}) { tile.return }

// -----

// expected-error @below {{expected `tile.multiple_of` of parameter 0 to be an i64 of at least 1, got 16 : i32}}
tile.kernel @kernel_c3_width(%n: i64 {tile.multiple_of = 16 : i32}) { tile.return }

// -----

// expected-error @below {{expected `tile.multiple_of` on an integer or pointer, got parameter 0 of type 'f32'}}
tile.kernel @kernel_c3_type(%n: f32 {tile.multiple_of = 16 : i64}) { tile.return }

// -----

// expected-error @below {{expected `tile.may_alias` on a pointer, got parameter 0 of type 'i64'}}
tile.kernel @kernel_c4(%n: i64 {tile.may_alias}) { tile.return }

// -----

// expected-error @below {{expected `tile.zeroed` of parameter 0 to have no value, got 1 : i64}}
tile.kernel @kernel_c4_value(%p: !tile.ptr<f32> {tile.zeroed = 1}) { tile.return }

// -----

// expected-error @below {{has the attribute `tile.restrict`, which the tile dialect does not put on parameters}}
tile.kernel @kernel_c5(%p: !tile.ptr<f32> {tile.restrict}) { tile.return }

// -----

tile.kernel @kernel_c6() {
  // expected-error @below {{expects parent op 'builtin.module'}}
  tile.kernel @inner() { tile.return }
  tile.return
}

// -----

// expected-error @below {{type of entry block argument #0('i64') must match the type of the corresponding argument in function signature('i32')}}
"tile.kernel"() <{function_type = (i32) -> (), sym_name = "kernel_c7"}> ({
^bb0(%x: i64):
  tile.return
}) : () -> ()

// -----

// expected-error @below {{expected the body to end in `tile.return`}}
tile.kernel @kernel_c7_end() {
  tile.yield
}

// -----

// expected-error @below {{expects region #0 to have 0 or 1 blocks}}
tile.kernel @kernel_c7_two_blocks() {
  tile.return
^bb1:
  tile.return
}

// -----

// expected-error @below {{failed to verify constraint: region with 1 blocks}}
tile.kernel @kernel_c7_no_body()

// -----

// expected-error @below {{requires attribute 'function_type'}}
"tile.kernel"() <{sym_name = "kernel_no_type"}> ({
  tile.return
}) : () -> ()

// -----

tile.kernel @return_c1(%c: i1) {
  scf.if %c {
    // expected-error @below {{expects parent op 'tile.kernel'}}
    tile.return
  }
  tile.return
}
