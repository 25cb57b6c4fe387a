"""Figs. 1 to 10 of Tao and Owhadi (2015)."""
import math

from common import change, exact, full, largest, newmark, norm, oracle, partial, predicted, run, say, scheme, shake, span, stiff
from panels import Panel

pendulum, water, body = "to-double-pendulum", "to-water-7", "to-rigid-body"


def fig1():
    """Errors of the lower bob of the double pendulum."""
    names = ["lower.x", "lower.y"]
    reference = run(pendulum, oracle + exact)
    cases = {"SHAKE": shake, "variational Euler, h = 0.005": scheme("symplectic-euler") + span(0.005, 50), "newmark": newmark,
             "newmark-partial, previous": partial, "newmark-partial, predictor": predicted, "zhang-skeel": full}
    panels = [Panel("error of the lower bob", "t", "largest of x, y", log_y=True, y_limits=(1e-4, 10)),
              Panel("height of the lower bob", "t", "y", x_limits=(0, 20))]
    panels[1].line(reference["time"], reference["lower.y"], "rigid (oracle)", colour="#000")
    for name, settings in cases.items():
        history = run(pendulum, settings, 20 if "h = 0.005" in name else 1, may_fail=True)
        error = [max(abs(history[c][k] - reference[c][k]) for c in names) for k in range(len(history["time"]))]
        panels[0].line(history["time"][1:], error[1:], name)
        if name in ("SHAKE", "zhang-skeel"):
            panels[1].line(history["time"], history["lower.y"], name, dash="5 3")
        say("fig 1", name, "rows", len(error), "to t = 5:", max(error[:51]), "to 20:", max(error[:201]), "to the end:", max(error))
    return panels


def fig2():
    """omega^2 g as omega grows; multipliers."""
    fine, omegas = full + ["Time/Time step=0.01"], [5, 7, 10, 14, 20, 28, 40, 57, 80, 113, 160, 226, 320]
    at_end, most = [], []
    for omega in omegas:
        history = run(pendulum, fine + [f"Constraints/omega={omega}"])
        g = norm(history["g.hanger"], history["g.rod"])
        at_end.append(omega**2 * g[-1])
        most.append(omega**2 * max(g[4501:]))
        say("fig 2a: omega", omega, "omega^2 |g| at t = 50:", at_end[-1], "largest from 45 to 50:", most[-1])
    first = Panel("omega² |g|, h = 0.01", "omega", "", log_x=True, y_limits=(0, 1.1 * max(most))).line(omegas, most, "largest, t = 45 to 50", marks=True)
    first.line(omegas, at_end, "at t = 50", marks=True, line=False)
    soft = run(pendulum, fine + ["Time/End time=10", "Monitors/Multiplier window=0.2"])
    rods = run(pendulum, shake + span(0.01, 10))
    second = Panel("multiplier of the hanger", "t", "lambda", x_limits=(0, 10))
    second.line(soft["time"], [-400 * g for g in soft["g.hanger"]], "- omega² g, omega = 20", colour="#bbbbbb", width=0.8)
    second.line([t - 0.1 for t in soft["time"]], soft["lambda_mean.hanger"], "its means over 0.2", colour="#d1495b")
    second.line(rods["time"], rods["lambda.hanger"], "SHAKE", colour="#1f5fa8")
    return [first, second]


def apart(history, finer, rows):
    """Largest difference of a coordinate of a bob from a run of twice as many steps."""
    return max(abs(history[f"bob{b}.{a}"][k] - finer[f"bob{b}.{a}"][2 * k]) for b in range(10) for a in "xy" for k in range(rows + 1))


def fig3():
    """The chain of ten."""
    cases = {"SHAKE, h = 0.05": shake, "SHAKE, h = 0.025": shake + span(0.025, 20), "zhang-skeel, h = 0.05": full}
    runs = {name: run("to-pendulum-chain", settings) for name, settings in cases.items()}
    panels = []
    for bob in ("bob4", "bob9"):
        panel = Panel(f"{'middle' if bob == 'bob4' else 'last'} bob, x", "t", f"{bob}.x")
        for (name, history), dash in zip(runs.items(), ("", "6 3", "")):
            panel.line(history["time"], history[f"{bob}.x"], name, dash=dash)
        panels.append(panel)
    half, soft, fine = runs["SHAKE, h = 0.05"], runs["zhang-skeel, h = 0.05"], runs["SHAKE, h = 0.025"]
    for end in (2, 5, 10, 20):
        say("fig 3 to t =", end, "SHAKE h - h/2:", apart(half, fine, 20 * end), "zhang-skeel - SHAKE h/2:", apart(soft, fine, 20 * end))
    return panels


