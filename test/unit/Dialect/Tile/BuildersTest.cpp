//===- BuildersTest.cpp - builders infer result types ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each op made by its short builder is valid, and wrong arguments give an op that the verifier refuses, never a crash.
//
//===---------------------------------------------------------------------===//

#include "TileContext.h"

#include "IRSupport/DiagnosticLog.h"

using namespace tessera::ir;
using namespace tessera::ir::tile;

namespace {

struct Builders : TileContext {};

TEST_F(Builders, shapes) {
  const SmallVector<Value> args = begin({f32, i64, i32});
  Value x = SplatOp::create(builder, loc, args[0], ArrayRef<int64_t>{8, 4});
  EXPECT_EQ(ArangeOp::create(builder, loc, -4, 4).getType(), RankedTensorType::get({8}, i32));
  EXPECT_EQ(ExpandDimsOp::create(builder, loc, x, 1).getType(), RankedTensorType::get({8, 1, 4}, f32));
  EXPECT_EQ(ReshapeOp::create(builder, loc, x, ArrayRef<int64_t>{32}).getType(), RankedTensorType::get({32}, f32));
  EXPECT_EQ(TransOp::create(builder, loc, x, ArrayRef<int32_t>{1, 0}).getType(), RankedTensorType::get({4, 8}, f32));
  EXPECT_EQ(JoinOp::create(builder, loc, x, x).getType(), RankedTensorType::get({8, 4, 2}, f32));
  EXPECT_EQ(JoinOp::create(builder, loc, args[0], args[0]).getType(), RankedTensorType::get({2}, f32));
  Value pairs = SplatOp::create(builder, loc, args[0], ArrayRef<int64_t>{2});
  EXPECT_EQ(SplitOp::create(builder, loc, pairs).getLhs().getType(), f32);
  EXPECT_EQ(CatOp::create(builder, loc, x, x, 1).getType(), RankedTensorType::get({8, 8}, f32));
  EXPECT_EQ(SliceOp::create(builder, loc, x, ArrayRef<int64_t>{4, 0}, ArrayRef<int64_t>{2, 4}).getType(),
            RankedTensorType::get({2, 4}, f32));
  Value row = ExtractAtOp::create(builder, loc, x, args[1], 0);
  EXPECT_EQ(row.getType(), RankedTensorType::get({4}, f32));
  EXPECT_EQ(ExtractAtOp::create(builder, loc, row, args[1], 0).getType(), f32);
  EXPECT_EQ(InsertAtOp::create(builder, loc, x, row, args[1], 0).getType(), x.getType());
  Value index = SplatOp::create(builder, loc, args[2], ArrayRef<int64_t>{2, 4});
  EXPECT_EQ(GatherOp::create(builder, loc, x, index, 0).getType(), RankedTensorType::get({2, 4}, f32));
  Value column = SplatOp::create(builder, loc, args[0], ArrayRef<int64_t>{8, 1});
  EXPECT_EQ(BroadcastOp::create(builder, loc, column, ArrayRef<int64_t>{8, 4}).getType(), x.getType());
  EXPECT_TRUE(endIsValid());
}

TEST_F(Builders, memory) {
  const Type pointer = PtrType::get(f32), counter = PtrType::get(i32);
  const SmallVector<Value> args = begin({pointer, counter, i64, i1, f32, i32});
  Value ptrs = SplatOp::create(builder, loc, args[0], ArrayRef<int64_t>{8});
  Value mask = SplatOp::create(builder, loc, args[3], ArrayRef<int64_t>{8});
  Value zero = SplatOp::create(builder, loc, args[4], ArrayRef<int64_t>{8});
  EXPECT_EQ(LoadOp::create(builder, loc, args[0]).getType(), f32);
  Value x = LoadOp::create(builder, loc, ptrs, mask, zero, CacheHint::Streaming, EvictHint::First, /*reload=*/true);
  EXPECT_EQ(x.getType(), RankedTensorType::get({8}, f32));
  StoreOp::create(builder, loc, ptrs, x);
  StoreOp::create(builder, loc, ptrs, x, mask, CacheHint::WriteBack, EvictHint::Last);
  EXPECT_EQ(AddPtrOp::create(builder, loc, args[0], args[2]).getType(), pointer);
  const auto order = MemoryOrder::Relaxed;
  const auto scope = MemoryScope::Device;
  EXPECT_EQ(AtomicRMWOp::create(builder, loc, AtomicKind::FAdd, order, scope, ptrs, x, mask).getType(), x.getType());
  EXPECT_EQ(AtomicCASOp::create(builder, loc, order, scope, args[1], args[5], args[5]).getType(), i32);
  EXPECT_EQ(AtomicLoadOp::create(builder, loc, order, scope, args[1]).getType(), i32);
  AtomicStoreOp::create(builder, loc, order, scope, args[1], args[5], args[3]);
  Value view = MakeViewOp::create(builder, loc, ViewType::get(f32, 2), args[0], ValueRange{args[2], args[2]},
                                  ValueRange{args[2], args[2]});
  Value t = ViewLoadOp::create(builder, loc, view, ValueRange{args[2], args[2]}, ArrayRef<int64_t>{8, 4}, args[4]);
  EXPECT_EQ(t.getType(), RankedTensorType::get({8, 4}, f32));
  Value rows = ArangeOp::create(builder, loc, 0, 8);
  EXPECT_EQ(ViewLoadRowsOp::create(builder, loc, view, rows, args[2], 4).getType(), t.getType());
  EXPECT_TRUE(endIsValid());
}

TEST_F(Builders, castsReductionsAndTheRest) {
  const SmallVector<Value> args = begin({f32, i32, i64});
  Value x = SplatOp::create(builder, loc, args[0], ArrayRef<int64_t>{8, 4});
  Value n = SplatOp::create(builder, loc, args[1], ArrayRef<int64_t>{8, 4});
  EXPECT_EQ(ConvertFloatOp::create(builder, loc, x, f16).getType(), RankedTensorType::get({8, 4}, f16));
  ConvertFloatOp::create(builder, loc, x, f16, FloatRounding::Stochastic, /*saturate=*/true, n);
  EXPECT_EQ(FloatToIntOp::create(builder, loc, args[0], i8, /*isUnsigned=*/true).getType(), i8);
  Value pointer = IntToPtrOp::create(builder, loc, PtrType::get(f32), args[2]);
  EXPECT_EQ(PtrCastOp::create(builder, loc, pointer, PtrType::get(i8)).getType(), PtrType::get(i8));
  EXPECT_EQ(PtrToIntOp::create(builder, loc, pointer).getType(), i64);
  EXPECT_EQ(IDivOp::create(builder, loc, n, n, DivRounding::Ceil, true).getType(), n.getType());
  EXPECT_EQ(ILogBOp::create(builder, loc, x).getType(), n.getType());
  EXPECT_EQ(LdexpOp::create(builder, loc, x, n).getType(), x.getType());
  EXPECT_EQ(HintOp::create(builder, loc, args[2], ArrayRef<int64_t>{16}, ArrayRef<int64_t>{}).getType(), i64);
  auto sum = ReduceOp::create(builder, loc, ValueRange{x, n}, 1);
  Block *body = builder.createBlock(&sum.getCombine(), {}, {f32, i32, f32, i32}, {loc, loc, loc, loc});
  YieldOp::create(builder, loc, body->getArguments().take_front(2));
  builder.setInsertionPointAfter(sum);
  EXPECT_EQ(sum.getResult(1).getType(), RankedTensorType::get({8}, i32));
  auto scan = ScanOp::create(builder, loc, ValueRange{x}, 0, /*reverse=*/true, {builder.getF32FloatAttr(0)});
  buildCombine(builder, loc, scan.getCombine(), CombineKind::AddF, f32);
  EXPECT_EQ(SortOp::create(builder, loc, n, ValueRange{x}, 0, true, true).getMoved().getTypes()[0], x.getType());
  EXPECT_EQ(HistogramOp::create(builder, loc, n, 16).getType(), RankedTensorType::get({16}, i32));
  Value b = SplatOp::create(builder, loc, args[0], ArrayRef<int64_t>{4, 2});
  Value acc = SplatOp::create(builder, loc, args[0], ArrayRef<int64_t>{8, 2});
  EXPECT_EQ(DotOp::create(builder, loc, x, b, acc, DotPrecision::TF32).getType(), acc.getType());
  EXPECT_EQ(ProgramIdOp::create(builder, loc, Axis::Z).getType(), i64);
  EXPECT_TRUE(endIsValid());
}

TEST_F(Builders, wrongArgumentsAreRefusedByTheVerifier) {
  const SmallVector<Value> args = begin({f32, i64});
  DiagnosticLog diagnostics(context);
  Value x = SplatOp::create(builder, loc, args[0], ArrayRef<int64_t>{8, 4});
  const auto refused = [&](Operation *op) {
    const bool wrong = failed(mlir::verify(op));
    op->erase();
    return wrong;
  };
  EXPECT_TRUE(refused(ArangeOp::create(builder, loc, 8, 0)));
  EXPECT_TRUE(refused(ExpandDimsOp::create(builder, loc, x, 9)));
  EXPECT_TRUE(refused(ExpandDimsOp::create(builder, loc, x, -9)));
  EXPECT_TRUE(refused(TransOp::create(builder, loc, x, ArrayRef<int32_t>{0, 7})));
  EXPECT_TRUE(refused(CatOp::create(builder, loc, x, x, 2)));
  EXPECT_TRUE(refused(ExtractAtOp::create(builder, loc, x, args[1], -1)));
  EXPECT_TRUE(refused(LoadOp::create(builder, loc, args[0])));
  EXPECT_TRUE(refused(AddPtrOp::create(builder, loc, args[0], args[1])));
  EXPECT_TRUE(refused(ReduceOp::create(builder, loc, ValueRange{}, 0)));
  EXPECT_TRUE(refused(ReduceOp::create(builder, loc, ValueRange{x}, 5)));
  EXPECT_TRUE(refused(HistogramOp::create(builder, loc, x, 3)));
  EXPECT_TRUE(diagnostics.hasErrors());
}

} // namespace
