"""Line plots as plain SVG, without any library: panels side by side, linear or logarithmic axes."""
import math

colours = ["#1f5fa8", "#d1495b", "#2e8b57", "#8e5ea2", "#c77f1a", "#444444", "#20a4a4", "#a0522d"]
panel_width, panel_height = 420, 250
left, right, top, bottom = 66, 14, 30, 44
most_points = 500


def finite(value):
    return value is not None and math.isfinite(value)


def rounded_step(span, count=5):
    """1, 2 or 5 times a power of ten, about span/count."""
    raw = span / count
    power = 10.0 ** math.floor(math.log10(raw))
    return next(power * m for m in (1, 2, 5, 10) if raw <= 1.0001 * power * m)


def label_of(value):
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e5:
        return f"{value:.6g}"
    mantissa, exponent = f"{value:.3g}".split("e") if "e" in f"{value:.3g}" else f"{value:.3e}".split("e")
    return f"{float(mantissa):g}e{int(exponent)}"


class Axis:
    """Values to pixels."""

    def __init__(self, values, log, pixels, limits=None):
        self.log, (self.start, self.end) = log, pixels
        known = [v for v in values if finite(v) and (not log or v > 0)]
        low, high = limits or (min(known, default=0), max(known, default=1))
        if log:
            low, high = math.log10(low), math.log10(high)
        if high - low <= 1e-12 * max(abs(low), abs(high)):
            low, high = low - (abs(low) or 1) * 0.5, high + (abs(high) or 1) * 0.5
        margin = 0 if limits else 0.03 * (high - low)
        self.low, self.high = low - margin, high + margin

    def __call__(self, value):
        inner = math.log10(value) if self.log else value
        return self.start + (self.end - self.start) * (inner - self.low) / (self.high - self.low)

    def shows(self, value):
        if not finite(value) or (self.log and value <= 0):
            return False
        inner, slack = (math.log10(value) if self.log else value), 1e-9 * (self.high - self.low)
        return self.low - slack <= inner <= self.high + slack

    def ticks(self):
        if self.log:
            first, last = math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9)
            stride = max(1, math.ceil((last - first + 1) / 7))
            if last - first >= 1:
                return [10.0 ** e for e in range(first, last + 1, stride)]
            return [m * 10.0 ** e for e in range(first - 1, last + 1) for m in (1, 2, 5) if self.low <= math.log10(m * 10.0 ** e) <= self.high]
        step = rounded_step(self.high - self.low)
        return [round(step * k, 12) for k in range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1)]


def thinned(points):
    """At most some hundred points; of each group the first, the least, the greatest. A path that turns back stays whole."""
    if len(points) <= most_points or any(b[0] < a[0] for a, b in zip(points, points[1:])):
        return points
    size, kept = math.ceil(3 * len(points) / most_points), []
    for start in range(0, len(points), size):
        group = points[start:start + size]
        chosen = {id(p): p for p in (group[0], min(group, key=lambda p: p[1]), max(group, key=lambda p: p[1]))}
        kept += [p for p in group if id(p) in chosen]
    return kept + points[-1:]


def text(x, y, words, size=12, anchor="middle", more=""):
    words = str(words).replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}"{more}>{words}</text>'


