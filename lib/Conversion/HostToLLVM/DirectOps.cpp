//===- DirectOps.cpp - ops that have a twin in the llvm dialect -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/HostToLLVM/DirectOps.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::host {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
namespace math = mlir::math;
namespace vector = mlir::vector;

namespace {

class DirectOps {
public:
  explicit DirectOps(MLIRContext *context) : b(context) {}

  void convert(Operation *op) {
    if (op->getNumResults() != 1 || !isPlain(op->getResult(0).getType()))
      return;
    b.setInsertionPoint(op);
    loc = op->getLoc();
    type = op->getResult(0).getType();
    Value result = castOf(op);
    if (!result)
      result = integerOf(op);
    if (!result)
      result = floatOf(op);
    if (!result)
      result = otherOf(op);
    if (!result)
      return;
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }

private:
  /// Whether the llvm dialect has the type, too.
  static bool isPlain(Type type) {
    if (auto shaped = dyn_cast<mlir::VectorType>(type)) {
      if (shaped.getRank() != 1)
        return false;
      type = shaped.getElementType();
    }
    return isa<IntegerType, FloatType, LLVM::LLVMPointerType>(type);
  }

  template <class To> Value cast(Operation *op) { return To::create(b, *loc, type, op->getOperand(0)); }
  template <class To> Value binary(Operation *op) {
    return To::create(b, *loc, type, op->getOperand(0), op->getOperand(1));
  }
  template <class To, class From> Value binaryFloat(From op) {
    return To::create(b, *loc, type, op.getLhs(), op.getRhs(),
                      arith::convertArithFastMathFlagsToLLVM(op.getFastmath()));
  }
  template <class To, class From> Value unaryFloat(From op) {
    return To::create(b, *loc, type, op.getOperand(), arith::convertArithFastMathFlagsToLLVM(op.getFastmath()));
  }