def distances(history, count, skip):
    """Distances of the oxygens in the rows after the first `skip`."""
    for n in range(skip, len(history["time"])):
        places = [[history[f"O{i}.{axis}"][n] for axis in "xyz"] for i in range(count)]
        for i in range(count):
            for j in range(i):
                yield math.dist(places[i], places[j])


def histogram(values, low, high, bins):
    """Middles of the bins, and the density."""
    counts, total = [0] * bins, 0
    for value in values:
        total += 1
        if low <= value < high:
            counts[int((value - low) / (high - low) * bins)] += 1
    width = (high - low) / bins
    return [low + (k + 0.5) * width for k in range(bins)], [c / (total * width) for c in counts]


bath = ["Integrator/langevin/kT=0.02", "Integrator/langevin/seed=1"]
bases = {"zhang-skeel-stiff": ["Integrator/langevin/base=zhang-skeel-stiff"],
         "SHAKE": ["Integrator/langevin/base=shake", "Constraints/Treatment=exact"]}


def warmed(deck, base, gamma, end):
    """A run in the heat bath: oxygens each unit of time."""
    settings = scheme("langevin", f"Integrator/langevin/gamma={gamma}", *bases[base]) + bath
    return run(deck, settings + ["Points/Report=O"] + span(0.05, end), 20)


