// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected a pointer to an integer, float or pointer of the tile dialect, got 'i7'}}
tile.kernel @ptr_c1(%p: !tile.ptr<i7>) { tile.return }

// -----

// expected-error @below {{expected a pointer to an integer, float or pointer of the tile dialect, got 'ui32'}}
tile.kernel @ptr_c1_signed(%p: !tile.ptr<ui32>) { tile.return }

// -----

// expected-error @below {{expected at most 8 levels of pointer, got 9}}
tile.kernel @ptr_c2(%p: !tile.ptr<!tile.ptr<!tile.ptr<!tile.ptr<!tile.ptr<!tile.ptr<!tile.ptr<!tile.ptr<!tile.ptr<i1>>>>>>>>>) { tile.return }

// -----

// expected-error @below {{expected a view of integers, floats or pointers of the tile dialect, got 'index'}}
tile.kernel @view_c1(%p: !tile.view<index, 2>) { tile.return }

// -----

// expected-error @below {{expected a view of rank 1 to 5, got 6}}
tile.kernel @view_c2(%p: !tile.view<f32, 6>) { tile.return }

// -----

// expected-error @below {{expected a view of rank 1 to 5, got 0}}
tile.kernel @view_c2_zero(%p: !tile.view<f32, 0>) { tile.return }

// -----

// expected-error @below {{expected the contiguous axis to be below the rank 2, got 2}}
tile.kernel @view_c3(%p: !tile.view<f32, 2, contiguous = 2>) { tile.return }

// -----

// expected-error @below {{unknown  type `tensor` in dialect `tile`}}
tile.kernel @no_such_type(%p: !tile.tensor<f32>) { tile.return }
