// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{the extents of a tile are powers of two, got 3 on axis 0}}
tile.kernel @shared_layout_c1() attributes {a = #layout.shared<3>} { tile.return }

// -----

// expected-error @below {{a tile has rank 1 to 5, got rank 0}}
tile.kernel @shared_layout_c1_rank() attributes {a = #layout.shared<>} { tile.return }

// -----

// expected-error @below {{expected a column for each of the 3 bits of the index, got 2}}
tile.kernel @shared_layout_c2() attributes {a = #layout.shared<8, offsets = [1, 2]>} { tile.return }

// -----

// expected-error @below {{expected columns below the 4 elements, got 4}}
tile.kernel @shared_layout_c3_range() attributes {a = #layout.shared<4, offsets = [1, 4]>} { tile.return }

// -----

// expected-error @below {{expected different offsets for different elements, got a column 3 that others make up}}
tile.kernel @shared_layout_c3() attributes {a = #layout.shared<4, offsets = [3, 3]>} { tile.return }

// -----

// expected-error @below {{expected a buffer of integers, floats or pointers of the tile dialect, got 'index'}}
tile.kernel @buffer_c1() attributes {a = !layout.buffer<4xindex, #layout.shared<4>>} { tile.return }

// -----

// expected-error @below {{expected the shape of the layout #layout.shared<4x8>, or one more extent of at least 1 before it, got [8, 4]}}
tile.kernel @buffer_c2() attributes {a = !layout.buffer<8x4xf32, #layout.shared<4x8>>} { tile.return }

// -----

// expected-error @below {{expected the shape of the layout #layout.shared<4>, or one more extent of at least 1 before it, got [0, 4]}}
tile.kernel @buffer_c2_zero() attributes {a = !layout.buffer<0x4xf32, #layout.shared<4>>} { tile.return }

// -----

// expected-error @below {{expected a buffer of at most 2147483647 bytes, got 1000000000 slots of 16}}
tile.kernel @buffer_c3() attributes {a = !layout.buffer<1000000000x4xf32, #layout.shared<4>>} { tile.return }

// -----

// expected-error @below {{expected 1 to 1024 barriers, got 0}}
tile.kernel @mbarrier_c1() attributes {a = !layout.mbarrier<0>} { tile.return }
