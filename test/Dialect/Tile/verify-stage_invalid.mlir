// RUN: tessera-opt %s -split-input-file -tile-verify-stage -verify-diagnostics

// expected-error @below {{expected exactly one `tile.kernel` in the module, got 0}}
module @stage_c1 {
}

// -----

// expected-error @below {{expected exactly one `tile.kernel` in the module, got 2}}
module @stage_c1_two {
  tile.kernel @a() { tile.return }
  tile.kernel @b() { tile.return }
}

// -----

tile.kernel @stage_c1_beside() { tile.return }
// expected-error @below {{`arith.constant` stands beside the kernel, where nothing may at the tile stage}}
%c = arith.constant 1 : i64

// -----

tile.kernel @stage_c2(%a: i64) {
  // expected-error @below {{`arith.divsi` does not belong to the tile stage; use `tile.idiv`}}
  %b = arith.divsi %a, %a : i64
  tile.return
}

// -----

tile.kernel @stage_c2_shift(%a: i64) {
  // expected-error @below {{`arith.shrui` does not belong to the tile stage; use `tile.shr`}}
  %b = arith.shrui %a, %a : i64
  tile.return
}

// -----

tile.kernel @stage_c2_convert(%a: f32) {
  // expected-error @below {{`arith.truncf` does not belong to the tile stage; use `tile.convert_float`}}
  %b = arith.truncf %a : f32 to f16
  tile.return
}

// -----

tile.kernel @stage_c2_nested(%a: f32, %c: i1) {
  scf.if %c {
    // expected-error @below {{`math.acos` does not belong to the tile stage}}
    %b = math.acos %a : f32
  }
  tile.return
}

// -----

tile.kernel @stage_c2_in_combine(%a: f32) {
  %x = tile.splat %a : tensor<4xf32>
  %r = tile.reduce %x axis 0 : tensor<4xf32> -> f32 by (%l: f32, %h: f32) {
    // expected-error @below {{`arith.maxnumf` does not belong to the tile stage; use `tile.maxnum`}}
    %m = arith.maxnumf %l, %h : f32
    tile.yield %m : f32
  }
  tile.return
}

// -----

tile.kernel @stage_c3(%a: i64) {
  // expected-error @below {{`arith.addi` carries #arith.overflow<nsw>, but integers wrap}}
  %b = arith.addi %a, %a overflow<nsw> : i64
  tile.return
}

// -----

tile.kernel @stage_c3_fastmath(%a: f32) {
  // expected-error @below {{`arith.addf` carries #arith.fastmath<nnan,contract>; only afn, arcp and contract are defined}}
  %b = arith.addf %a, %a fastmath<nnan, contract> : f32
  tile.return
}

// -----

tile.kernel @stage_c4() {
  // expected-error @below {{`arith.constant` has a value of type 'tensor<3xf32>', which is no scalar, tile or view}}
  %b = arith.constant dense<1.0> : tensor<3xf32>
  tile.return
}

// -----

tile.kernel @stage_c4_index() {
  // expected-error @below {{`arith.constant` has a value of type 'index', which is no scalar, tile or view}}
  %b = arith.constant 1 : index
  tile.return
}

// -----

tile.kernel @stage_c4_vector() {
  // expected-error @below {{`arith.constant` has a value of type 'vector<4xi32>', which is no scalar, tile or view}}
  %b = arith.constant dense<1> : vector<4xi32>
  tile.return
}

// -----

tile.kernel @stage_c5() {
  // expected-error @below {{`arith.constant` has a value with the layout "blocked"; layouts come after the tile stage}}
  %b = arith.constant dense<1.0> : tensor<4xf32, "blocked">
  tile.return
}

// -----

tile.kernel @stage_c6(%a: f8E5M2) {
  // expected-error @below {{`arith.addf` computes on 'f8E5M2', which is only moved and converted}}
  %b = arith.addf %a, %a : f8E5M2
  tile.return
}

// -----

tile.kernel @stage_c6_compare(%a: f8E5M2) {
  // expected-error @below {{`arith.cmpf` computes on 'f8E5M2', which is only moved and converted}}
  %b = arith.cmpf oeq, %a, %a : f8E5M2
  tile.return
}

// -----

tile.kernel @stage_c7(%n: i32) {
  // expected-error @below {{`scf.for` counts in 'i32', but loops count in i64}}
  scf.for %i = %n to %n step %n : i32 {
  }
  tile.return
}

// -----

tile.kernel @stage_c8() {
  // expected-error @below {{`arith.constant` does not hold its elements}}
  %b = arith.constant dense_resource<blob> : tensor<4xf32>
  tile.return
}
