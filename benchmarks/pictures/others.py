"""Figures of Gonzalez (1999), of Ariel, Sanz-Serna, Tsai (2012), of Kane, Marsden, Ortiz, West (1999), and the truss ring."""
import math

from common import change, exact, largest, newmark, oracle, partial, predicted, rattle, run, say, scheme, span, full
from panels import Panel

four, springs = "gonzalez-four-particles", "ast-two-springs"
axes, names = "xyz", "abcd"


def gonzalez_motion():
    """Figs. 2 and 3: paths, rates of the constraints."""
    history = run(four, [])
    paths = Panel("paths, t to 10", "x + y/2", "z + y/4")
    for name in names:
        paths.line([x + y / 2 for x, y in zip(history[f"{name}.x"], history[f"{name}.y"])],
                   [z + y / 4 for z, y in zip(history[f"{name}.z"], history[f"{name}.y"])], name)
    rates = Panel("rates of the constraints", "t", "dg/dt")
    rates.line(history["time"], history["gdot.left"], "left").line(history["time"], history["gdot.right"], "right")
    say("gonzalez: |E - E0|:", largest(change(history["E_total"])), "|g|:", max(history["g_max"]), "largest dg/dt:", largest(history["gdot.left"]),
        largest(history["gdot.right"]), "|P - P0|, |J - J0|:", *(max(largest(change(history[f"{of}_{a}"])) for a in axes) for of in "PJ"))
    return [paths, rates]


def gonzalez_convergence():
    """Fig. 4."""
    def end(history):
        return [history[f"d.{a}"][-1] for a in axes]
    limit = end(run(four, span(1e-5, 0.1), 10000))
    exact_run, steps = run(four, oracle + span(0.01, 0.1)), [0.02, 0.01, 0.005, 0.0025, 0.001, 5e-4, 2e-4, 1e-4]
    errors = {"q4, relative": [], "q4, its rate": [], "multipliers": []}
    for h in steps:
        history = run(four, span(h, 0.1))
        errors["q4, relative"].append(math.dist(end(history), limit) / math.hypot(*limit))
        errors["q4, its rate"].append(max(abs(history[f"d.v_{a}"][-1] - exact_run[f"d.v_{a}"][-1]) for a in axes))
        errors["multipliers"].append(max(abs(history[f"lambda.{n}"][-1] - exact_run[f"lambda.{n}"][-1]) for n in ("left", "right")))
    panel = Panel("errors at t = 0.1", "time step", "", log_x=True, log_y=True)
    for name, values in errors.items():
        panel.line(steps, values, name, marks=True)
        say("gonzalez", name, *values, "orders:", *(math.log(b / a) / math.log(k / h) for h, k, a, b in zip(steps[1:], steps, values[1:], values)))
    return [panel]


def gonzalez():
    return gonzalez_motion() + gonzalez_convergence()


columns = ([f"{n}.{a}" for n in ("near", "far") for a in "xy"], [f"{n}.v_{a}" for n in ("near", "far") for a in "xy"])
tolerance = {100: "1e-7", 1000: "1e-9", 10000: "1e-9"}


def at_end(history):
    return [[history[c][-1] for c in part] for part in columns]


def slow(omega):
    """Settings: this stiffness, and the projection as the paper has it."""
    of = [f"Constraints/omega={omega}"]
    for section in ("Slow manifold", "Integrator/rk4-slow-manifold"):
        of += [f"{section}/Filter=states", f"{section}/Not converged=accept", f"{section}/Tolerance={tolerance[omega]}"]
    return of


def projected(omega):
    return slow(omega) + ["Slow manifold/Project start=yes"]


def adams(relative, output=0.1):
    return oracle + span(output, 10) + [f"Integrator/adams/Relative tolerance={relative}", f"Integrator/adams/Absolute tolerance={relative * (0.01 if relative < 1e-8 else 1e-3)}"]


def pair_of_panels(title, x):
    return [Panel(f"{title}: {what}", x, "error at t = 10", log_x=True, log_y=True, y_limits=(1e-12, 10)) for what in ("positions", "velocities")]


def add_errors(panels, references, results, label):
    """results: omega -> (abscissas, ends)."""
    for omega, (x, ends) in results.items():
        errors = [[math.dist(end[part], references[omega][part]) for end in ends] for part in (0, 1)]
        for panel, values in zip(panels, errors):
            panel.line(x, values, f"omega = {omega}", marks=True)
        say(label, "omega", omega, "q:", *errors[0], "v:", *errors[1])


