# How lit runs the .mlir tests: RUN lines in a shell of lit's own, with our tools and FileCheck on the path.
import os

import lit.formats

config.name = "tessera"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tessera_build_dir, "test")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.tessera_build_dir, "bin"), config.llvm_tools_dir, config.environment["PATH"]]
)
for name, value in os.environ.items():
    if name.startswith("TESSERA_") or name.endswith("SAN_OPTIONS"):
        config.environment[name] = value
