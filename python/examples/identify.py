"""Finds Young's modulus of a beam from a measured deflection: secant steps on runs of a deck.

The measurement is made here, with a modulus that the search does not know."""
import os
import tempfile

import symdyn as sd

deck = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../decks/tutorial/1-swing.prm")
settings = {"Mesh/Order": 1, "Mesh/Subdivisions": [6, 1, 1], "Loads/push/Traction": [0, -1000, 0], "Time/End time": 0.6, "Output/Write every": "never"}


def deflection(E):
    """The largest deflection of the tip [m]."""
    with tempfile.TemporaryDirectory() as folder:
        result = sd.run(deck, {**settings, "Materials/rubber/E": E}, output=os.path.join(folder, "run"))
        return result.history["tip.u_y"].min()


true = 1.37e7
measured = deflection(true)
E0, E1 = 1e7, 1.1e7
u0, u1 = deflection(E0), deflection(E1)
while abs(u1 - measured) > 1e-7 * abs(measured):
    E0, E1, u0 = E1, E1 + (measured - u1) * (E1 - E0) / (u1 - u0), u1
    u1 = deflection(E1)
print(f"E = {E1:.6g} Pa, error {abs(E1 / true - 1):.1e}")
assert abs(E1 / true - 1) < 1e-3
