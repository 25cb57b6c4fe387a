"""Reads .msh files of Gmsh, format 2.2, with tetrahedra of 10 nodes."""

TETRAHEDRON, TRIANGLE = 11, 9  # of 10 and 6 nodes


def read(file):
    """Coordinates of the nodes, tetrahedra (10 nodes each), and triangles (6 nodes each) by the names of their boundaries. Nodes are counted from 0,
    and are those that tetrahedra have."""
    with open(file) as text:
        lines = iter(text.read().split("\n"))
    names, points, rows = {}, [], []
    for line in lines:
        if line == "$PhysicalNames":
            names = {number: name.strip('"') for _, number, name in (next(lines).split() for _ in range(int(next(lines))))}
        elif line == "$Nodes":
            points = [[float(word) for word in next(lines).split()[1:]] for _ in range(int(next(lines)))]
        elif line == "$Elements":
            rows = [next(lines).split() for _ in range(int(next(lines)))]
    nodes_of = lambda row: [int(word) - 1 for word in row[3 + int(row[2]) :]]
    cells = [nodes_of(row) for row in rows if int(row[1]) == TETRAHEDRON]
    used = sorted({node for cell in cells for node in cell})
    new = {node: number for number, node in enumerate(used)}
    faces = {}
    for row in rows:
        if int(row[1]) == TRIANGLE:
            faces.setdefault(names.get(row[3]), []).append([new[node] for node in nodes_of(row)])
    return [points[node] for node in used], [[new[node] for node in cell] for cell in cells], faces
