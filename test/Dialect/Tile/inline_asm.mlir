// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -mlir-print-op-generic | tessera-opt | FileCheck %s
// RUN: tessera-opt %s -emit-bytecode | tessera-opt | FileCheck %s
// SEMANTICS P2

// CHECK-LABEL: tile.kernel @forms(
tile.kernel @forms(%s: f32) {
  // CHECK: tile.splat %{{.*}} : tensor<64xf32>
  %x = tile.splat %s : tensor<64xf32>
  // CHECK: tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} pure (%{{.*}}) : (tensor<64xf32>) -> tensor<64xf32>
  %a = tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} pure (%x) : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} pack 2 (%{{.*}}, %{{.*}}) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xi32>)
  %b, %c = tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} pack 2 (%x, %x) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xi32>)
  // CHECK: tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} (%{{.*}}) : (f32) -> ()
  tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"}} (%s) : (f32) -> ()
  // CHECK: tile.inline_asm {cuda = {asm = "a", constraints = ""}, "hip:gfx9" = {asm = "b", constraints = ""}} () : () -> ()
  tile.inline_asm {cuda = {asm = "a", constraints = ""}, "hip:gfx9" = {asm = "b", constraints = ""}} () : () -> ()
  tile.return
}
