"""Banners and guards: every C++ and TableGen file opens with its one-line purpose and the licence; a header's guard
spells its path."""

import re

from sources import CXX, files, finish, lines

BANNER = re.compile(r"//===-+ (\S+) - .*===//$")
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
BANNER_FOLDERS = ("include", "lib", "tools", "kernels", "bench")


def guard(path):
    """include/tessera/core/Error.h gives TESSERA_CORE_ERROR_H, and lib/Support/Hash.h TESSERA_SUPPORT_HASH_H."""
    inner = re.sub(r"^(include/tessera[/-]|include/|lib/)", "", path)
    if not path.startswith(("include/", "lib/")):
        inner = path
    return "TESSERA_" + re.sub(r"\W", "_", inner).upper()


def problems_in(path):
    text = lines(path)
    name = path.rsplit("/", 1)[-1]
    if path.startswith(BANNER_FOLDERS):
        banner = BANNER.match(text[0]) if text else None
        if not banner or banner.group(1) != name:
            yield f"{path}:1: expected a banner '//===- {name} - purpose ---===//'"
        if not any(LICENCE in line for line in text[:5]):
            yield f"{path}:2: expected '{LICENCE}' in the banner"
    if path.endswith((".h", ".td")):
        first = next((line for line in text if line and not line.startswith("//")), "")
        if first != f"#ifndef {guard(path)}":
            yield f"{path}: expected the guard {guard(path)}, got '{first}'"


finish([problem for path in files(suffixes=(*CXX, ".td")) for problem in problems_in(path)])
