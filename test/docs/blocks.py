"""Takes the code blocks out of the documentation, so that what readers copy is what the tests compile and run.

    blocks.py <folder for the files> <page.md>...

The words after a fence's language say what the block is:

    ```cpp add.cpp              part of the file add.cpp; later blocks of the page with that name are appended
    ```cpp add.cpp fails=regex  the file add.cpp does not compile, and the compiler's words match
    ```cmake CMakeLists.txt     a file to be read only
    ```text add.cpp             what the program add.cpp prints; a line `...` stands for any lines, `...` in a line for any
                                text. Assignments after the name (TESSERA_DUMP=tile) are its environment, `exit=1` its
                                status, `stderr` asks for standard error
    ```console                  commands and, below `$ `, what they print: not checked

Every ```cpp block needs a file. Prints one line per program: page, file, and `run` or the regex of `fails=`.
"""

import os
import re
import sys

FENCE = re.compile(r"^```(\w*)\s*(.*)$")


def read(page):
    """Yields (line number, language, words, lines of the block)."""
    language = None
    for number, line in enumerate(open(page, encoding="utf-8").read().splitlines(), 1):
        fence = FENCE.match(line)
        if language is None and fence:
            language, words, start, block = fence.group(1), fence.group(2).split(), number, []
        elif language is not None and line.startswith("```"):
            yield start, language, words, block
            language = None
        elif language is not None:
            block.append(line)
    if language is not None:
        raise SystemExit(f"{page}:{start}: this block does not end")


def stem(page):
    """README.md gives readme, docs/tutorial-1-vector-add.md gives tutorial-1-vector-add."""
    return os.path.splitext(os.path.basename(page))[0].lower()


def programs(page):
    """The page's C++ files: name -> (text, regex or None)."""
    found = {}
    for number, language, words, block in read(page):
        if language != "cpp":
            continue
        if not words:
            raise SystemExit(f"{page}:{number}: this block names no file, so that nothing compiles it")
        text, fails = found.get(words[0], ("", None))
        for word in words[1:]:
            key, _, value = word.partition("=")
            if key != "fails":
                raise SystemExit(f"{page}:{number}: unknown word {word}")
            fails = value
        text += "\n".join(block) + "\n"
        found[words[0]] = (text, fails)
    return found


def write_if_changed(path, text):
    if os.path.exists(path) and open(path, encoding="utf-8").read() == text:
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    folder, pages = sys.argv[1], sys.argv[2:]
    for page in pages:
        for name, (text, fails) in programs(page).items():
            write_if_changed(os.path.join(folder, stem(page), name), text)
            print(stem(page), name, fails or "run", sep=";")


if __name__ == "__main__":
    main()
