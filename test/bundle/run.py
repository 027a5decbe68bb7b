"""What users of bundles do, step by step, in a folder of its own: run.py <program> <C program> <bundle> <tool> <frozen>"""

import os
import pathlib
import subprocess
import sys
import tempfile

program, c_program, bundle, tool, frozen = sys.argv[1:]
work = pathlib.Path(tempfile.mkdtemp())
failures = 0


def run(*command, status=0, has=(), lacks=(), **environment):
    """Runs a command, which must end with the status and print all the words."""
    global failures
    variables = {name: value for name, value in os.environ.items() if name != "TESSERA_CACHE"}
    variables.update(TESSERA_CACHE_DIR=str(work / "cache"), **environment)
    result = subprocess.run([str(word) for word in command], env=variables, text=True, capture_output=True, timeout=120)
    text = result.stdout + result.stderr
    missing = [word for word in has if word not in text]
    present = [word for word in lacks if word in text]
    if result.returncode != status or missing or present:
        failures += 1
        print(f"{command}: status {result.returncode}, wanted {status}; missing {missing}, unwanted {present}\n{text}")
    return text


# Linked in, from a file, from C; nothing is written to the cache's folder.
run(program, "cpu", has=["all right on cpu", "first", "4.5"])
run(program, "cpu", bundle, has=["all right on cpu"])
run(c_program, "cpu", has=["all right on cpu"])
run(c_program, "cpu", bundle, has=["all right on cpu"])
run(program, "interp", status=2, has=["there is no device `interp` (a program without the compiler, libtessera.so, has none"])
if (work / "cache").exists():
    failures += 1
    print("a program without a compiler made a cache")

# The tool.
run(tool, "list", bundle, has=["vector_add_f32", "f32*, f32*, f32*, i64", "{block=256}", "cuda:sm_80+ptx", "hip:gfx942"])
run(tool, "show", bundle, "scale_halves", has=["aligned, stride 1: stride", "shared-object", "hsaco", "cubin"])
run(tool, "show", bundle, "nothing", status=1, has=["has no function `nothing`"])
run(tool, "verify", bundle, has=[" sound, 0 not"])
run(tool, "extract", bundle, "vector_add_f32", "--target", "cuda:sm_80+ptx", "-o", work / "k.ptx")
if ".target sm_80" not in (work / "k.ptx").read_text():
    failures += 1
    print("the PTX is none")

# A part of it runs where that part is for.
part = work / "part.tbundle"
run(tool, "prune", bundle, "--target", "hip:gfx942", "-o", part, has=["hip:gfx942"], lacks=["cuda"])
run(program, "cpu", part, status=2, has=["has no code of `vector_add_f32` for device cpu", "it was compiled for hip:gfx942 (hsaco)"])
host = next(word for word in run(tool, "list", bundle).split() if word.startswith("cpu:"))
only = work / "only.tbundle"
run(tool, "prune", bundle, "--target", host, "-o", only)
run(program, "cpu", only, has=["all right"])
run(tool, "merge", part, only, "-o", work / "both.tbundle", has=["hip:gfx942", host])
run(program, "cpu", work / "both.tbundle", has=["all right"])
run(tool, "prune", bundle, "--target", "cuda:sm_1", "-o", part, status=1, has=["nothing would be left"])
run(tool, "headers", only, "-o", work, has=["test_kernels.h"])
if (work / "test_kernels_c.h").read_text().count("static inline tessera_status test_kernels_") != 9:
    failures += 1
    print("the C header lacks functions")

# Damage is told, and nothing of it is run.
damaged = bytearray(only.read_bytes())
damaged[len(damaged) // 3] ^= 1
(work / "damaged.tbundle").write_bytes(damaged)
run(tool, "verify", work / "damaged.tbundle", status=1, has=["is damaged: the checksum does not match", "1 not"])
(work / "short.tbundle").write_bytes(only.read_bytes()[:5000])
run(program, "cpu", work / "short.tbundle", status=2, has=["short.tbundle: it is damaged: it should have", "copy the file again"])
run(program, "cpu", work / "none.tbundle", status=2, has=["none.tbundle: it cannot be opened: No such file"])

# A program with the compiler, frozen: what it lacks is named; bundles and the cache serve.
key = "arguments: f32*, f32*, f32*, i64, config {block=256}, options: defaults, target: " + host + ", variant: aligned"
cpu = dict(TESSERA_CPU=host.removeprefix("cpu:"))
run(frozen, "launch", status=2, has=["the runtime is frozen", key], TESSERA_FROZEN="1", **cpu)
run(frozen, "freeze", status=2, has=["the runtime is frozen", key], **cpu)
run(frozen, "launch", bundle, has=["from: bundle"], TESSERA_FROZEN="1", **cpu)
run(frozen, "launch", part, status=2, has=["the runtime is frozen", key], TESSERA_FROZEN="1", **cpu)
run(frozen, "launch", bundle, has=["from: bundle"], **cpu)
run(frozen, "other", bundle, status=2, has=["the runtime is frozen", "config {block=512}"], TESSERA_FROZEN="1", **cpu)
run(frozen, "edited", bundle, status=2, has=["does not serve kernel `vector_add`", "it was made from another text"],
    TESSERA_FROZEN="1", **cpu)
run(frozen, "launch", has=["from: compiled"], **cpu)
run(frozen, "launch", has=["from: cache"], TESSERA_FROZEN="1", **cpu)
run(frozen, "tune", status=2, has=["the runtime is frozen", "no choice is on record for the key `n=4096`"],
    TESSERA_FROZEN="1", **cpu)
run(frozen, "tune", has=["chose {block="], **cpu)
run(frozen, "tune", has=["chose {block="], TESSERA_FROZEN="1", **cpu)
run(frozen, "launch", status=2, has=["TESSERA_FROZEN is `yes`; it takes 0 or 1"], TESSERA_FROZEN="yes", **cpu)

# The cache that was warmed up is a bundle, too, from the same text of the kernels.
made = work / "made.tbundle"
run(tool, "from-cache", "--name", "made", "-o", made, has=["vector_add", host], **cpu)
run(tool, "verify", made, has=[" sound, 0 not"])
run(frozen, "launch", made, has=["from: bundle"], TESSERA_FROZEN="1", TESSERA_CACHE="off", **cpu)
# A cache broken on purpose does not matter to those who have a bundle.
for file in (work / "cache").glob("*.kernel"):
    file.write_bytes(b"broken")
run(frozen, "launch", status=2, has=["is not used", "the runtime is frozen"], TESSERA_FROZEN="1", **cpu)
run(frozen, "launch", made, has=["from: bundle"], TESSERA_FROZEN="1", **cpu)

sys.exit(1 if failures else 0)
