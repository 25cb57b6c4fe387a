"""Still pictures, animations and states of results of symdyn, without a window.

    pvbatch picture.py RESULT OUT [--time T] [--ghosts T,T,...] [--range LOW,HIGH] [--scale S] [--size WxH] [--plots]

OUT: NAME.png is a picture of one time; NAME.avi and NAME.ogv are animations; a folder (without ending) gets a picture a frame; NAME.pvsm is a state that ParaView loads.
RESULT is a folder with solution.pvd, or the file itself.
"""

import argparse
import importlib.util
import os
import re
import sys

from paraview.simple import *  # noqa: F401,F403

MOVIES = (".avi", ".ogv")


def of_open():
    """The functions of open.py beside this file."""
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "open.py")
    spec = importlib.util.spec_from_file_location("symdyn_open", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def arguments(tools):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result", help="folder of a result, or its solution.pvd")
    parser.add_argument("out", help="NAME.png, NAME.avi, NAME.ogv, NAME.pvsm, or a folder of pictures")
    parser.add_argument("--time", type=float, help="of the picture; default: the last")
    parser.add_argument("--ghosts", type=tools.numbers, default=[], help="further times, shown as pale shapes")
    parser.add_argument("--range", type=tools.numbers, help="ends of the colour bar; default: of the time shown")
    parser.add_argument("--scale", type=float, default=1.0, help="factor on the displacement; default: 1")
    parser.add_argument("--size", type=tools.size, default=[1600, 900], help="in pixels, 1600x900")
    parser.add_argument("--plots", action="store_true", help="energies and momenta beside the body")
    return parser.parse_args()


def without_domains(file):
    """What values could be is most of a state, and nobody reads it."""
    with open(file) as text:
        state = text.read()
    with open(file, "w") as text:
        text.write(re.sub(r"\n *<Domain [^>]*/>|\n *<Domain .*?</Domain>", "", state, flags=re.DOTALL))


def main():
    tools = of_open()
    options = arguments(tools)
    ending = os.path.splitext(options.out)[1]
    if ending not in (".png", ".pvsm", "") + MOVIES:
        sys.exit(f"error: {options.out}: the ending is none of .png, .avi, .ogv, .pvsm; without one it is a folder of pictures")
    if options.time is not None and ending not in (".png", ".pvsm"):
        sys.exit("error: --time has no effect on an animation")
    options.png = options.out
    options.plots = options.plots or ending == ".pvsm"
    view = tools.show(options)
    if ending == ".png":
        return tools.save_picture(options, view)
    if ending == ".pvsm":
        GetColorTransferFunction("von_mises").AutomaticRescaleRangeMode = "Clamp and update every timestep"  # it is for other results, too
        SaveState(options.out)
        without_domains(options.out)
    else:
        out = options.out
        if not ending:
            os.makedirs(out, exist_ok=True)
            out = os.path.join(out, "picture.png")
        SaveAnimation(out, GetLayout(view) if options.plots else view, ImageResolution=options.size, FrameRate=10)
    print(options.out)


main()