  Value castOf(Operation *op) {
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](arith::BitcastOp) { return cast<LLVM::BitcastOp>(op); })
        .Case([&](arith::TruncIOp) { return cast<LLVM::TruncOp>(op); })
        .Case([&](arith::ExtUIOp) { return cast<LLVM::ZExtOp>(op); })
        .Case([&](arith::ExtSIOp) { return cast<LLVM::SExtOp>(op); })
        .Case([&](arith::ExtFOp) { return cast<LLVM::FPExtOp>(op); })
        .Case([&](arith::SIToFPOp) { return cast<LLVM::SIToFPOp>(op); })
        .Case([&](arith::UIToFPOp) { return cast<LLVM::UIToFPOp>(op); })
        .Case([&](arith::FPToSIOp) { return cast<LLVM::FPToSIOp>(op); })
        .Case([&](arith::TruncFOp o) { return o.getRoundingmode() ? Value() : cast<LLVM::FPTruncOp>(op); })
        .Default([](Operation *) { return Value(); });
  }

  Value integerOf(Operation *op) {
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case<arith::AddIOp>([&](auto o) { return wraps(o) ? binary<LLVM::AddOp>(op) : Value(); })
        .Case<arith::SubIOp>([&](auto o) { return wraps(o) ? binary<LLVM::SubOp>(op) : Value(); })
        .Case<arith::MulIOp>([&](auto o) { return wraps(o) ? binary<LLVM::MulOp>(op) : Value(); })
        .Case<arith::ShLIOp>([&](auto o) { return wraps(o) ? binary<LLVM::ShlOp>(op) : Value(); })
        .Case([&](arith::AndIOp) { return binary<LLVM::AndOp>(op); })
        .Case([&](arith::OrIOp) { return binary<LLVM::OrOp>(op); })
        .Case([&](arith::XOrIOp) { return binary<LLVM::XOrOp>(op); })
        .Case([&](arith::ShRUIOp) { return binary<LLVM::LShrOp>(op); })
        .Case([&](arith::ShRSIOp) { return binary<LLVM::AShrOp>(op); })
        .Case([&](arith::DivUIOp) { return binary<LLVM::UDivOp>(op); })
        .Case([&](arith::DivSIOp) { return binary<LLVM::SDivOp>(op); })
        .Case([&](arith::RemUIOp) { return binary<LLVM::URemOp>(op); })
        .Case([&](arith::RemSIOp) { return binary<LLVM::SRemOp>(op); })
        .Case([&](arith::MinSIOp) { return binary<LLVM::SMinOp>(op); })
        .Case([&](arith::MaxSIOp) { return binary<LLVM::SMaxOp>(op); })
        .Case([&](arith::MinUIOp) { return binary<LLVM::UMinOp>(op); })
        .Case([&](arith::MaxUIOp) { return binary<LLVM::UMaxOp>(op); })
        .Case([&](arith::CmpIOp o) -> Value {
          if (!isPlain(o.getLhs().getType()))
            return {};
          return LLVM::ICmpOp::create(b, *loc, type, static_cast<LLVM::ICmpPredicate>(o.getPredicate()), o.getLhs(),
                                      o.getRhs());
        })
        .Default([](Operation *) { return Value(); });
  }

  template <class Op> static bool wraps(Op op) { return op.getOverflowFlags() == arith::IntegerOverflowFlags::none; }

  Value floatOf(Operation *op) {
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](arith::AddFOp o) { return binaryFloat<LLVM::FAddOp>(o); })
        .Case([&](arith::SubFOp o) { return binaryFloat<LLVM::FSubOp>(o); })
        .Case([&](arith::MulFOp o) { return binaryFloat<LLVM::FMulOp>(o); })
        .Case([&](arith::DivFOp o) { return binaryFloat<LLVM::FDivOp>(o); })
        .Case([&](arith::NegFOp o) { return unaryFloat<LLVM::FNegOp>(o); })
        .Case([&](math::AbsFOp o) { return unaryFloat<LLVM::FAbsOp>(o); })
        .Case([&](math::SqrtOp o) { return unaryFloat<LLVM::SqrtOp>(o); })
        .Case([&](math::FloorOp o) { return unaryFloat<LLVM::FFloorOp>(o); })
        .Case([&](math::CeilOp o) { return unaryFloat<LLVM::FCeilOp>(o); })
        .Case([&](math::TruncOp o) { return unaryFloat<LLVM::FTruncOp>(o); })
        .Case([&](math::RoundEvenOp o) { return unaryFloat<LLVM::RoundEvenOp>(o); })
        .Case([&](math::FmaOp o) -> Value {
          return LLVM::FMAOp::create(b, *loc, type, o.getA(), o.getB(), o.getC(),
                                     arith::convertArithFastMathFlagsToLLVM(o.getFastmath()));
        })
        .Case([&](arith::CmpFOp o) -> Value {
          return LLVM::FCmpOp::create(b, *loc, type, static_cast<LLVM::FCmpPredicate>(o.getPredicate()), o.getLhs(),
                                      o.getRhs(), arith::convertArithFastMathFlagsToLLVM(o.getFastmath()));
        })
        .Default([](Operation *) { return Value(); });
  }

  Value otherOf(Operation *op) {
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](arith::ConstantOp o) -> Value { return LLVM::ConstantOp::create(b, *loc, type, o.getValue()); })
        .Case([&](arith::SelectOp o) -> Value {
          return LLVM::SelectOp::create(b, *loc, type, o.getCondition(), o.getTrueValue(), o.getFalseValue());
        })
        .Case([&](vector::ExtractOp o) -> Value {
          if (o.hasDynamicPosition() || o.getSourceVectorType().getRank() != 1)
            return {};
          return LLVM::ExtractElementOp::create(b, *loc, o.getSource(), index(op, o.getStaticPosition()[0]));
        })
        .Case([&](vector::FromElementsOp o) -> Value {
          Value made = LLVM::PoisonOp::create(b, *loc, type);
          for (auto [i, element] : llvm::enumerate(o.getElements()))
            made = LLVM::InsertElementOp::create(b, *loc, made, element, index(op, static_cast<int64_t>(i)));
          return made;
        })
        .Default([](Operation *) { return Value(); });
  }

  /// The number of an element, made once at the start of the function that \p op is in.
  Value index(Operation *op, int64_t number) {
    auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
    Value &known = indices[{function, number}];
    if (!known) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&function.getBody().front());
      known = LLVM::ConstantOp::create(b, function.getLoc(), b.getI64Type(), b.getI64IntegerAttr(number));
    }
    return known;
  }

  OpBuilder b;
  std::optional<Location> loc; ///< of the op
  Type type;                   ///< of its result
  llvm::DenseMap<std::pair<Operation *, int64_t>, Value> indices;
};

} // namespace

void convertDirectOps(Operation *root) {
  DirectOps ops(root->getContext());
  root->walk([&](Operation *op) { ops.convert(op); });
}

} // namespace tessera::ir::host
