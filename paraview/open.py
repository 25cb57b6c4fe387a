"""Opens a result of symdyn in ParaView: body moved by its displacement, coloured by von Mises stress; energies and momenta of history.csv beside it.

    pvpython open.py [RESULT] [--png FILE] [--time T] [--ghosts T,T,...] [--range LOW,HIGH] [--scale S] [--size WxH] [--plots]
    paraview --script=open.py

RESULT is a folder with solution.pvd, or the file itself. Without it: the selected source of a running ParaView, or the
newest solution.pvd in or below results/ of the current folder, or of the folder above this script.
"""

import argparse
import csv
import glob
import math
import os
import sys

import paraview

paraview.compatibility.major, paraview.compatibility.minor = 5, 11
from paraview.simple import *  # noqa: F401,F403,E402  (ParaView's own style; its trace prints the same)
from vtkmodules.vtkCommonCore import vtkMath  # noqa: E402

# From blue (low) over pale to red (high), light enough at both ends for the shape to be seen.
COLOUR_MAP = "Fast"
TEXT = [0.13, 0.15, 0.18]
# Okabe and Ito (2008), which colour-blind readers tell apart.
LINES = [(0.0, 0.45, 0.7), (0.84, 0.37, 0.0), (0.0, 0.62, 0.45), (0.8, 0.47, 0.65), (0.34, 0.71, 0.91)]
BODY = 0.6  # share of the width beside plots
STRESS_OF_ENERGY = {"J": "Pa", "mJ": "MPa"}  # the label of stress that belongs to the label of energy in history.csv


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result", nargs="?", help="folder of a result, or its solution.pvd")
    parser.add_argument("--png", help="save a picture and leave")
    parser.add_argument("--time", type=float, help="time to show; default: the last")
    parser.add_argument("--ghosts", type=numbers, default=[], help="further times, shown as pale shapes")
    parser.add_argument("--range", type=numbers, help="ends of the colour bar; default: of the time shown")
    parser.add_argument("--scale", type=float, default=1.0, help="factor on the displacement; default: 1")
    parser.add_argument("--size", type=size, default=[1600, 900], help="of the picture in pixels, 1600x900")
    parser.add_argument("--plots", action="store_true", help="energies and momenta in the picture, too; without --png they always are there")
    # A macro, and paraview --script, have the arguments of ParaView itself.
    inside_paraview = os.path.basename(sys.argv[0] if sys.argv else "") not in ("open.py",)
    return parser.parse_args([] if inside_paraview else sys.argv[1:])


def numbers(text):
    return [float(word) for word in text.split(",")]


def size(text):
    width, height = text.lower().split("x")
    return [int(width), int(height)]


def find(result):
    """The solution.pvd to open."""
    if result:
        file = os.path.join(result, "solution.pvd") if os.path.isdir(result) else result
        if not os.path.isfile(file):
            sys.exit(f"error: {file}: there is no such file. Give the folder of a result, e.g. results/quickstart")
        return file
    roots = [os.getcwd()]
    if "__file__" in globals():  # not in a macro
        roots.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for root in roots:
        found = glob.glob(os.path.join(root, "results", "**", "solution.pvd"), recursive=True)
        if found:
            return max(found, key=os.path.getmtime)
    sys.exit("error: there is no results/*/solution.pvd here. Open solution.pvd in ParaView, select it and run this again, "
             "or start ParaView in the folder that holds results/")


def opened():
    """What the user of ParaView has opened and selected, if it is a result of symdyn."""
    source = GetActiveSource()
    if source is None or not hasattr(source, "FileName") or not has_arrays(source):
        return None
    return source


def has_arrays(source):
    source.UpdatePipeline()
    return source.PointData.GetArray("displacement") is not None and source.PointData.GetArray("von_mises") is not None


def labels(pvd):
    """Labels of time and stress; history.csv beside the solution has the units of the deck."""
    try:
        with open(os.path.join(os.path.dirname(pvd), "history.csv"), newline="") as file:
            columns = next(csv.reader(file))
    except (OSError, StopIteration):
        return "", ""
    unit = {name.split(" [")[0]: name.rpartition("[")[2].rstrip("]") for name in columns}
    time = unit.get("time", "1")
    return ("" if time == "1" else time), STRESS_OF_ENERGY.get(unit.get("E_kinetic"), "")


def skin_of(source):
    # Facets fine enough for the curved cells of degree 2 and more.
    return ExtractSurface(Input=source, NonlinearSubdivisionLevel=3)