class Panel:
    def __init__(self, title, x="", y="", log_x=False, log_y=False, y_limits=None, x_limits=None):
        self.title, self.x, self.y, self.log_x, self.log_y = title, x, y, log_x, log_y
        self.y_limits, self.x_limits, self.curves = y_limits, x_limits, []

    def line(self, x, y, label="", colour=None, dash="", marks=False, width=1.3, line=True):
        """Points (x, y); a gap where a value is not finite."""
        used = len({c["colour"] for c in self.curves})
        self.curves.append({"points": [p for p in zip(x, y)], "label": label, "colour": colour or colours[used % len(colours)], "dash": dash,
                            "marks": marks, "width": width, "line": line})
        return self

    def pieces(self, curve, x_axis, y_axis):
        """Runs of points inside the axes."""
        piece = []
        for p in curve["points"] + [(math.nan, math.nan)]:
            if x_axis.shows(p[0]) and y_axis.shows(p[1]):
                piece.append(p)
            elif piece:
                yield piece
                piece = []

    def draw_curve(self, curve, x_axis, y_axis):
        out = []
        for piece in self.pieces(curve, x_axis, y_axis):
            points = [(x_axis(a), y_axis(b)) for a, b in thinned(piece)]
            if curve["line"] and len(points) > 1:
                path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
                dash = f' stroke-dasharray="{curve["dash"]}"' if curve["dash"] else ""
                out.append(f'<polyline points="{path}" fill="none" stroke="{curve["colour"]}" stroke-width="{curve["width"]}"{dash}/>')
            if curve["marks"]:
                out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.6" fill="{curve["colour"]}"/>' for a, b in points]
        return out

    def draw_axes(self, x_axis, y_axis, width, height):
        out = [f'<rect x="{left}" y="{top}" width="{width - left - right}" height="{height - top - bottom}" fill="none" stroke="#888"/>',
               text(width / 2, 19, self.title, 13, more=' font-weight="bold"'), text((left + width - right) / 2, height - 8, self.x),
               text(14, (top + height - bottom) / 2, self.y, more=f' transform="rotate(-90 14 {(top + height - bottom) / 2:.0f})"')]
        for value in x_axis.ticks():
            out += [f'<line x1="{x_axis(value):.1f}" x2="{x_axis(value):.1f}" y1="{height - bottom}" y2="{top}" stroke="#eee"/>',
                    text(x_axis(value), height - bottom + 15, label_of(value), 11)]
        for value in y_axis.ticks():
            out += [f'<line y1="{y_axis(value):.1f}" y2="{y_axis(value):.1f}" x1="{left}" x2="{width - right}" stroke="#eee"/>',
                    text(left - 5, y_axis(value) + 4, label_of(value), 11, "end")]
        return out

    def named(self):
        return [c for c in self.curves if c["label"]]

    def legend_rows(self):
        """Two entries a row, below the axis."""
        return math.ceil(len(self.named()) / 2)

    def draw_legend(self, width, y):
        out = []
        for n, curve in enumerate(self.named()):
            x, at = left + n % 2 * (width - left - right) / 2, y + 15 * (n // 2)
            dash = f' stroke-dasharray="{curve["dash"]}"' if curve["dash"] else ""
            out += [f'<line x1="{x:.0f}" x2="{x + 18:.0f}" y1="{at - 4}" y2="{at - 4}" stroke="{curve["colour"]}" stroke-width="2"{dash}/>' if curve["line"] else
                    f'<circle cx="{x + 9:.0f}" cy="{at - 4}" r="2.6" fill="{curve["colour"]}"/>', text(x + 23, at, curve["label"], 11, "start")]
        return out

    def draw(self, width, height):
        """`height` without the legend, which is below."""
        every = [p for c in self.curves for p in c["points"]]
        x_axis = Axis([p[0] for p in every], self.log_x, (left, width - right), self.x_limits)
        seen = [p for p in every if not self.x_limits or self.x_limits[0] <= p[0] <= self.x_limits[1]]
        y_axis = Axis([p[1] for p in seen], self.log_y, (height - bottom, top), self.y_limits)
        curves = [part for c in self.curves for part in self.draw_curve(c, x_axis, y_axis)]
        return self.draw_axes(x_axis, y_axis, width, height) + curves + self.draw_legend(width, height + 6)


def write(file, panels, columns=2, width=panel_width, height=panel_height):
    """The panels row by row."""
    rows = [panels[n:n + columns] for n in range(0, len(panels), columns)]
    heights = [height + 15 * max(panel.legend_rows() for panel in row) for row in rows]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * width}" height="{sum(heights)}" font-family="sans-serif">',
           '<rect width="100%" height="100%" fill="#fff"/>']
    for n, row in enumerate(rows):
        for k, panel in enumerate(row):
            out += [f'<g transform="translate({k * width} {sum(heights[:n])})">', *panel.draw(width, height), "</g>"]
    with open(file, "w") as target:
        target.write("\n".join(out + ["</svg>"]) + "\n")
