//===- Reproducer.cpp - keep what made a pass fail ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Pipeline/Reproducer.h"

#include "Support/Environment.h"
#include "Support/Files.h"
#include "Support/Hash.h"

#include <filesystem>
#include <fmt/format.h>

namespace tessera::ir {

std::string writeReproducer(ModuleOp module, StringRef pipeline, StringRef title) {
  std::string text = fmt::format("// {}\n// tessera-opt --run-reproducer <this file>\n", std::string_view(title));
  llvm::raw_string_ostream stream(text);
  mlir::OpPrintingFlags flags;
  flags.printNameLocAsPrefix().enableDebugInfo();
  // The form that mlir-opt reads: a resource of the module, behind it.
  module->print(stream, flags);
  stream << "\n\n{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: \"" << pipeline
         << "\",\n      disable_threading: true,\n      verify_each: true\n    }\n  }\n#-}\n";

  std::string folder = support::environment(support::Variable::ReproducerDir);
  if (folder.empty()) {
    std::error_code error;
    folder = std::filesystem::temp_directory_path(error).string();
    if (error)
      folder = ".";
  }
  const std::string name = fmt::format("tessera-reproducer-{}.mlir", support::hashText(text).hex());
  if (const std::string problem = support::writeFile(folder, name, text); !problem.empty())
    return problem;
  return (std::filesystem::path(folder) / name).string();
}

} // namespace tessera::ir
