"""alone.py <include folder> <header> <compiler>...: the header compiles as a whole source file, twice included, with
all warnings as errors."""

import subprocess
import sys

include, header, *compilers = sys.argv[1:]
source = f'#include "{header}"\n' * 2
flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{include}", "-xc++", "-"]
for compiler in compilers:
    if subprocess.run([compiler, *flags], input=source, text=True).returncode:
        sys.exit(f"{header} does not compile alone with {compiler}")
