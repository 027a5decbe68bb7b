"""Compares ratios of benchmark rows with recorded ones.

A ratio is our row over another of the same run: the best other system (`over` is `others`), or a row by its name, such as
the device's own copy. So it holds on another card of the kind, and when the card is warm. The recorded file is JSON:

    machine, measured, command   where the ratios come from
    tolerance                    how far below a ratio may fall, as a share of it; a row may have its own
    rows                         [{"row": "softmax 16384x4096 fp32", "over": "others", "ratio": 1.005}, ...]

Exit status: 0 if every recorded row was measured and none fell, 1 if not, 2 for a file that cannot be used.
"""

import argparse
import json
import math
import os
import sys

FIELDS = {"machine": str, "measured": str, "command": str, "tolerance": float, "rows": list}
ROW_FIELDS = {"row": str, "over": str, "ratio": float, "tolerance": float}
OURS = "tessera"
OTHERS = "others"


class BadFile(Exception):
    """A file that cannot be used, in words with its name."""


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def check_fields(where, found, fields, optional):
    if not isinstance(found, dict):
        raise BadFile(f"{where}: expected an object, found {json.dumps(found)[:80]}")
    for key in found:
        if key not in fields:
            raise BadFile(f"{where}: there is no key `{key}`; there are {', '.join(fields)}")
    for key, kind in fields.items():
        if key not in found:
            if key not in optional:
                raise BadFile(f"{where}: `{key}` is missing")
        elif not (is_number(found[key]) if kind is float else isinstance(found[key], kind)):
            raise BadFile(f"{where}: `{key}` is {json.dumps(found[key])[:80]}, which is no "
                          f"{'number' if kind is float else {str: 'text', list: 'list'}[kind]}")


def read_recorded(path):
    """The recorded file. BadFile if it is none."""
    try:
        with open(path) as file:
            recorded = json.load(file)
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise BadFile(f"{path}: is not JSON: {error}") from error
    check_fields(path, recorded, FIELDS, ())
    if not 0 <= recorded["tolerance"] < 1:
        raise BadFile(f"{path}: `tolerance` is {recorded['tolerance']}; it lies between 0 and 1")
    seen = set()
    for number, row in enumerate(recorded["rows"]):
        where = f"{path}: row {number + 1}"
        check_fields(where, row, ROW_FIELDS, ("tolerance",))
        if row["ratio"] <= 0:
            raise BadFile(f"{where}: `ratio` is {row['ratio']}; ratios are above 0")
        if not 0 <= row.get("tolerance", 0) < 1:
            raise BadFile(f"{where}: `tolerance` is {row['tolerance']}; it lies between 0 and 1")
        key = (row["row"], row["over"])
        if key in seen:
            raise BadFile(f"{where}: `{row['row']}` over `{row['over']}` is listed twice")
        seen.add(key)
    return recorded


def result_files(paths):
    for path in paths:
        if os.path.isdir(path):
            names = sorted(name for name in os.listdir(path) if name.endswith(".jsonl"))
            if not names:
                raise BadFile(f"{path}: holds no .jsonl file")
            yield from (os.path.join(path, name) for name in names)
        else:
            yield path


def read_results(paths):
    """{row: {system: (value, unit)}} of files with a JSON object a line, or of all such files in a folder. Lines that are
    no rows are passed over; of rows that were measured twice the later one counts."""
    table = {}
    for path in result_files(paths):
        try:
            with open(path) as file:
                lines = file.readlines()
        except OSError as error:
            raise BadFile(f"{path}: {error.strerror}") from error
        for number, line in enumerate(lines, 1):
            if not line.startswith("{"):
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                raise BadFile(f"{path}:{number}: is not JSON: {error}") from error
            if "bench" not in row:
                continue
            try:
                name = f"{row['bench']} {row['shape']} {row['dtype']}"
                table.setdefault(name, {})[row["system"]] = (row["value"], row["unit"])
            except KeyError as error:
                raise BadFile(f"{path}:{number}: a row without {error}") from error
    return table


def best(systems):
    """The best (value, unit) of some systems; None if there is none."""
    found = [each for each in systems.values() if is_number(each[0]) and each[0] > 0]
    if not found:
        return None
    return min(found) if found[0][1] in ("us", "ms") else max(found)


def others_of(systems):
    return {system: value for system, value in systems.items() if not system.startswith(OURS)}