def fig4():
    """Oxygen-oxygen distances of seven waters in a heat bath."""
    panels = []
    for gamma, end in ((0.01, 10000), (0.2, 10000)):
        panel = Panel(f"gamma = {gamma}, t to {end}", "distance of oxygens [A]", "density [1/A]")
        for name in bases:
            history = warmed(water, name, gamma, end)
            panel.line(*histogram(distances(history, 7, len(history["time"]) // 10), 2, 8, 120), name)
            half = len(history["time"]) // 2
            kinetic = history["E_kinetic"]
            say("fig 4 gamma", gamma, name, "mean kinetic energy / kT, both halves:", sum(kinetic[:half]) / half / 0.02, sum(kinetic[half:]) / (len(kinetic) - half) / 0.02,
                "seconds:", history["wall seconds"]["total"])
        panels.append(panel)
    return panels


def fig5():
    """Multipliers of a molecule."""
    rigid = run(water, shake + span(0.01, 10))
    soft = run(water, stiff + span(0.001, 10) + ["Constraints/omega=500", "Monitors/Multiplier window=0.2"], 10)
    panels = []
    for bond in ("left O0 - HA0", "base HA0 - HB0"):
        panel = Panel(f"multiplier of {bond[:4]}, molecule 0", "t", "lambda")
        panel.line(soft["time"], [-500**2 * g for g in soft[f"g.{bond}"]], "- omega² g, omega = 500", colour="#bbbbbb", width=0.8)
        panel.line([t - 0.1 for t in soft["time"][20:]], soft[f"lambda_mean.{bond}"][20:], "its means over 0.2", colour="#d1495b")
        panel.line(rigid["time"], rigid[f"lambda.{bond}"], "SHAKE", colour="#1f5fa8")
        off = [abs(soft[f"lambda_mean.{bond}"][k + 10] - rigid[f"lambda.{bond}"][k]) for k in range(10, 300)]
        say("fig 5", bond, "largest multiplier:", largest(rigid[f"lambda.{bond}"]), "mean difference, t to 3:", sum(off) / len(off))
        panels.append(panel)
    return panels


def fig6():
    """Energy and momenta without a bath."""
    panels = [Panel("E - E0", "t", "kcal/mol", y_limits=(-2, 2)), Panel("|P - P0|", "t", "", log_y=True, y_limits=(1e-16, 1)),
              Panel("|J - J0|", "t", "", log_y=True, y_limits=(1e-13, 100))]
    cases = {"zhang-skeel-stiff": stiff, "SHAKE": shake, "newmark-partial, previous": partial, "newmark-partial, predictor": predicted}
    for name, settings in cases.items():
        history = run(water, settings + span(0.05, 500), may_fail=True)
        t = history["time"]
        energy, p, j = change(history["E_total"]), *(norm(*(change(history[f"{of}_{axis}"]) for axis in "xyz")) for of in "PJ")
        for panel, values in zip(panels, (energy, p, j)):
            panel.line(t, values, name)
        say("fig 6", name, "to t =", t[-1], "|E - E0|:", largest(energy), "|P - P0|:", largest(p), "|J - J0|:", largest(j))
    return panels


def fig7():
    """The same for a hundred waters, from a start in equilibrium."""
    panel = Panel("100 waters, kT = 0.02, gamma = 1, t to 50", "distance of oxygens [A]", "density [1/A]")
    for name in bases:
        history = warmed("to-water-100", name, 1, 50)
        panel.line(*histogram(distances(history, 100, 10), 2, 12, 120), name)
        kinetic = history["E_kinetic"]
        say("fig 7", name, "mean kinetic energy / kT:", sum(kinetic) / len(kinetic) / 0.02, "seconds:", history["wall seconds"]["total"])
    return [panel]


def fig8():
    """Mean angle of DNA."""
    panels = [Panel("mean angle", "t", "rad"), Panel("phase portrait of the mean", "mean angle", "mean rate"), Panel("energy", "t", "E")]
    for name, settings, rows in (("Verlet, h = 0.2", scheme("central-difference") + span(0.2, 6000), 20), ("zhang-skeel, h = 2", full + span(2, 6000), 2)):
        history = run("to-dna", settings + ["Points/Report=base"], rows)
        angle, rate = ([sum(row) / 200 for row in zip(*(history[f"base{k}.{what}"] for k in range(200)))] for what in ("x", "v_x"))
        panels[0].line(history["time"], angle, name, width=0.9)
        panels[1].line(angle, rate, name, width=0.7)
        panels[2].line(history["time"], history["E_total"], name, width=0.9)
        energy = history["E_total"][1:]
        say("fig 8", name, "mean angle:", min(angle), "to", max(angle), "E at the start:", history["E_total"][0], "mean E:", sum(energy) / len(energy),
            "of", min(energy), "to", max(energy))
    return panels


def fig10():
    """Figs. 9 and 10: the turning body."""
    free = ["Rigid bodies/body/Rigidity=0"]
    held = oracle + free + ["Constraints/rotation/Law=orthonormal", "Constraints/rotation/Body=body"]
    reference = run(body, held)
    cases = {"zhang-skeel": full, "text's equation (beta = 0.2)": full + ["Integrator/zhang-skeel/beta=0.2"], "hp-cayley": scheme("hp-cayley", *free)}
    panels = [Panel("direction of the dipole", "t", "R13, R33", y_limits=(-1.2, 1.7)), Panel("|R - R(oracle)|, largest entry", "t", "", log_y=True, y_limits=(1e-4, 3)),
              Panel("E - E0", "t", ""), Panel("R'R - 1, largest entry", "t", "", log_y=True, y_limits=(1e-17, 1))]
    panels[0].line(reference["time"], reference["body_3.x"], "R13, oracle", colour="#000").line(reference["time"], reference["body_3.z"], "R33, oracle", colour="#888")
    for name, settings in cases.items():
        history = run(body, settings)
        t = history["time"]
        error = [max(abs(history[f"body_{j}.{a}"][k] - reference[f"body_{j}.{a}"][k]) for j in (1, 2, 3) for a in "xyz") for k in range(len(t))]
        if name == "zhang-skeel":
            panels[0].line(t, history["body_3.x"], "zhang-skeel", dash="5 3", colour="#d1495b").line(t, history["body_3.z"], "", dash="5 3", colour="#d1495b")
        for panel, values in zip(panels[1:], (error, change(history["E_total"]), history["body.rotation_error"])):
            panel.line(t[1:], values[1:], name)
        say("fig 10", name, "error to t = 5:", max(error[:51]), "to 20:", max(error), "|E - E0|:", largest(change(history["E_total"])), "R'R - 1:", max(history["body.rotation_error"]))
    return panels


figures = {"to-1": fig1, "to-2": fig2, "to-3": fig3, "to-4": fig4, "to-5": fig5, "to-6": fig6, "to-7": fig7, "to-8": fig8, "to-10": fig10}
