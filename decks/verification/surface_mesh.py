"""Writes surfaces of quadrilaterals as Gmsh 2.2 files, for the make_*.py of this folder."""


def write_grid(n, m, place):
    """n x m cells with the corners place(s, t), s and t from 0 to 1; boundaries s-, s+ (s = 0, 1) and t-, t+, group "skin"."""
    def node(i, j):
        return 1 + i * (m + 1) + j
    edges = [("s-", [(node(0, j), node(0, j + 1)) for j in range(m)]), ("s+", [(node(n, j), node(n, j + 1)) for j in range(m)]),
             ("t-", [(node(i, 0), node(i + 1, 0)) for i in range(n)]), ("t+", [(node(i, m), node(i + 1, m)) for i in range(n)])]
    cells = [(node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)) for i in range(n) for j in range(m)]
    write([place(i / n, j / m) for i in range(n + 1) for j in range(m + 1)], edges, cells)


def write(places, edges, cells):
    """Nodes 1, 2, ... at `places`, named lists of pairs of nodes, quadrilaterals."""
    print("$MeshFormat\n2.2 0 8\n$EndMeshFormat")
    print(f"$PhysicalNames\n{len(edges) + 1}")
    for number, (name, _) in enumerate(edges, 1):
        print(f'1 {number} "{name}"')
    print(f'2 {len(edges) + 1} "skin"\n$EndPhysicalNames\n$Nodes\n{len(places)}')
    for number, p in enumerate(places, 1):
        print(number, "%.12g %.12g %.12g" % tuple(x + 0. if abs(x) > 1e-14 else 0. for x in p))
    lines = [f"1 2 {tag} {tag} {a} {b}" for tag, (_, pairs) in enumerate(edges, 1) for a, b in pairs]
    lines += [f"3 2 {len(edges) + 1} {len(edges) + 1} {a} {b} {c} {d}" for a, b, c, d in cells]
    print(f"$EndNodes\n$Elements\n{len(lines)}")
    for number, line in enumerate(lines, 1):
        print(number, line)
    print("$EndElements")
