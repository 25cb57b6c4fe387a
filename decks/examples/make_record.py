#!/usr/bin/env python3
"""Writes record.csv, the ground motion of tower.prm: an artificial earthquake, not a measured one.

    python3 make_record.py > record.csv

White noise, filtered as by soft ground (Kanai 1957, Tajimi 1960) of 2.5 Hz and a ratio of 0.6, and by a high pass of 0.2 Hz that takes away what
no ground can do (Clough and Penzien, Dynamics of Structures, 24-3); the envelope rises like t^2 up to 2 s and falls from 10 s on (Jennings, Housner
and Tsai 1968). Velocity and displacement are brought to zero at the end by a baseline of third order, and the largest acceleration to 0.35 g, that
of El Centro 1940. Always the same: the noise comes from a generator in this file (Park and Miller 1988), not from Python's.
"""
import math

STEP, DURATION = 0.02, 20.0             # [s]
PEAK = 0.35                             # [g]
GROUND, GROUND_RATIO = 2.5, 0.6         # [Hz], [-]
HIGH_PASS, HIGH_PASS_RATIO = 0.2, 0.6
RISE, DECAY_FROM, DECAY = 2.0, 10.0, 0.35   # [s], [s], [1/s]
SEED = 1940
SUBSTEPS = 10                           # of the filters in a step


def noise(count, seed):
    """Normal numbers, by pairs (Box and Muller 1958)."""
    def uniform():
        nonlocal seed
        seed = 16807 * seed % 2147483647
        return seed / 2147483647.0
    numbers = []
    while len(numbers) < count:
        size, angle = math.sqrt(-2.0 * math.log(uniform())), 2.0 * math.pi * uniform()
        numbers += [size * math.cos(angle), size * math.sin(angle)]
    return numbers[:count]


def filtered(signal, frequency, ratio, answer):
    """The answer of x'' + 2 zeta w x' + w^2 x = signal (constant over a step), by the midpoint rule."""
    w, h = 2.0 * math.pi * frequency, STEP / SUBSTEPS
    x = v = 0.0
    result = []
    for value in signal:
        for _ in range(SUBSTEPS):
            acceleration = (value - 2.0 * ratio * w * v - w * w * (x + 0.5 * h * v)) / (1.0 + ratio * w * h + 0.25 * w * w * h * h)
            x += h * v + 0.5 * h * h * acceleration
            v += h * acceleration
        result.append(answer(x, v, value, w, ratio))
    return result


def envelope(t):
    return (t / RISE) ** 2 if t < RISE else 1.0 if t < DECAY_FROM else math.exp(-DECAY * (t - DECAY_FROM))


def moments(acceleration):
    """Velocity and displacement at the end of a piecewise linear acceleration."""
    v = u = 0.0
    for a0, a1 in zip(acceleration, acceleration[1:]):
        u += STEP * v + STEP * STEP * (a0 / 3.0 + a1 / 6.0)
        v += 0.5 * STEP * (a0 + a1)
    return v, u


def corrected(acceleration):
    """Less c1 s (1 - s) + c2 s^2 (1 - s), s = t/T, so that it ends at rest where it began; both ends stay zero."""
    n = len(acceleration) - 1
    forms = [[s * (1.0 - s) for s in (i / n for i in range(n + 1))], [s * s * (1.0 - s) for s in (i / n for i in range(n + 1))]]
    (a, c), (b, d) = moments(forms[0]), moments(forms[1])
    v, u = moments(acceleration)
    determinant = a * d - b * c
    c1, c2 = (v * d - b * u) / determinant, (a * u - v * c) / determinant
    return [value - c1 * f - c2 * g for value, f, g in zip(acceleration, *forms)]


def record():
    count = round(DURATION / STEP) + 1
    ground = filtered(noise(count, SEED), GROUND, GROUND_RATIO, lambda x, v, f, w, z: 2.0 * z * w * v + w * w * x)
    motion = filtered(ground, HIGH_PASS, HIGH_PASS_RATIO, lambda x, v, f, w, z: f - 2.0 * z * w * v - w * w * x)
    shaped = [envelope(i * STEP) * value for i, value in enumerate(motion)]
    shaped[0] = shaped[-1] = 0.0
    free = corrected(shaped)
    largest = max(abs(value) for value in free)
    return [PEAK * value / largest for value in free]


if __name__ == "__main__":
    print("# an artificial earthquake: make_record.py")
    print("t [s], a [g]")
    for i, value in enumerate(record()):
        print(f"{i * STEP:.2f}, {value:.9f}")
