"""Looks at every frame of results of symdyn under ParaView: each array is finite, and each extruded cell has a positive volume where it is drawn.

    pvbatch paraview_cells.py FOLDER:VOLUMES [FOLDER:VOLUMES...]

VOLUMES: how many cells with a volume each frame has at least; "area": none, but faces of sections, which enclose a volume; "none": neither. Prints what it saw. Exit code 1 with a sentence for what is wrong.
"""

import glob
import os
import sys

import numpy as np
import paraview

paraview.compatibility.major, paraview.compatibility.minor = 5, 11
from paraview import servermanager  # noqa: E402
from paraview.simple import Delete, PVDReader  # noqa: E402
from vtkmodules.util.numpy_support import vtk_to_numpy  # noqa: E402

# Corners of cells of VTK, and of each corner its neighbours, right-handed seen from it.
CORNERS = {
    10: [(0, 1, 2, 3)],  # tetrahedron
    12: [(0, 1, 3, 4), (1, 2, 0, 5), (2, 3, 1, 6), (3, 0, 2, 7), (4, 7, 5, 0), (5, 4, 6, 1), (6, 5, 7, 2), (7, 6, 4, 3)],  # hexahedron
    13: [(0, 2, 1, 3), (1, 0, 2, 4), (2, 1, 0, 5), (3, 4, 5, 0), (4, 5, 3, 1), (5, 3, 4, 2)],  # wedge, as ParaView orders it
}


CORNERS[25], CORNERS[26] = CORNERS[12], CORNERS[13]  # of second order: their corners come first


def leaves(data):
    if data is None:
        return
    if data.IsA("vtkCompositeDataSet"):
        blocks = data.NewIterator()
        while not blocks.IsDoneWithTraversal():
            yield from leaves(blocks.GetCurrentDataObject())
            blocks.GoToNextItem()
    else:
        yield data


def check_finite(data, where):
    count = 0
    for attributes, of in ((data.GetPointData(), "points"), (data.GetCellData(), "cells")):
        for i in range(attributes.GetNumberOfArrays()):
            array = attributes.GetArray(i)
            if array is None:
                continue  # names
            values = vtk_to_numpy(array)
            if not np.isfinite(values).all():
                sys.exit(f"{where}: {attributes.GetArrayName(i)} of {of} has {np.sum(~np.isfinite(values))} values that are no numbers")
            count += 1
    if count == 0:
        sys.exit(f"{where}: there are no fields")


def check_volumes(data, where):
    places = vtk_to_numpy(data.GetPoints().GetData()).astype(float)
    moved = data.GetPointData().GetArray("displacement")
    if moved is None:
        sys.exit(f"{where}: there is no displacement")
    is_shape = os.path.basename(where).startswith("modes")  # of any amplitude: at rest
    if not is_shape:
        places = places + vtk_to_numpy(moved)
    solid = 0
    for cell in range(data.GetNumberOfCells()):
        corners = CORNERS.get(data.GetCellType(cell))
        if not corners:
            continue
        solid += 1
        nodes = data.GetCell(cell).GetPointIds()
        x = places[[nodes.GetId(i) for i in range(nodes.GetNumberOfIds())]]
        for corner in corners:
            edges = x[list(corner[1:])] - x[corner[0]]
            if not np.linalg.det(edges) > 0.0:
                sys.exit(f"{where}: cell {cell} has no positive volume at its corner {corner[0]}")
    return solid


def enclosed(data):
    """The volume that the faces enclose, by their outward normals, and their number."""
    places = vtk_to_numpy(data.GetPoints().GetData()).astype(float)
    places = places + vtk_to_numpy(data.GetPointData().GetArray("displacement"))
    volume = faces = 0
    for cell in range(data.GetNumberOfCells()):
        if data.GetCellType(cell) not in (5, 7, 9):
            continue
        nodes = data.GetCell(cell).GetPointIds()
        x = places[[nodes.GetId(i) for i in range(nodes.GetNumberOfIds())]]
        faces += 1
        for a in range(1, len(x) - 1):
            volume += np.dot(x[0], np.cross(x[a], x[a + 1])) / 6.0
    return volume, faces


for folder, expected in (word.rsplit(":", 1) for word in sys.argv[1:]):
    for file in sorted(glob.glob(os.path.join(folder, "*.pvd"))):
        reader = PVDReader(FileName=file)
        reader.UpdatePipelineInformation()
        frames = list(reader.TimestepValues) or [0.0]
        solid = cells = 0
        for time in frames:
            reader.UpdatePipeline(time)
            volume, faces, here = 0.0, 0, 0
            for data in leaves(servermanager.Fetch(reader)):
                if data.GetNumberOfCells() == 0:
                    continue
                where = f"{file} at t = {time:g}"
                check_finite(data, where)
                cells += data.GetNumberOfCells()
                inside, sides = enclosed(data)
                here += check_volumes(data, where)
                volume, faces = volume + inside, faces + sides
            solid += here
            where = f"{file} at t = {time:g}"
            if expected == "area" and not (faces > 100 and abs(volume) > 0.0):
                sys.exit(f"{where}: {faces} faces enclose {volume:g} m^3")
            if expected == "none" and (here > 0 or faces > 0):
                sys.exit(f"{where}: {here} cells have a volume, {faces} are faces")
            if expected.isdigit() and here < int(expected):
                sys.exit(f"{where}: {here} cells with a volume, fewer than {expected}")
        if cells == 0:
            sys.exit(f"{file}: there is no cell")
        print(f"{file}: {len(frames)} frames, {cells} cells, {solid} of them extruded or solid: positive, and all fields are numbers")
        Delete(reader)
