// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @program_id_axis() {
  // expected-error @below {{to be one of: x, y, z}}
  %a = tile.program_id w
  // expected-error @below {{failed to parse Tile_AxisAttr parameter}}
  tile.return
}

// -----

tile.kernel @program_id_type() {
  // expected-error @below {{result #0 must be 64-bit signless integer, but got 'i32'}}
  %a = "tile.program_id"() <{axis = #tile<axis x>}> : () -> i32
  tile.return
}

// -----

tile.kernel @num_programs_no_axis() {
  // expected-error @below {{requires attribute 'axis'}}
  %a = "tile.num_programs"() : () -> i64
  tile.return
}
