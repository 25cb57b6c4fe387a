"""An actuator damps a swinging beam: a force on the nodes of its tip, against their velocity, sampled at the start of each step.

The deck is the first one of the tutorial, coarser. The second peak of the tip about its last position is halved at least."""
import os

import numpy as np
import symdyn as sd

deck = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../decks/tutorial/1-swing.prm")
settings = {"Mesh/Order": 1, "Mesh/Subdivisions": [10, 2, 2], "Loads/push/Traction": [0, -1000, 0], "Time/End time": 8}


def second_peak(gain):
    """How far the tip swings back in its second period [m]."""
    model = sd.Model(deck, settings)
    tip = model.nodes("tip")
    force = model.add_nodal_force("actuator", tip)
    t, u = [], []
    for step in model.steps():
        force[:] = -gain * model.velocity[tip]
        t.append(step.t)
        u.append(model.displacement[tip, 1].mean())
    u = np.array(u)
    peaks = [k for k in range(1, len(u) - 1) if u[k - 1] >= u[k] < u[k + 1]]  # downwards
    rest = np.mean(u[len(u) // 3:])
    return abs(u[peaks[1]] - rest)


free, controlled = second_peak(0.), second_peak(100.)
print(f"second peak: {free:.4f} m free, {controlled:.4f} m with the actuator")
assert controlled < 0.5 * free, "the actuator does not halve the second peak"
