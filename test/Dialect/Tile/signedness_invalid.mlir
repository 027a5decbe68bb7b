// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tile.kernel @other_op(%a: i32) {
  // expected-error @below {{has the attribute `tile.unsigned`, which stands only on `arith.addi`, `arith.subi` and `arith.muli`}}
  %x = arith.xori %a, %a {tile.unsigned} : i32
  tile.return
}

// -----

tile.kernel @with_value(%a: i32) {
  // expected-error @below {{expected `tile.unsigned` to have no value, got true}}
  %x = arith.addi %a, %a {tile.unsigned = true} : i32
  tile.return
}
