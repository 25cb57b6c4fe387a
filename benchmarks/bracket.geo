// Angle bracket: wall 100 x 80 x 8 mm, base 100 x 60 x 8 mm, a rib, two holes in the wall (clamped) and two in the base. [m]
SetFactory("OpenCASCADE");
DefineConstant[ h = {0.00345, Name "size of the elements [m]"} ];
Box(1) = {0, 0, 0, 0.1, 0.06, 0.008};             // base
Box(2) = {0, 0, 0, 0.1, 0.008, 0.08};             // wall
Point(101) = {0.046, 0.008, 0.008}; Point(102) = {0.046, 0.05, 0.008}; Point(103) = {0.046, 0.008, 0.065};
Line(201) = {101, 102}; Line(202) = {102, 103}; Line(203) = {103, 101};
Curve Loop(301) = {201, 202, 203}; Plane Surface(301) = {301};
rib[] = Extrude {0.008, 0, 0} { Surface{301}; };
BooleanUnion(10) = { Volume{1}; Delete; }{ Volume{2, rib[1]}; Delete; };
Cylinder(11) = {0.02, -0.01, 0.05, 0, 0.03, 0, 0.007};
Cylinder(12) = {0.08, -0.01, 0.05, 0, 0.03, 0, 0.007};
Cylinder(13) = {0.02, 0.035, -0.01, 0, 0, 0.03, 0.006};
Cylinder(14) = {0.08, 0.035, -0.01, 0, 0, 0.03, 0.006};
BooleanDifference(20) = { Volume{10}; Delete; }{ Volume{11:14}; Delete; };
eps = 1e-4;
clamp[] = Surface In BoundingBox {0.012, -eps, 0.042, 0.028, 0.009, 0.058};
clamp[] += Surface In BoundingBox {0.072, -eps, 0.042, 0.088, 0.009, 0.058};
bolts[] = Surface In BoundingBox {0.013, 0.028, -eps, 0.027, 0.042, 0.009};
bolts[] += Surface In BoundingBox {0.073, 0.028, -eps, 0.087, 0.042, 0.009};
Physical Surface("clamped", 1) = {clamp[]};
Physical Surface("bolts", 2) = {bolts[]};
Physical Volume("bracket", 3) = {20};
Mesh.MeshSizeMax = h; Mesh.MeshSizeMin = 0.4 * h; Mesh.MeshSizeFromCurvature = 10;
Mesh.ElementOrder = 2; DefineConstant[ format = {4.1, Name "format of the file"} ]; Mesh.MshFileVersion = format;