def body(source, view, scale):
    """The skin of the moved body, and how it is shown."""
    skin = skin_of(WarpByVector(Input=source, Vectors=["POINTS", "displacement"], ScaleFactor=scale))
    shape = Show(skin, view)
    shape.Representation = "Surface"
    shape.Ambient, shape.Diffuse, shape.Specular, shape.SpecularPower = 0.3, 0.8, 0.15, 30.0
    return skin, shape


def plain(shape, colour):
    shape.ColorArrayName = [None, ""]  # ColorBy(shape, None) fails in 5.11 under pvbatch
    shape.AmbientColor = shape.DiffuseColor = colour


def colour(warped, shape, view, ends, unit):
    ColorBy(shape, ("POINTS", "von_mises"))
    colours = GetColorTransferFunction("von_mises")
    colours.ApplyPreset(COLOUR_MAP, True)
    if ends:
        colours.RescaleTransferFunction(*ends)
    else:
        shape.RescaleTransferFunctionToDataRange(False, True)
    bar = GetScalarBar(colours, view)
    bar.Title = "von Mises stress" + (f" [{unit}]" if unit else "")
    bar.ComponentTitle = ""
    bar.HorizontalTitle = 1
    bar.WindowLocation = "Any Location"
    bar.Position = [1.0 - 165.0 / view.ViewSize[0], 0.2]  # room for the title
    bar.ScalarBarLength = 0.6
    bar.ScalarBarThickness = 20
    bar.AutomaticLabelFormat = 0
    bar.LabelFormat = "%g"
    bar.AddRangeLabels = 0
    bar.TitleColor = bar.LabelColor = TEXT
    bar.TitleFontSize, bar.LabelFontSize = 20, 18
    shape.SetScalarBarVisibility(view, True)


def look(view, bounds, flat):
    """The camera, on all that is shown: from the front in 2-D, from the side and above in 3-D."""
    centre = [0.5 * (bounds[2 * d] + bounds[2 * d + 1]) for d in range(3)]
    direction = [0.0, 0.0, 1.0] if flat else [0.35, 0.3, 1.0]
    view.CameraParallelProjection = int(flat)
    view.CameraFocalPoint = centre
    view.CameraPosition = [c + d for c, d in zip(centre, direction)]
    view.CameraViewUp = [0.0, 1.0, 0.0]
    ResetCamera(view)
    # The body beside the colour bar, not behind it.
    aspect = view.ViewSize[0] / view.ViewSize[1]
    camera = view.GetActiveCamera()
    camera.Zoom(min(1.3, 0.72 * aspect))
    half = view.CameraParallelScale if flat else camera.GetDistance() * math.tan(math.radians(camera.GetViewAngle() / 2))
    right = [0.0, 0.0, 0.0]
    vtkMath.Cross(camera.GetDirectionOfProjection(), camera.GetViewUp(), right)
    vtkMath.Normalize(right)
    shift = [0.12 * half * aspect * r for r in right]
    view.CameraFocalPoint = [c + s for c, s in zip(camera.GetFocalPoint(), shift)]
    view.CameraPosition = [c + s for c, s in zip(camera.GetPosition(), shift)]


def background(view):
    view.UseColorPaletteForBackground = 0
    view.BackgroundColorMode = "Gradient"
    view.Background, view.Background2 = [1.0, 1.0, 1.0], [0.86, 0.9, 0.95]
    view.OrientationAxesLabelColor = TEXT


def history_of(pvd):
    """history.csv beside the solution, and its columns; None if it is not there or has one row."""
    file = os.path.join(os.path.dirname(pvd), "history.csv")
    try:
        with open(file, newline="") as text:
            rows = csv.reader(text)
            columns = next(rows)
            return (file, columns) if len([row for row, _ in zip(rows, range(2))]) == 2 else None
    except (OSError, StopIteration):
        return None


def chart(table, columns, chosen, title, layout, place):
    """A diagram of the chosen columns over time in a cell of the layout."""
    plot = CreateView("XYChartView")
    AssignViewToLayout(view=plot, layout=layout, hint=place)
    drawn = [column for column in columns if column.split(" [")[0] in chosen]
    # Other columns would show themselves where a state is used with another table.
    lines = Show(PassArrays(Input=table, RowDataArrays=[columns[0]] + drawn), plot)
    lines.UseIndexForXAxis = 0
    lines.XArrayName = columns[0]
    lines.SeriesVisibility = drawn
    lines.SeriesColor = [word for column, colour in zip(drawn, LINES) for word in [column] + [str(part) for part in colour]]
    unit = next((column.rpartition("[")[2].rstrip("]") for column in columns if column.split(" [")[0] in chosen), "")
    plot.ChartTitle = title
    plot.BottomAxisTitle = columns[0]
    plot.LeftAxisTitle = f"[{unit}]" if unit else ""
    plot.LegendLocation = "TopLeft"
    return plot


