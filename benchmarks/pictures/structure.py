"""Pictures of docs/theory-structure.md: areas of states, energies and momenta of a thrown board."""
from pictures.panels import Panel
from pictures.runs import history

count = 240
ring = [f"Points/state/Count={count}", f"Points/state/Position=1 + 0.5*cos(2*pi*i/{count})", f"Points/state/Velocity=1.5*sin(2*pi*i/{count})", "Time/Time step=0.2", "Time/End time=20"]
times = (0, 0.6, 1.2, 20)


def states(run, time):
    """Angles and speeds, the first one again at the end."""
    k = min(range(len(run["time"])), key=lambda n: abs(run["time"][n] - time))
    return [[run[f"state{i % count}.{name}"][k] for i in range(count + 1)] for name in ("x", "v_x")]


def area(x, v):
    return abs(sum(x[i] * v[i + 1] - x[i + 1] * v[i] for i in range(count))) / 2


def areas(_):
    """The same ring of states, advanced by three schemes."""
    panels = []
    for name, settings in {"midpoint": [], "rk4": [], "hht-alpha": ["Integrator/hht-alpha/alpha=-0.3"]}.items():
        run = history("examples/pendulum-states", ring + [f"Integrator/Scheme={name}"] + settings)
        panel = Panel(name, "angle [rad]", "speed [rad/s]", x_limits=(-1.8, 1.8), y_limits=(-5.2, 5.2))
        for time in times:
            x, v = states(run, time)
            part = area(x, v) / area(*states(run, 0))
            panel.line(x, v, f"{time:g} s: {100 * part:.1f} %", fill=0.35, width=0.9)
            print(name, time, f"{part:.4f}", flush=True)
        panels.append(panel)
    return panels


def board(scheme, step, end=30, more=()):
    rows = max(1, round(0.05 / step))
    return history("tutorial/5-thrown", [f"Integrator/Scheme={scheme}", f"Time/Time step={step}", f"Time/End time={end}", f"Output/History every={rows}", *more])


def change(run, name):
    return [(value - run[name][0]) / run[name][0] for value in run[name]]


board_runs = {"central-difference, 2 ms": ("central-difference", 0.002), "rk4, 2 ms": ("rk4", 0.002), "midpoint, 5 ms": ("midpoint", 0.005),
              "discrete-gradient, 10 ms": ("discrete-gradient", 0.01), "generalized-alpha, 10 ms": ("generalized-alpha", 0.01), "hht-alpha, 10 ms": ("hht-alpha", 0.01)}


def energy_and_momentum(_):
    energy = Panel("energy of the board", "t [s]", "change of the energy [%]")
    momentum = Panel("angular momentum of the board", "t [s]", "|change| / momentum", log_y=True, y_limits=(1e-16, 1e-1))
    for label, (scheme, step) in board_runs.items():
        run = board(scheme, step)
        energy.line(run["time"], [100 * e for e in change(run, "E_total")], label)
        momentum.line(run["time"][1:], [max(abs(j), 1e-16) for j in change(run, "J_y")[1:]], label)
        print(label, f"E: {min(change(run, 'E_total')):.2e} to {max(change(run, 'E_total')):.2e}, J: {change(run, 'J_y')[-1]:.2e}", flush=True)
    return [energy, momentum]


def bands(_):
    """The energy of one pendulum, about 45 swings, and what halving the step does to it."""
    panels = []
    for scheme in ("midpoint", "rk4"):
        panel = Panel(scheme, "t [s]", "change of the energy [%]")
        for step in (0.2, 0.1):
            run = history("examples/pendulum-states", ["Points/state/Count=1", f"Time/Time step={step}", "Time/End time=100", f"Integrator/Scheme={scheme}"])
            panel.line(run["time"], [100 * e for e in change(run, "E_total")], f"h = {step:g} s", width=0.8)
            print("band", scheme, step, f"{min(change(run, 'E_total')):.2e} {max(change(run, 'E_total')):.2e}", flush=True)
        panels.append(panel)
    return panels


figures = {"structure-areas": areas, "structure-board": energy_and_momentum, "structure-bands": bands}
