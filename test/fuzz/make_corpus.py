"""Splits the dialect's lit tests into one seed a case, and lists their words: make_corpus.py <tests> <corpus> <dictionary>."""

import pathlib
import re
import sys


def cases(text):
    """The modules of a test file, without the lines that speak to lit and FileCheck."""
    text = re.sub(r"^\s*//(?! -----).*\n", "", text, flags=re.MULTILINE)
    for part in text.split("// -----"):
        kernels = re.split(r"^(?=tile\.kernel )", part, flags=re.MULTILINE)
        yield from (kernel.strip() + "\n" for kernel in kernels if kernel.strip())


def words(text):
    """The words of the language that the tests use, as libFuzzer wants them."""
    found = re.findall(r"![a-z.]+<|#[a-z.]+<|[a-z][\w.]{2,}|tensor<[\dx]+x|dense<", text)
    return sorted({f'"{word}"' for word in found if '"' not in word})


tests, corpus, dictionary = map(pathlib.Path, sys.argv[1:])
corpus.mkdir(parents=True, exist_ok=True)
seeds = []
for test in sorted(tests.rglob("*.mlir")):
    for number, case in enumerate(cases(test.read_text())):
        (corpus / f"{test.stem}-{number}").write_text(case)
        seeds.append(case)
dictionary.write_text("\n".join(words("".join(seeds))) + "\n")