def ast_references():
    return {omega: at_end(run(springs, adams(1e-12, 0.01) + projected(omega), 1000)) for omega in tolerance}


def ast():
    """Figs. 2 to 6: errors of the slow motion."""
    references = ast_references()
    inverse = [2**k for k in range(3, 10)]
    rods = [at_end(run(springs, rattle + span(1 / n, 10), n)) for n in inverse]
    panels = pair_of_panels("Fig. 2, rods (rattle)", "H")
    add_errors(panels, references, {omega: ([1 / n for n in inverse], rods) for omega in tolerance}, "ast fig 2")
    relative = [10.0**-k for k in range(3, 9)]
    starts = {"Fig. 3, from the constraints": lambda omega: [f"Constraints/omega={omega}"], "Fig. 4, projected start": projected,
              "Fig. 5, projected each second": lambda omega: projected(omega) + ["Slow manifold/Project every=10"]}
    for title, start in starts.items():
        results = {omega: (relative, [at_end(run(springs, adams(r) + start(omega), 100)) for r in relative]) for omega in tolerance}
        panels += pair_of_panels(title, "relative tolerance")
        add_errors(panels[-2:], references, results, "ast " + title)
    inverse = [2**k for k in range(1, 7)]
    results = {omega: ([1 / n for n in inverse], [at_end(run(springs, scheme("rk4-slow-manifold") + projected(omega) + span(1 / n, 10), n)) for n in inverse])
               for omega in tolerance}
    panels += pair_of_panels("Fig. 6, Runge-Kutta on the manifold", "H")
    add_errors(panels[-2:], references, results, "ast fig 6")
    return panels


def kmow():
    """Figs. 4.1, 4.2, 6.1, 6.2."""
    conservative = {"newmark 1/4": newmark, "newmark 0": scheme("central-difference"), "variational": scheme("midpoint"), "Runge-Kutta 4": scheme("rk4"), "exact": oracle}
    panels = [Panel("Fig. 4.1: energy", "t", "E"), Panel("Fig. 4.2: angular momentum", "t", "J"),
              Panel("Fig. 6.1: energy with damping", "t", "E"), Panel("Fig. 6.2: energy with damping, longer", "t", "E")]
    for name, settings in conservative.items():
        history = run("kmow-conservative", settings + span(0.2, 100))
        panels[0].line(history["time"], history["E_total"], name, width=0.9, colour="#000" if name == "exact" else None)
        if name not in ("newmark 0", "variational"):
            panels[1].line(history["time"], history["J_z"], name, width=0.9, colour="#000" if name == "exact" else None)
        say("kmow 4", name, "E:", min(history["E_total"]), max(history["E_total"]), "at the end", history["E_total"][-1], "J:", min(history["J_z"]), max(history["J_z"]))
    damped = {"newmark 1/4": scheme("newmark-dalembert"), "d'Alembert": scheme("lagrange-dalembert"), "two-step": scheme("two-step"), "Runge-Kutta 4": scheme("rk4"), "exact": oracle}
    for name, settings in damped.items():
        for panel, end in zip(panels[2:], (300, 3000)):
            history = run("kmow-dissipative", settings + span(0.2, end), 1 if end == 300 else 5)
            panel.line(history["time"], history["E_total"], name, width=0.9, colour="#000" if name == "exact" else None)
        tail = history["E_total"][-50:]
        say("kmow 6", name, "mean E of the last 50 rows, t to 3000:", sum(tail) / 50)
    return panels


def truss():
    """The ring of bars."""
    panels = [Panel("E - E0, h = 0.01", "t", "", y_limits=(-0.001, 0.001)), Panel("|J - J0|", "t", "", log_y=True, y_limits=(1e-15, 1e-1))]
    cases = {"newmark 1/4": newmark, "central-difference": scheme("central-difference"), "zhang-skeel": full, "newmark-partial": partial,
             "discrete-gradient": scheme("discrete-gradient")}
    for name, settings in cases.items():
        history = run("truss-ring", settings + span(0.01, 200), 10)
        energy, angular = change(history["E_total"]), [abs(j) for j in change(history["J_z"])]
        panels[0].line(history["time"], energy, name, width=0.8)
        panels[1].line(history["time"][1:], angular[1:], name, width=0.8)
        say("truss", name, "E - E0:", min(energy), max(energy), "|J - J0|:", max(angular))
    return panels


figures = {"gonzalez": gonzalez, "ast": ast, "kmow": kmow, "truss": truss}
