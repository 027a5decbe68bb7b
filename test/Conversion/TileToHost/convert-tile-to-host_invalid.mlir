// RUN: tessera-opt %s -split-input-file -verify-diagnostics -convert-tile-to-host

// SEMANTICS A4 gives f64 a few elementary functions only.
tile.kernel @function_of_f64(%x: !tile.ptr<f64>) {
  %v = tile.load %x : !tile.ptr<f64>
  // expected-error @below {{`math.erf` cannot be computed on elements of type f64}}
  %e = math.erf %v : f64
  tile.store %x, %e : !tile.ptr<f64>
  tile.return
}
