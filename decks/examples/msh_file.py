"""Meshes as Gmsh files of format 2.2, for the scripts beside it."""

KINDS = {2: 1, 4: 3, 8: 5}  # Gmsh's number of lines, quadrilaterals and bricks, by their corners


def write(file, names, nodes, elements):
    """names: {group: (dimension, number)}; nodes: (x, y, z); elements: (group, node numbers from 1)."""
    with open(file, "w", encoding="utf-8") as out:
        out.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{len(names)}\n")
        for name, (dimension, number) in names.items():
            out.write(f'{dimension} {number} "{name}"\n')
        out.write(f"$EndPhysicalNames\n$Nodes\n{len(nodes)}\n")
        for number, (x, y, z) in enumerate(nodes, 1):
            out.write(f"{number} {x:.12g} {y:.12g} {z:.12g}\n")
        out.write(f"$EndNodes\n$Elements\n{len(elements)}\n")
        for number, (name, corners) in enumerate(elements, 1):
            group = names[name][1]
            out.write(f"{number} {KINDS[len(corners)]} 2 {group} {group} {' '.join(map(str, corners))}\n")
        out.write("$EndElements\n")
