// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{the extents of a tile are powers of two, got 3 on axis 0}}
tile.kernel @tile_layout_c1(%s: f32) attributes {a = #layout.tile<3>} { tile.return }

// -----

// expected-error @below {{a tile holds at most 1048576 elements}}
tile.kernel @tile_layout_c1_count(%s: f32) attributes {a = #layout.tile<1048576x1048576>} { tile.return }

// -----

// expected-error @below {{a tile has rank 1 to 5, got rank 6}}
tile.kernel @tile_layout_c1_rank(%s: f32) attributes {a = #layout.tile<1x1x1x1x1x1>} { tile.return }

// -----

// expected-error @below {{expected a coordinate below 4 on axis 1, got 4}}
tile.kernel @tile_layout_c2(%s: f32) attributes {a = #layout.tile<2x4, lane = [(0, 4)]>} { tile.return }

// -----

// expected-error @below {{expected a coordinate below 2 on axis 0, got -1}}
tile.kernel @tile_layout_c2_negative(%s: f32) attributes {a = #layout.tile<2x4, lane = [(-1, 0)]>} { tile.return }

// -----

// expected-error @below {{expected 2 coordinates, got 1}}
tile.kernel @tile_layout_coordinates(%s: f32) attributes {a = #layout.tile<2x4, lane = [(1)]>} { tile.return }

// -----

// expected-error @below {{expected columns that span all 8 elements, got 4}}
tile.kernel @tile_layout_c3(%s: f32) attributes {a = #layout.tile<2x4, register = [(0, 1)], lane = [(1, 2), (1, 3)]>} { tile.return }

// -----

// expected-error @below {{expected at most 6 bits of `lane`, got 7}}
tile.kernel @tile_layout_c4(%s: f32) attributes {a = #layout.tile<1, lane = [(0), (0), (0), (0), (0), (0), (0)]>} { tile.return }

// -----

// expected-error @below {{expected the layout of a tile of shape [8], got #layout.tile<4, lane = [(1), (2)]>}}
tile.kernel @tile_layout_c5(%x: tensor<8xf32, #layout.tile<4, lane = [(1), (2)]>>) { tile.return }

// -----

// expected-error @below {{expected `register`, `lane`, `warp` or `block`, got `thread`}}
tile.kernel @tile_layout_word(%s: f32) attributes {a = #layout.tile<2, thread = [(1)]>} { tile.return }

// -----

// expected-error @below {{`lane` is given twice}}
tile.kernel @tile_layout_twice(%s: f32) attributes {a = #layout.tile<2, lane = [(1)], lane = [(1)]>} { tile.return }

// -----

// expected-error @below {{expected `layout.num_warps` to be an i64 that is a power of two, got 3 : i64}}
tile.kernel @num_warps() attributes {layout.num_warps = 3} { tile.return }

// -----

// expected-error @below {{expected `layout.num_warps` to be an i64 that is a power of two, got 4 : i32}}
tile.kernel @num_warps_type() attributes {layout.num_warps = 4 : i32} { tile.return }

// -----

// expected-error @below {{expected `layout.warp_size` to be at most 64, got 128}}
tile.kernel @warp_size() attributes {layout.warp_size = 128} { tile.return }

// -----

// expected-error @below {{expected `layout.programs_per_block` to be an i64 that is at least 1, got 0 : i64}}
tile.kernel @programs_per_block() attributes {layout.programs_per_block = 0} { tile.return }

// -----

// expected-error @below {{expected `layout.shared_bytes` to be an i64 that is not negative, got -1 : i64}}
tile.kernel @shared_bytes() attributes {layout.shared_bytes = -1} { tile.return }

// -----

// expected-error @below {{has the attribute `layout.warps`, which the layout dialect does not put on ops}}
tile.kernel @unknown() attributes {layout.warps = 1} { tile.return }

// -----

tile.kernel @elsewhere() {
  // expected-error @below {{has the attribute `layout.num_warps`, which stands only on `tile.kernel`}}
  tile.return {layout.num_warps = 1}
}

// -----

tile.kernel @vector(%p: !tile.ptr<f32>) {
  // expected-error @below {{expected `layout.vector` to be an i64 that is a power of two, got 3 : i64}}
  %x = tile.load %p {layout.vector = 3} : !tile.ptr<f32>
  tile.return
}

// -----

tile.kernel @vector_elsewhere() {
  // expected-error @below {{has the attribute `layout.vector`, which stands only on loads, stores and copies}}
  tile.return {layout.vector = 4}
}

// -----

tile.kernel @in_bounds(%p: !tile.ptr<f32>) {
  // expected-error @below {{expected `layout.in_bounds` to be a unit on an access of a view}}
  %x = tile.load %p {layout.in_bounds} : !tile.ptr<f32>
  tile.return
}

// -----

// expected-error @below {{expected `layout.required_multiples` to be an array of powers of two, 2 of i64, got array<i64: 8>}}
tile.kernel @required_multiples_count(%x: i64, %n: i64) attributes {layout.required_multiples = array<i64: 8>} { tile.return }

// -----

// expected-error @below {{expected `layout.required_multiples` to be an array of powers of two, 1 of i64, got array<i64: 12>}}
tile.kernel @required_multiples_power(%n: i64) attributes {layout.required_multiples = array<i64: 12>} { tile.return }

// -----

tile.kernel @beside_one(%x: f32) {
  // expected-error @below {{expected `layout.beside_one` to be a unit on `math.exp`}}
  %y = math.exp2 %x {layout.beside_one} : f32
  tile.return
}

// -----

tile.kernel @seen_as_parts(%x: f32) {
  // expected-error @below {{expected `layout.seen_as_parts` to be a unit on `math.exp`}}
  %y = arith.divf %x, %x {layout.seen_as_parts} : f32
  tile.return
}

// -----

tile.kernel @part_of_sum(%x: f32) {
  // expected-error @below {{expected `layout.part_of_sum` to be a unit on `arith.divf`}}
  %y = arith.divf %x, %x {layout.part_of_sum = 1} : f32
  tile.return
}
