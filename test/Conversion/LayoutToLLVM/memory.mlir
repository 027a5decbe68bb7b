// RUN: tessera-opt %s -convert-layout-to-llvm | FileCheck %s

#row = #layout.tile<1024, register = [(1), (2), (512)], lane = [(4), (8), (16), (32), (64)], warp = [(128), (256)]>

module {
  tile.kernel @add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i64)
      attributes {layout.num_warps = 4 : i64, layout.warp_size = 32 : i64} {
    %c1024 = arith.constant 1024 : i64
    %pid = tile.program_id x
    %start = arith.muli %pid, %c1024 : i64
    %lane = tile.arange 0 to 1024 : tensor<1024xi32, #row>
    %wide = arith.extsi %lane : tensor<1024xi32, #row> to tensor<1024xi64, #row>
    %first = tile.splat %start : tensor<1024xi64, #row>
    %offs = arith.addi %first, %wide : tensor<1024xi64, #row>
    %bound = tile.splat %n : tensor<1024xi64, #row>
    %mask = arith.cmpi slt, %offs, %bound : tensor<1024xi64, #row>
    %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>, #row>
    %xp = tile.addptr %xs, %offs : tensor<1024x!tile.ptr<f32>, #row>, tensor<1024xi64, #row>
    %a = tile.load %xp mask %mask {layout.vector = 4 : i64} : tensor<1024x!tile.ptr<f32>, #row>
    %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>, #row>
    %yp = tile.addptr %ys, %offs : tensor<1024x!tile.ptr<f32>, #row>, tensor<1024xi64, #row>
    %b = tile.load %yp {layout.vector = 4 : i64} : tensor<1024x!tile.ptr<f32>, #row>
    %sum = arith.addf %a, %b : tensor<1024xf32, #row>
    %os = tile.splat %out : tensor<1024x!tile.ptr<f32>, #row>
    %op = tile.addptr %os, %offs : tensor<1024x!tile.ptr<f32>, #row>, tensor<1024xi64, #row>
    tile.store %op, %sum mask %mask {layout.vector = 4 : i64} : tensor<1024x!tile.ptr<f32>, #row>
    tile.return
  }
}
