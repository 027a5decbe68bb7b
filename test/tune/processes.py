"""Several processes that tune: one after another, at once, killed, on a full disk.

    processes.py --list
    processes.py <tune-process> <case>
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


class Folder:
    """A cache of its own."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "cache")
        self.file = os.path.join(self.path, "tuning.txt")

    def start(self, *words, **variables):
        environment = {**os.environ, "TESSERA_CACHE": "rw", "TESSERA_CACHE_DIR": self.path, **variables}
        return subprocess.Popen([PROGRAM, *map(str, words)], env=environment, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def run(self, *words, **variables):
        return result(self.start(*words, **variables))

    def lines(self):
        with open(self.file, encoding="utf-8") as text:
            return text.read().splitlines()


def result(process):
    out, err = process.communicate(timeout=100)
    if process.returncode:
        fail(f"status {process.returncode}", out, err)
    values = dict(re.findall(r"(\w+)=(.*?)(?= \w+=|$)", out.splitlines()[-1]))
    return {name: int(value) if re.fullmatch(r"-?\d+", value) else value for name, value in values.items()}, out + err


def fail(*parts):
    print(*parts, sep="\n")
    raise SystemExit(1)


def expect(what, *context):
    if not what:
        fail("not as expected:", *context)


@case
def the_next_process_times_nothing():
    folder = Folder()
    first, _ = folder.run(300000, 1, 200000)
    expect(first["chosen"] == 1 and first["timed"] == 3, first)
    second, _ = folder.run(300000, 1, 200000)
    expect(second == dict(chosen=1, ending="recorded", timed=0, recorded=3, skipped=0, compiled=1), second)


@case
def new_candidates_time_only_themselves():
    folder = Folder()
    folder.run(300000, 200000)
    second, _ = folder.run(300000, 200000, 1)
    expect(second["chosen"] == 1 and second["timed"] == 1 and second["recorded"] == 2, second)
    third, _ = folder.run(1, 200000)
    expect(third["chosen"] == 1 and third["timed"] == 0, third)


@case
def another_text_of_the_kernel_is_tuned_anew():
    folder = Folder()
    folder.run(300000, 1)
    other, _ = folder.run("--factor", 3, 300000, 1)
    expect(other["timed"] == 2, other)
    # Both are known from now on, in turns.
    for factor in (2, 3, 2):
        again, _ = folder.run("--factor", factor, 300000, 1)
        expect(again["timed"] == 0, factor, again)


@case
def processes_share_the_work():
    for count in (2, 8):
        folder = Folder()
        processes = [folder.start(300000, 1, 200000) for _ in range(count)]
        results = [result(process)[0] for process in processes]
        expect(all(each["chosen"] == 1 for each in results), results)
        expect(sum(each["timed"] for each in results) == 3, results)
        expect(len(folder.lines()) == 3, folder.lines())


@case
def processes_without_a_lock_agree():
    # Candidates that are as good as equal: whoever measured first is right.
    folder = Folder()
    os.makedirs(folder.path, mode=0o700)
    processes = [folder.start(5, 6, 7, 8) for _ in range(4)]
    chosen = {result(process)[0]["chosen"] for process in processes}
    chosen.add(folder.run(5, 6, 7, 8)[0]["chosen"])
    expect(len(chosen) == 1, chosen)


@case
def tuning_again_replaces_records():
    folder = Folder()
    folder.run(300000, 1)
    again, _ = folder.run(300000, 1, TESSERA_TUNE="again")
    expect(again["timed"] == 2, again)
    after, _ = folder.run(300000, 1)
    expect(after["timed"] == 0 and len(folder.lines()) == 4, after)


@case
def tuning_may_be_off():
    folder = Folder()
    off, _ = folder.run(300000, 1, TESSERA_TUNE="off")
    expect(off["chosen"] == 300000 and off["timed"] == 0 and off["compiled"] == 1, off)
    folder.run(300000, 1)
    known, _ = folder.run(300000, 1, 7, TESSERA_TUNE="off")
    expect(known["chosen"] == 1 and known["timed"] == 0, known)
    process = folder.start(1, 2, TESSERA_TUNE="maybe")
    out, _ = process.communicate()
    expect("TESSERA_TUNE is `maybe`; it must be on, off or again" in out, out)


@case
def records_may_come_with_the_program():
    maker, user = Folder(), Folder()
    maker.run(300000, 1)
    known, _ = user.run(300000, 1, TESSERA_TUNE_RECORDS=maker.file)
    expect(known["timed"] == 0 and known["recorded"] == 2, known)
    expect(not os.path.exists(user.file), "nothing to be written")


@case
def damaged_files_are_no_obstacle():
    folder = Folder()
    folder.run(300000, 1)
    with open(folder.file, "ab") as file:
        file.write(b"\x00\xff rubbish\n" + b"tune1 x" * 100000)
    after, out = folder.run(300000, 1)
    expect(after["timed"] == 0, after)
    expect("1 damaged line in" in out, out)


@case
def a_candidate_that_hangs_is_left_out_by_the_next_process():
    folder = Folder()
    process = folder.start("--limit", 300, "--hang", 200000, 1)
    deadline = time.time() + 60
    while time.time() < deadline and not (os.path.exists(folder.file) and folder.lines()):
        time.sleep(0.05)
    expect(process.poll() is None, "it should hang")
    process.send_signal(signal.SIGKILL)
    _, err = process.communicate()
    expect("candidate {rounds=-1, block=64} has not ended after 300 ms; if it never does, end this process" in err, err)
    after, out = folder.run("--limit", 300, "--hang", 200000, 1)
    expect(after["chosen"] == 1 and after["skipped"] == 1, after)
    expect("did not end within 300 ms" in out, out)


@case
def candidates_that_fault_or_hang_do_no_harm_apart():
    folder = Folder()
    first, out = folder.run("--isolate", "--limit", 500, "--fault", 300000, "--hang", 1)
    expect(first["chosen"] == 1 and first["skipped"] == 2 and first["timed"] == 2, first)
    expect("skipped {rounds=-2, block=64}: its process was ended by signal 11" in out, out)
    expect("skipped {rounds=-1, block=64}: did not end within 500 ms" in out, out)
    after, _ = folder.run("--isolate", "--limit", 500, "--fault", 300000, "--hang", 1)
    expect(after["ending"] == "recorded" and after["chosen"] == 1 and after["compiled"] == 1, after)


@case
def timing_apart_needs_its_program():
    process = Folder().start("--isolate", 300000, 1, TESSERA_TUNE_WORKER="/nowhere/tessera-tune")
    out, _ = process.communicate()
    expect("/nowhere/tessera-tune cannot time candidates: cannot start /nowhere/tessera-tune" in out, out)


@case
def kills_at_random_leave_sound_records():
    folder = Folder()
    for milliseconds in (50, 120, 200, 300, 450, 600, 800):
        process = folder.start(300, 1, 200)
        time.sleep(milliseconds / 1000)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    after, out = folder.run(300, 1, 200)
    expect(after["chosen"] == 1 and "damaged" not in out, after, out)
    again, _ = folder.run(300, 1, 200)
    expect(again["timed"] == 0, again)


@case
def folders_that_take_nothing_are_no_obstacle():
    folder = Folder()
    read_only, _ = folder.run(300000, 1, TESSERA_CACHE="ro")
    expect(read_only["chosen"] == 1 and not os.path.exists(folder.path), read_only)
    # A file of that name in the way of records.
    os.makedirs(folder.file, mode=0o700)
    os.chmod(folder.path, 0o700)
    blocked, out = folder.run(300000, 1)
    expect(blocked["chosen"] == 1, blocked)
    expect("tuning results are kept for this process only: cannot open" in out, out)


@case
def a_full_disk_is_no_obstacle():
    folder = Folder()
    os.makedirs(folder.path, mode=0o700)
    script = 'mount -t tmpfs -o size=4k,mode=700 tmpfs "$1" && head -c 8192 /dev/zero > "$1/filler"; shift; exec "$@"'
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        print("this user may not mount a disk")
        return
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", folder.path, PROGRAM, "300000", "1"], text=True,
                          capture_output=True, env={**os.environ, "TESSERA_CACHE": "rw", "TESSERA_CACHE_DIR": folder.path})
    expect(done.returncode == 0 and "chosen=1" in done.stdout, done)
    expect("No space left" in done.stderr, done)


if sys.argv[1] == "--list":
    print("\n".join(CASES))
else:
    PROGRAM = sys.argv[1]
    CASES[sys.argv[2]]()
