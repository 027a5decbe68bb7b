// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// SEMANTICS R3

tile.kernel @reduce_c1(%s: f32) {
  // expected-error @below {{expected at least one input, got none}}
  "tile.reduce"() <{axis = 0 : i32}> ({
    tile.yield
  }) : () -> ()
  tile.return
}

// -----

tile.kernel @reduce_c1_shapes(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  %y = tile.splat %s : tensor<32xf32>
  // expected-error @below {{expected all inputs to have shape [64], got [32] for input 1}}
  %a, %b = tile.reduce %x, %y axis 0 : tensor<64xf32>, tensor<32xf32> -> f32, f32 by (%l: f32, %m: f32, %r: f32, %n: f32) {
    tile.yield %l, %m : f32, f32
  }
  tile.return
}

// -----

tile.kernel @reduce_c2(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected `axis` to be 0 to 0, got 1}}
  %a = tile.reduce %x axis 1 : tensor<64xf32> -> f32 by arith.addf
  tile.return
}

// -----

tile.kernel @reduce_c3(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected result 0 to be 'f32', got 'tensor<64xf32>'}}
  %a = tile.reduce %x axis 0 : tensor<64xf32> -> tensor<64xf32> by arith.addf
  tile.return
}

// -----

tile.kernel @reduce_c3_element(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected result 0 to be 'f32', got 'f64'}}
  %a = tile.reduce %x axis 0 : tensor<64xf32> -> f64 by arith.addf
  tile.return
}

// -----

tile.kernel @reduce_c3_count(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected one result for each of 1 inputs, got 2}}
  %a, %b = tile.reduce %x axis 0 : tensor<64xf32> -> f32, f32 by arith.addf
  tile.return
}

// -----

tile.kernel @reduce_c4(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected the combine region to take ('f32', 'f32'), got ('f32', 'f64')}}
  %a = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by (%l: f32, %r: f64) {
    tile.yield %l : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_c4_order(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected the combine region to take ('f32', 'i32', 'f32', 'i32'), got ('f32', 'f32', 'i32', 'i32')}}
  %v, %j = tile.reduce %x, %i axis 0 : tensor<64xf32>, tensor<64xi32> -> f32, i32 by (%a: f32, %b: f32, %c: i32, %d: i32) {
    tile.yield %a, %c : f32, i32
  }
  tile.return
}

// -----

tile.kernel @reduce_c4_none(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected the combine region to take ('f32', 'f32'), got ()}}
  %a = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by () {
    tile.yield %s : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_c5(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected the combine region to yield ('f32'), got ()}}
  %a = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by (%l: f32, %r: f32) {
    tile.yield
  }
  tile.return
}

// -----

tile.kernel @reduce_c5_type(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected the combine region to yield ('f32'), got ('i1')}}
  %a = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by (%l: f32, %r: f32) {
    %c = arith.cmpf oge, %l, %r : f32
    tile.yield %c : i1
  }
  tile.return
}

// -----

tile.kernel @reduce_c6(%s: f32, %p: !tile.ptr<f32>) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  %a = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by (%l: f32, %r: f32) {
    // expected-error @below {{touches memory or may have other effects, which the combine region of `tile.reduce` must not}}
    %t = tile.load %p : !tile.ptr<f32>
    tile.yield %t : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_c6_print(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  %a = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by (%l: f32, %r: f32) {
    // expected-error @below {{touches memory or may have other effects}}
    tile.print "" %l : f32
    tile.yield %l : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_c6_tile(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  %a = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by (%l: f32, %r: f32) {
    // expected-error @below {{uses a value of type 'tensor<64xf32>' from outside the combine region of `tile.reduce`; only scalars may come from outside}}
    %t = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by arith.addf
    tile.yield %t : f32
  }
  tile.return
}

// -----

tile.kernel @reduce_name(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected the name of a combining op or a region, got `arith.subf`}}
  %a = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by arith.subf
  tile.return
}

// -----

tile.kernel @reduce_name_inputs(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{expected a region, since an op's name combines one input, got 2 inputs}}
  %a, %b = tile.reduce %x, %x axis 0 : tensor<64xf32>, tensor<64xf32> -> f32, f32 by arith.addf
  tile.return
}

// -----

tile.kernel @reduce_name_type(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %a = tile.reduce %x axis 0 : tensor<64xf32> -> f32 by arith.addi
  tile.return
}

// -----

tile.kernel @reduce_no_region(%s: f32) {
  %x = tile.splat %s : tensor<64xf32>
  %i = tile.arange 0 to 64 : tensor<64xi32>
  // expected-error @below {{region #0 ('combine') failed to verify constraint: region with 1 blocks}}
  %a = "tile.reduce"(%x) <{axis = 0 : i32}> ({}) : (tensor<64xf32>) -> f32
  tile.return
}

// -----

tile.kernel @yield_c1() {
  scf.execute_region {
    // expected-error @below {{expects parent op to be one of 'tile.reduce, tile.scan'}}
    tile.yield
  }
  tile.return
}