def ratio_of(table, row, over):
    """Ours over theirs, above 1 if we are faster; None and the reason if it cannot be told."""
    if row not in table:
        return None, "was not measured"
    ours = best({system: value for system, value in table[row].items() if system == OURS})
    if not ours:
        return None, "has no usable row of ours"
    if over == OTHERS:
        theirs = best(others_of(table[row]))
        if not theirs:
            return None, "has no row of another system beside it"
    else:
        theirs = best(table.get(over, {}))
        if not theirs:
            return None, f"`{over}`, which it is compared with, was not measured"
    if ours[1] != theirs[1]:
        return None, f"is in {ours[1]}, and `{over}` in {theirs[1]}"
    return (theirs[0] / ours[0] if ours[1] in ("us", "ms") else ours[0] / theirs[0]), ""


def compare(recorded, table, partial=False):
    """Lines of a report, and whether the guard holds. With \\p partial rows that were not measured do not matter."""
    lines, fell, missing, unmeasured = [], 0, 0, 0
    for row in recorded["rows"]:
        ratio, reason = ratio_of(table, row["row"], row["over"])
        title = f"{row['row']} over {row['over']}"
        tolerance = row.get("tolerance", recorded["tolerance"])
        if ratio is None:
            if partial:
                unmeasured += 1
                continue
            missing += 1
            lines.append(f"missing  {title}: {reason}")
        elif ratio < row["ratio"] * (1 - tolerance):
            fell += 1
            lines.append(f"FELL     {title}: {ratio:.3f}, recorded {row['ratio']:.3f} "
                         f"({100 * (ratio / row['ratio'] - 1):+.1f} %, {100 * tolerance:.1f} % allowed)")
        elif ratio > row["ratio"] * (1 + tolerance):
            lines.append(f"better   {title}: {ratio:.3f}, recorded {row['ratio']:.3f}; record it to hold it")
    known = {row["row"] for row in recorded["rows"] if row["over"] == OTHERS}
    for name, systems in table.items():
        if name not in known and OURS in systems and others_of(systems):
            ratio, _ = ratio_of(table, name, OTHERS)
            if ratio is not None:
                lines.append(f"new      {name} over {OTHERS}: {ratio:.3f}, not recorded")
    compared = len(recorded["rows"]) - missing - unmeasured
    if not compared and recorded["rows"]:
        lines.append("missing  none of the recorded rows was measured")
    lines.append(f"{compared} rows compared, {fell} fell, {missing + unmeasured} not measured")
    return lines, not fell and not missing and bool(compared or not recorded["rows"])


def record(recorded, table):
    """The recorded file with the ratios of \\p table, and lines about what was not measured and stays."""
    lines = []
    rows = []
    for row in recorded["rows"]:
        ratio, reason = ratio_of(table, row["row"], row["over"])
        if ratio is None:
            lines.append(f"kept     {row['row']} over {row['over']}: {reason}")
        rows.append(row if ratio is None else {**row, "ratio": round(ratio, 3)})
    known = {row["row"] for row in rows if row["over"] == OTHERS}
    for name, systems in table.items():
        if name not in known and OURS in systems and others_of(systems):
            ratio, _ = ratio_of(table, name, OTHERS)
            if ratio is not None:
                rows.append({"row": name, "over": OTHERS, "ratio": round(ratio, 3)})
                lines.append(f"new      {name} over {OTHERS}: {ratio:.3f}")
    return {**recorded, "rows": rows}, lines


def text_of(recorded):
    """One row a line, so that a change of one is a change of one line."""
    head = {key: value for key, value in recorded.items() if key != "rows"}
    rows = ",\n".join("    " + json.dumps(row) for row in recorded["rows"])
    return json.dumps(head, indent=2)[:-2] + ',\n  "rows": [\n' + rows + "\n  ]\n}\n"


def main(arguments):
    parser = argparse.ArgumentParser(prog="gpu-check", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--guard", metavar="FILE", required=True, help="the recorded ratios")
    parser.add_argument("--record", action="store_true", help="write the measured ratios to the file instead of comparing")
    parser.add_argument("--partial", action="store_true", help="rows that were not measured do not matter")
    parser.add_argument("results", nargs="+", help="what `run` wrote: its output folder, or .jsonl files")
    args = parser.parse_args(arguments)
    try:
        recorded, table = read_recorded(args.guard), read_results(args.results)
    except BadFile as problem:
        print(f"gpu-check: {problem}", file=sys.stderr)
        return 2
    if args.record:
        fresh, lines = record(recorded, table)
        with open(args.guard, "w") as file:
            file.write(text_of(fresh))
        print("\n".join([*lines, f"{args.guard}: {len(fresh['rows'])} rows; set `measured` and `machine` if they changed"]))
        return 0
    lines, holds = compare(recorded, table, args.partial)
    print("\n".join(lines))
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
