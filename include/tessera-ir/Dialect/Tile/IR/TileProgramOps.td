//===- TileProgramOps.td - the kernel and its place in the grid --*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernel itself, who this program is, and memory the launcher provides.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_TILE_IR_TILEPROGRAMOPS_TD
#define TESSERA_IR_DIALECT_TILE_IR_TILEPROGRAMOPS_TD

include "tessera-ir/Dialect/Tile/IR/TileEnums.td"
include "tessera-ir/Dialect/Tile/IR/TileTypes.td"

include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_KernelOp : Tile_Op<"kernel", [
    IsolatedFromAbove, FunctionOpInterface, HasParent<"::mlir::ModuleOp">, SingleBlock]> {
  let summary = "a program run once for each point of a grid";
  let description = [{
    The body is run by every program of a launch, concurrently and in any order. Parameters are scalars. A parameter may
    carry hints: `tile.multiple_of = n` (an integer of this value or a pointer with an address of such a multiple, in
    bytes), `tile.may_alias` (this pointer's memory may overlap another parameter's) and `tile.zeroed` (the launcher
    clears the memory before the launch). The user's name of a parameter is the name in its location.

    - (kernel_c1) every parameter is a scalar.
    - (kernel_c2) there are no results.
    - (kernel_c3) `tile.multiple_of` is an i64 of at least 1 on an integer or pointer parameter.
    - (kernel_c4) `tile.may_alias` and `tile.zeroed` are unit attributes on pointer parameters.
    - (kernel_c5) no other attribute of this dialect stands on a parameter.
    - (kernel_c6) the parent is a module.
    - (kernel_c7) the body is one block that ends in `tile.return` and takes what the type says.

    ```mlir
    tile.kernel @copy(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %out: !tile.ptr<f32>) {
      %v = tile.load %x : !tile.ptr<f32>
      tile.store %out, %v : !tile.ptr<f32>
      tile.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::TypeRange":$parameters,
                                 CArg<"::mlir::ArrayRef<::mlir::Location>", "{}">:$parameterLocations)>];
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [Pure, ReturnLike, Terminator, HasParent<"KernelOp">]> {
  let summary = "end of a kernel";
  let description = [{
    - (return_c1) the parent is a `tile.kernel`.
  }];
  let assemblyFormat = "attr-dict";
}

class Tile_GridOp<string mnemonic> : Tile_Op<mnemonic, [Pure]> {
  let arguments = (ins Tile_AxisAttr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "`` $axis attr-dict";
}

def Tile_ProgramIdOp : Tile_GridOp<"program_id"> {
  let summary = "coordinate of this program in the grid";
  let description = [{
    At least 0 and below `tile.num_programs` of the same axis.

    ```mlir
    %row = tile.program_id x
    ```
  }];
}

def Tile_NumProgramsOp : Tile_GridOp<"num_programs"> {
  let summary = "extent of the grid";
  let description = [{
    At least 1 on every axis.

    ```mlir
    %rows = tile.num_programs x
    ```
  }];
}

def Tile_WorkspaceOp : Tile_Op<"workspace"> {
  let summary = "memory that the launcher provides for one launch";
  let description = [{
    The address of `count` elements of the pointee type, the same for every program of the launch and apart from all
    other memory. It is cleared before the launch when `zeroed` is given and otherwise holds anything. Its size must be
    known to the launcher: a back end refuses a `count` that it cannot express over the kernel's arguments and the grid.

    - (workspace_c1) it stands in the body of the kernel itself, not in a loop or branch.

    ```mlir
    %partial = tile.workspace %n zeroed : !tile.ptr<f32>
    ```
  }];
  let arguments = (ins I64:$count, UnitAttr:$zeroed);
  let results = (outs Res<Tile_PtrType, "", [MemAlloc]>:$result);
  let assemblyFormat = "$count (`zeroed` $zeroed^)? attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

#endif // TESSERA_IR_DIALECT_TILE_IR_TILEPROGRAMOPS_TD
