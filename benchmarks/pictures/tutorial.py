"""Pictures of docs/tutorial.md, a step each."""
import os
import tempfile

from pictures.panels import Panel
from pictures.runs import history, results, root, symdyn
from tools import columns


def rendered(name, deck, *words):
    """A figure that `symdyn render` draws: no panels."""
    def draw(folder):
        with results(deck) as run:
            symdyn("render", run, "--size", "960x480", "--output", os.path.join(folder, f"{name}.png"), *words)
        return []
    return draw


def mesh(_):
    """The deflection by meshes of both orders."""
    panel = Panel("deflection of the tip", "degrees of freedom", "mm", log_x=True)
    for order, refinements in ((1, 4), (2, 3)):
        dofs, tips = [], []
        for refinement in range(refinements):
            with results("tutorial/2-cantilever", [f"Mesh/Order={order}", f"Mesh/Refinements={refinement}"]) as folder:
                tips.append(-1000 * columns(folder + "/history.csv")["tip.u_y"][-1])
            nodes = [5 * 2**refinement * order + 1, 2**refinement * order + 1, 2**refinement * order + 1]
            dofs.append(3 * nodes[0] * nodes[1] * nodes[2])
        panel.line(dofs, tips, f"order {order}", marks=True)
        print("mesh", order, *(f"{d} {t:.3f}" for d, t in zip(dofs, tips)), flush=True)
    panel.line([70, 1e4], [1.92, 1.92], "Timoshenko", dash="4 3", colour="#888888")
    return [panel]


def release(_):
    panel = Panel("the tip after the static stage", "t [s]", "tip.u_y [m]")
    for label, settings in {"the hand lets go": [], "the hand holds on": ["Stages/swing/Loads=weight, hand"]}.items():
        run = history("tutorial/3-sag-and-swing", settings)
        kept = [k for k, stage in enumerate(run["stage"]) if stage == "swing"]
        panel.line([run["time"][k] for k in kept], [run["tip.u_y"][k] for k in kept], label)
    return [panel]


def sweep(_):
    with results("tutorial/4-modes-and-sweep") as folder:
        run = columns(folder + "/harmonic-sweep.csv")
    amplitude = Panel("amplitude of the tip", "frequency [Hz]", "mm", log_y=True)
    amplitude.line(run["frequency"], [1000 * a for a in run["amplitude tip.u_y"]])
    phase = Panel("phase of the tip", "frequency [Hz]", "degrees")
    phase.line(run["frequency"], [p if p <= 0 else p - 360 for p in run["phase tip.u_y"]])
    return [amplitude, phase]


def tower(_):
    run = history("tutorial/6-tower")
    kept = [k for k, stage in enumerate(run["stage"]) if stage == "shake"]
    time = [run["time"][k] for k in kept]
    motion = Panel("displacements", "t [s]", "m").line(time, [run["base.u_x"][k] for k in kept], "ground").line(time, [run["top.u_x"][k] for k in kept], "top, from the ground", width=0.9)
    shear = Panel("base shear", "t [s]", "kN").line(time, [run["foundation.R_x"][k] / 1000 for k in kept], width=0.9)
    return [motion, shear]


def bar(_):
    run = history("tutorial/8-bar-that-yields")
    pulls = {stage: [k for k, name in enumerate(run["stage"]) if name == stage] for stage in ("pull", "unload", "jerk")}
    static = Panel("pulled and unloaded", "elongation [mm]", "force of the wall [kN]")
    for stage in ("pull", "unload"):
        rows = ([pulls["pull"][-1]] if stage == "unload" else []) + pulls[stage]
        static.line([1000 * run["end.u_x"][k] for k in rows], [-run["wall.R_x"][k] / 1000 for k in rows], stage, marks=True)
    sudden = Panel("pulled at once", "t [ms]", "")
    rows = pulls["jerk"]
    time = [1000 * run["time"][k] for k in rows]
    sudden.line(time, [1000 * run["end.u_x"][k] for k in rows], "elongation [mm]").line(time, [1000 * run["p_max"][k] for k in rows], "1000 x plastic strain")
    return [static, sudden]


def ball(_):
    run = history("tutorial/9-ball")
    mass = run["P_x"][0] / 1.5
    speed = Panel("speed along the floor", "t [s]", "m/s").line(run["time"], [p / mass for p in run["P_x"]], "P_x / m")
    speed.line([0, max(run["time"])], [1, 1], "2/3 of 1.5 m/s", dash="4 3", colour="#888888")
    force = Panel("force of the floor", "t [s]", "N").line(run["time"], run["drop.force_y"], "upwards", width=0.9).line(run["time"], run["drop.force_x"], "friction", width=0.9)
    return [speed, force]


def spectrum(_):
    with tempfile.TemporaryDirectory() as folder:
        symdyn("spectrum", "decks/examples/record.csv", "--frequencies", "0.25,25", "--q", "10", "--output", folder + "/spectrum.csv")
        record = columns(folder + "/spectrum.csv")
    with open(os.path.join(root, "decks/tutorial/10-design-spectrum.csv"), encoding="utf-8") as file:
        design = [[float(word) for word in line.split()] for line in file if line.strip() and not line.startswith("#")]
    panel = Panel("spectra of 5 % damping", "frequency [Hz]", "acceleration [g]", log_x=True)
    panel.line([f for f, _ in design], [a for _, a in design], "design", marks=True).line(record["frequency"], record["pseudo-acceleration"], "record of chapter 6")
    return [panel]


def rotor(_):
    with results("tutorial/11-rotor") as folder:
        run, orbits = columns(folder + "/campbell-map-plot.csv"), columns(folder + "/unbalance-whirl.csv")
    panel = Panel("Campbell diagram, fixed axes", "speed [rad/s]", "frequency [Hz]")
    for branch, label in {"branch 1": "forward", "branch 2": "backward", "branch 4": "disc, forward", "branch 5": "disc, backward"}.items():
        panel.line(run["speed"], run[branch], label)
    panel.line(run["speed"], run["order 1"], "unbalance", dash="4 3", colour="#888888")
    orbit = Panel("orbit of the disc", "speed [rad/s]", "radius [mm]", log_y=True)
    orbit.line(orbits["speed"][1:], [1000 * r for r in orbits["rim.orbit"][1:]])
    return [panel, orbit]


figures = {"tutorial-swing": rendered("tutorial-swing", "tutorial/1-swing"), "tutorial-mesh": mesh, "tutorial-release": release, "tutorial-sweep": sweep,
           "tutorial-board": rendered("tutorial-board", "tutorial/5-thrown", "--time", "1.2"), "tutorial-tower": tower, "tutorial-bar": bar, "tutorial-ball": ball,
           "tutorial-spectrum": spectrum, "tutorial-rotor": rotor}
