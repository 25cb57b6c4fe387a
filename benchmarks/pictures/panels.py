"""Line plots side by side, by matplotlib (apt-get install python3-matplotlib)."""
import math
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("pictures need matplotlib: apt-get install python3-matplotlib")
matplotlib.use("svg")
from matplotlib.figure import Figure  # noqa: E402

colours = ["#1f5fa8", "#d1495b", "#2e8b57", "#8e5ea2", "#c77f1a", "#444444", "#20a4a4", "#a0522d"]
panel_width, narrow, panel_height, legend_row = 4.2, 3.2, 2.7, 0.18  # inches
left, right, bottom, top = 0.72, 0.12, 0.48, 0.28
most_points = 500
matplotlib.rcParams.update({
    "font.family": "sans-serif", "font.size": 8.5, "axes.titlesize": 9.5, "axes.titleweight": "bold", "axes.edgecolor": "#888888", "axes.grid": True, "grid.color": "#eeeeee",
    "axes.axisbelow": True, "lines.markersize": 4, "legend.frameon": False, "legend.fontsize": 8, "svg.fonttype": "none", "svg.hashsalt": "symdyn"})


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


class Panel:
    def __init__(self, title, x="", y="", log_x=False, log_y=False, y_limits=None, x_limits=None, equal=False):
        self.title, self.x, self.y, self.log_x, self.log_y, self.equal = title, x, y, log_x, log_y, equal
        self.y_limits, self.x_limits, self.curves = y_limits, x_limits, []

    def line(self, x, y, label="", colour=None, dash="", marks=False, width=1.3, line=True, fill=0):
        """Points (x, y); a gap where a value is not finite. `fill`: opacity of the area within."""
        used = len({c["colour"] for c in self.curves})
        self.curves.append({"points": list(zip(x, y)), "label": label, "colour": colour or colours[used % len(colours)], "dash": dash,
                            "marks": marks, "width": width, "line": line, "fill": fill})
        return self

    def legend_rows(self):
        """Two entries a row, below the axis."""
        return math.ceil(sum(bool(c["label"]) for c in self.curves) / 2)

    def draw_curve(self, axes, curve):
        points = thinned([p if math.isfinite(p[1]) else (p[0], math.nan) for p in curve["points"]])
        x, y = zip(*points) if points else ((), ())
        if curve["fill"]:
            axes.fill(x, y, color=curve["colour"], alpha=curve["fill"], linewidth=0)
        style = (0, tuple(float(n) for n in curve["dash"].split())) if curve["dash"] else "-"
        axes.plot(x, y, color=curve["colour"], linewidth=curve["width"], linestyle=style if curve["line"] else "", marker="o" if curve["marks"] else "", label=curve["label"] or None)

    def draw(self, axes, height):
        axes.set(title=self.title, xlabel=self.x, ylabel=self.y, xscale="log" if self.log_x else "linear", yscale="log" if self.log_y else "linear")
        for curve in self.curves:
            self.draw_curve(axes, curve)
        axes.set(**{f"{name}lim": limits for name, limits in (("x", self.x_limits), ("y", self.y_limits)) if limits})
        if not self.log_y and not self.y_limits:
            axes.margins(y=0.06)
        if self.equal:
            axes.set_aspect("equal")
        if self.legend_rows():
            axes.legend(loc="upper left", bbox_to_anchor=(0, -bottom / (height - bottom - top)), ncol=2, handlelength=1.6, borderaxespad=0, borderpad=0, columnspacing=1)


def write(file, panels, columns=2, width=panel_width, height=panel_height):
    """The panels row by row."""
    rows = [panels[n:n + columns] for n in range(0, len(panels), columns)]
    heights = [height + legend_row * max(panel.legend_rows() for panel in row) for row in rows]
    size = columns * width, sum(heights)
    figure = Figure(figsize=size)
    for n, row in enumerate(rows):
        base = sum(heights[n:]) - height + bottom
        for k, panel in enumerate(row):
            place = k * width + left, base, width - left - right, height - bottom - top
            panel.draw(figure.add_axes([place[0] / size[0], place[1] / size[1], place[2] / size[0], place[3] / size[1]]), height)
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