def plots(pvd, view):
    """Energies and momenta beside the body."""
    history = history_of(pvd)
    if history is None:
        return
    file, columns = history
    names = [column.split(" [")[0] for column in columns]
    table = CSVReader(registrationName="history.csv", FileName=[file])
    layout = GetLayout(view)
    right = 2 * layout.GetViewLocation(view) + 2  # the cells of a layout are a binary tree
    layout.SplitHorizontal(layout.GetViewLocation(view), BODY)
    energies = ["E_kinetic", "E_potential", "E_total", "W_external", "E_dissipated"]
    chart(table, columns, energies, "Energy", layout, right)
    layout.SplitVertical(right, 0.5)
    momenta = [name for name in names if name[:2] in ("P_", "J_")]
    chart(table, columns, [name for name in momenta if name[0] == "P"], "Linear momentum", layout, 2 * right + 2)
    if any(name[0] == "J" for name in momenta):
        layout.SplitVertical(2 * right + 2, 0.5)
        chart(table, columns, [name for name in momenta if name[0] == "J"], "Angular momentum", layout, 2 * (2 * right + 2) + 2)
    SetActiveView(view)


def show(options):
    source = None if options.result else opened()
    if source is None:
        source = OpenDataFile(find(options.result))
        if source is None or not has_arrays(source):
            sys.exit("error: this file has no displacement and von_mises: it is not a result of symdyn")
    view = GetActiveViewOrCreate("RenderView")
    view.ViewSize = options.size if options.png else view.ViewSize
    background(view)
    times = list(source.TimestepValues) or [0.0]
    time = times[-1] if options.time is None else min(times, key=lambda t: abs(t - options.time))
    GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    GetAnimationScene().AnimationTime = view.ViewTime = time
    source.UpdatePipeline(time)
    pvd = list(source.FileName)[0] if isinstance(source.FileName, list) else str(source.FileName)
    time_unit, stress_unit = labels(pvd)

    edges = FeatureEdges(Input=Clean(Input=skin_of(CleantoGrid(Input=source))), FeatureAngle=30.0, NonManifoldEdges=0)
    outline = Show(edges, view)
    plain(outline, [0.45, 0.48, 0.52])
    outline.LineWidth = 1.5
    for ghost in options.ghosts:
        # Cells have points of their own in the file, for stress jumps between them: without joining them, a transparent
        # body shows its inner faces.
        still = ForceTime(Input=CleantoGrid(Input=source), IgnorePipelineTime=1, ForcedTime=ghost)
        _, pale = body(still, view, options.scale)
        plain(pale, [0.62, 0.68, 0.76])
        pale.Opacity = 0.25
    warped, shape = body(source, view, options.scale)
    warped.UpdatePipeline(time)
    colour(warped, shape, view, options.range, stress_unit)

    clock = AnnotateTimeFilter(Input=source, Format="t = {time:.4g}" + (f" {time_unit}" if time_unit else ""))
    text = Show(clock, view)
    text.WindowLocation, text.FontSize, text.Color = "Upper Left Corner", 20, TEXT
    SetActiveSource(warped)
    bounds = source.GetDataInformation().GetBounds()
    if options.plots:
        plots(pvd, view)
        if options.png:
            GetLayout(view).SetSize(options.size)  # letters grow with a picture larger than its layout
            view.ViewSize = [int(BODY * options.size[0]), options.size[1]]
    Render(view)
    look(view, warped.GetDataInformation().GetBounds(), flat=bounds[4] == bounds[5])
    Render(view)
    return view


def save_picture(options, view):
    SaveScreenshot(options.png, GetLayout(view) if options.plots else view, ImageResolution=options.size)
    print(options.png)


def main():
    options = arguments()
    options.plots = options.plots or not options.png
    view = show(options)
    if options.png:
        save_picture(options, view)


if __name__ != "symdyn_open":  # picture.py uses the parts; a macro of ParaView is not called __main__
    main()
