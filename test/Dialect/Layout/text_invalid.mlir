// RUN: tessera-opt %s -split-input-file -verify-diagnostics
// Text that is no layout or type is told so.

// expected-error @below {{invalid dimension}}
tile.kernel @text_0() attributes {a = #layout.tile<4x, lane = [(1)]>} { tile.return }

// -----

// expected-error @below {{integer value too large}}
tile.kernel @text_1() attributes {a = #layout.tile<4, lane = [(99999999999999999999999)]>} { tile.return }

// -----

// expected-error @below {{expected '('}}
tile.kernel @text_2() attributes {a = #layout.tile<4, lane = [1]>} { tile.return }

// -----

// expected-error @below {{expected 1 coordinates, got 0}}
tile.kernel @text_3() attributes {a = #layout.tile<4, lane = [()]>} { tile.return }

// -----

// expected-error @below {{expected 0 coordinates, got 1}}
tile.kernel @text_4() attributes {a = #layout.tile<lane = [(1)]>} { tile.return }

// -----

// expected-error @below {{the extents of a tile are powers of two, got 9223372036854775807 on axis 0}}
tile.kernel @text_5() attributes {a = #layout.tile<9223372036854775807x2>} { tile.return }

// -----

// expected-error @below {{integer value too large}}
tile.kernel @text_6() attributes {a = #layout.shared<4, offsets = [4294967296, 1]>} { tile.return }

// -----

// expected-error @below {{expected columns below the 4 elements, got 4294967295}}
tile.kernel @text_7() attributes {a = #layout.shared<4, offsets = [-1, 1]>} { tile.return }

// -----

// expected-error @below {{expected 'offsets'}}
tile.kernel @text_8() attributes {a = #layout.shared<4, offset = [1, 2]>} { tile.return }

// -----

// expected-error @below {{invalid kind of attribute specified}}
tile.kernel @text_9() attributes {a = !layout.buffer<4xf32, #layout.tile<4, lane = [(1), (2)]>>} { tile.return }

// -----

// expected-error @below {{or one more extent of at least 1 before it, got []}}
tile.kernel @text_10() attributes {a = !layout.buffer<f32, #layout.shared<4>>} { tile.return }

// -----

// expected-error @below {{expected static shape}}
tile.kernel @text_11() attributes {a = !layout.buffer<?x4xf32, #layout.shared<4>>} { tile.return }

// -----

// expected-error @below {{expected 1 to 1024 barriers, got -1}}
tile.kernel @text_12() attributes {a = !layout.mbarrier<-1>} { tile.return }
