"""Runs programs that may crash, hang or lose the device, and goes on behind the place where they did."""

import os
import queue
import re
import selectors
import signal
import subprocess
import threading
import time

LOST = "the device is lost to this process"
LOST_BEFORE = "the device was lost by an earlier error"


class Ended:
    """How a program ended: its status, and words for an end that is not normal."""

    def __init__(self, status, words=""):
        self.status = status
        self.words = words or (f"ended by signal {signal.Signals(-status).name}" if status < 0 else "")


HUNG, LATE = Ended(-signal.SIGKILL, "hung"), Ended(-signal.SIGKILL, "out of time")


def stream(command, env, deadline, silence):
    """The lines of a program, and last how it Ended."""
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    os.set_blocking(process.stdout.fileno(), False)
    selector = selectors.DefaultSelector()
    selector.register(process.stdout, selectors.EVENT_READ)
    rest, last, ended = b"", time.monotonic(), None
    try:
        while ended is None:
            now = time.monotonic()
            if now > deadline:
                ended = LATE
            elif now - last > silence:
                ended = HUNG
            elif selector.select(timeout=min(1, max(0.01, deadline - now))):
                part = process.stdout.read()
                if part == b"":
                    break
                last = now
                *lines, rest = (rest + (part or b"")).split(b"\n")
                for line in lines:
                    yield line.decode(errors="replace")
        if rest:
            yield rest.decode(errors="replace")
        yield ended or Ended(process.wait())
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Tests:
    """The cases of a GoogleTest binary, a few processes at a time."""

    def __init__(self, binary, env, prefix=(), pattern="*", limit=None):
        self.binary, self.env, self.prefix = binary, env, list(prefix)
        self.passed, self.skipped, self.failed, self.log = [], [], [], []
        self.lock = threading.Lock()
        self.names = self.list(pattern)[:limit]
        self.left = set(self.names)

    def list(self, pattern):
        out = subprocess.run([self.binary, "--gtest_list_tests", f"--gtest_filter={pattern}"], env=self.env, text=True,
                             capture_output=True, check=True).stdout
        names, suite = [], ""
        for line in out.splitlines():
            name = line.split("#")[0].rstrip()
            if not line.startswith(" "):
                suite = name
            elif name:
                names.append(suite + name.strip())
        return [name for name in names if name.count(".")]

    def run(self, workers, seconds, chunk=24, silence=60):
        deadline = time.monotonic() + seconds
        chunks = queue.Queue()
        # Neighbours have similar costs: spread them.
        count = max(1, min(len(self.names), max(workers, -(-len(self.names) // chunk))))
        for i in range(count):
            chunks.put(self.names[i::count])
        def work():
            while time.monotonic() < deadline:
                try:
                    names = chunks.get_nowait()
                except queue.Empty:
                    return
                while names and time.monotonic() < deadline:
                    names = self.run_some(names, deadline, silence)
        threads = [threading.Thread(target=work) for _ in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def run_some(self, names, deadline, silence):
        """Runs these cases in one process and returns those that it did not come to."""
        current, text, done, lost = None, [], set(), False
        command = [*self.prefix, self.binary, "--gtest_filter=" + ":".join(names), "--gtest_color=no"]
        ended = None
        for line in stream(command, self.env, deadline, silence):
            if isinstance(line, Ended):
                ended = line
                break
            match = re.match(r"\[ +(RUN|OK|FAILED|SKIPPED) +\] ([^ ,]+)", line)
            if not match or (match[1] != "RUN" and match[2] != current):
                text.append(line)
                continue
            kind, name = match.groups()
            if kind == "RUN":
                current, text = name, []
                continue
            output = "\n".join(text)
            if kind == "FAILED" and LOST_BEFORE in output and LOST not in output.split(LOST_BEFORE)[0]:
                break  # by a case before it
            self.finish(name, kind, output)
            done.add(name)
            current = None
            if LOST in output:
                lost = True
                break
        if ended is LATE:
            return []
        if current and ended and ended.words:
            self.finish(current, "FAILED", "\n".join(text) + f"\n{ended.words}")
            done.add(current)
        elif not done and not lost:
            # Nothing happened: no case would ever be done.
            for name in names:
                self.finish(name, "FAILED", "\n".join(text) + "\nthe program did not run it")
            return []
        return [name for name in names if name not in done]

    def finish(self, name, kind, output):
        with self.lock:
            self.left.discard(name)
            {"OK": self.passed, "SKIPPED": self.skipped, "FAILED": self.failed}[kind].append(name)
            if kind == "FAILED":
                self.log.append(f"== {os.path.basename(self.binary)} {name}\n{output[:6000]}\n")

    def summary(self):
        return dict(passed=len(self.passed), failed=len(self.failed), skipped=len(self.skipped), not_run=len(self.left),
                    first_failures=sorted(self.failed)[:6])


class Seeds:
    """Random kernels: ranges of seeds, a few processes at a time."""

    def __init__(self, binary, env, device, prefix=()):
        self.command = [*prefix, binary, "--device", device, "--verbose", "--tries", "150"]
        self.env = env
        self.lock = threading.Lock()
        self.done, self.failed, self.log = 0, [], []

    def run(self, first, count, workers, seconds, silence=45):
        deadline = time.monotonic() + seconds
        self.wanted = count
        def work(i):
            start, end = first + count * i // workers, first + count * (i + 1) // workers
            while start < end and time.monotonic() < deadline:
                start = self.run_from(start, end, deadline, silence)
        threads = [threading.Thread(target=work, args=(i,)) for i in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def run_from(self, start, end, deadline, silence):
        """Runs the seeds from start to end and returns where to go on."""
        current, text, ended, failing = None, [], None, False
        for line in stream([*self.command, "--first", str(start), "--count", str(end - start)], self.env, deadline, silence):
            if isinstance(line, Ended):
                ended = line
                break
            if match := re.fullmatch(r"seed (\d+)", line):
                self.finish(current, text, failing)
                current, text, failing = int(match[1]), [], False
                continue
            failing |= bool(re.match(r"seed \d+ on |seed \d+: ", line))
            text.append(line)
        if ended is LATE:
            return end
        if current is None:
            with self.lock:
                self.failed.append(start)
                self.log.append(f"== seeds from {start}: no seed was begun\n" + "\n".join(text)[:4000] + "\n")
            return end
        self.finish(current, [*text, ended.words], failing or bool(ended.words))
        return current + 1

    def finish(self, seed, text, failing):
        if seed is None:
            return
        with self.lock:
            self.done += 1
            if failing:
                self.failed.append(seed)
                self.log.append(f"== seed {seed}\n" + "\n".join(text)[:6000] + "\n")

    def summary(self):
        return dict(passed=self.done - len(self.failed), failed=len(self.failed), skipped=0,
                    not_run=max(0, self.wanted - self.done), first_failures=[f"seed {s}" for s in sorted(self.failed)[:8]])
