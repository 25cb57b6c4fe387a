"""Runs CalculiX (ccx) for the peers of this folder."""
import os
import re
import resource
import subprocess
import sys
import tempfile
import time


def add_options(arguments, threads):
    arguments.add_argument("--threads", default=threads)
    arguments.add_argument("--keep", help="folder for the deck and the results")


def call(job, threads):
    """Runs JOB.inp: wall seconds, and what CalculiX says."""
    environment = dict(os.environ, OMP_NUM_THREADS=threads, CCX_NPROC_EQUATION_SOLVER=threads)
    start = time.time()
    done = subprocess.run(["ccx", "-i", job], cwd=os.path.dirname(job), env=environment, capture_output=True, text=True)
    seconds = time.time() - start
    if done.returncode or not os.path.exists(job + ".dat") or "*ERROR" in done.stdout:
        sys.exit("CalculiX failed:\n" + done.stdout[-2000:] + done.stderr[-500:])
    return seconds, done.stdout


def usage():
    """Processor seconds and peak memory [MiB] of all programs that were called."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"cpu": used.ru_utime + used.ru_stime, "MiB": used.ru_maxrss / 1024}


def iterations(said):
    return len(re.findall(r"^ *iteration +\d+", said, re.M))


def run(folder, name, lines, threads, component):
    """Wall seconds, the last displacement of the tip along a component and the iterations of the deck with these lines."""
    job = os.path.join(folder, name)
    with open(job + ".inp", "w") as deck:
        deck.write("\n".join(lines) + "\n")
    seconds, said = call(job, threads)
    with open(job + ".dat") as table:
        rows = [line.split() for line in table if re.match(r"\s*\d+(\s+[-+.\dEe]+){3}\s*$", line)]
    return {"seconds": seconds, "tip": float(rows[-1][1 + component]), "iterations": iterations(said)}


def in_folder(keep, work):
    """work(folder), in a folder that is kept, or in one that goes."""
    if keep:
        return work(keep)
    with tempfile.TemporaryDirectory() as temporary:
        return work(temporary)
