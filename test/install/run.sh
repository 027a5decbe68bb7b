#!/usr/bin/env bash
# run.sh <cmake> <build folder> <compiler>: see CMakeLists.txt.
set -euo pipefail
cmake=$1 build=$2 cxx=$3
project=$(cd "$(dirname "$0")" && pwd)/project
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/prefix"

echo "== find_package"
"$cmake" -S "$project" -B "$work/outside" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_PREFIX_PATH="$work/prefix" \
  >"$work/configure.log"
"$cmake" --build "$work/outside"
"$work/outside/compiles-kernels"
"$work/outside/runs-images"
for program in runs-images launches-a-bundle; do
  if ldd "$work/outside/$program" | grep -E 'libtessera\.so|LLVM|MLIR'; then
    echo "a program of tessera::runtime must not load the compiler" >&2
    exit 1
  fi
done

echo "== a machine without a compiler and without a cache"
mkdir "$work/machine" "$work/machine/lib"
cp "$work/outside/launches-a-bundle" "$work/machine/"
cp -a "$(dirname "$(find "$work/prefix" -name libtessera_runtime.so)")"/libtessera_runtime.so* "$work/machine/lib/"
mv "$work/prefix" "$work/gone"
env -i LD_LIBRARY_PATH="$work/machine/lib" TESSERA_CACHE_DIR=/nonexistent "$work/machine/launches-a-bundle"
mv "$work/gone" "$work/prefix"

echo "== pkg-config"
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name tessera.pc)")
# shellcheck disable=SC2046
"$cxx" "$project/compiles-kernels.cpp" -o "$work/with-pkg-config" $(pkg-config --cflags --libs tessera)
"$work/with-pkg-config"
