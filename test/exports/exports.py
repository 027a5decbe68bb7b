"""What a shared library shows and needs.
exports.py symbols <library>   every defined dynamic symbol is of namespace tessera, or a C function tessera_*
exports.py needs <library>     it loads the C and C++ runtime, tessera's own libraries and nothing else"""

import re
import subprocess
import sys

# Names in the namespace, with what the compiler makes for its classes.
OURS = re.compile(r"((typeinfo|typeinfo name|vtable|VTT|guard variable) for )?tessera::|tessera_\w+$")
NEEDED = re.compile(r"lib(tessera_runtime|stdc\+\+|gcc_s|m|c|dl|pthread|rt)\.so|ld-linux|linux-vdso")
# What only a build with the sanitizers adds.
SANITIZER = re.compile(r"lib(clang_rt|asan|ubsan)")


def output(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def strangers_shown(library):
    symbols = output("nm", "-D", "--defined-only", "-C", library).splitlines()
    names = [line.split(" ", 2)[2] for line in symbols]
    if not names:
        sys.exit(f"{library} shows nothing at all")
    return [name for name in names if not OURS.match(name)]


def strangers_needed(library):
    names = [line.split()[0] for line in output("ldd", library).splitlines()]
    return [name for name in names if not NEEDED.search(name) and not SANITIZER.search(name)]


mode, library = sys.argv[1:]
strangers = {"symbols": strangers_shown, "needs": strangers_needed}[mode](library)
for name in strangers:
    print(f"{library}: unexpected {name}")
sys.exit(1 if strangers else 0)
