#pragma once
#include <memory>

#include "elements/gram/director_nodes.h"
#include "elements/mesh_points.h"
#include "elements/supports/supported_nodes.h"
#include "meshes/surface.h"

namespace symdyn
{
/// The nodes of a surface, which must outlive them, as places for points and beams.
std::unique_ptr<MeshPoints> mesh_points(const SurfaceMesh &mesh);
/// The nodes of the surface of a plan as what supports hold, with their directors. Once sites are numbered; the plan must outlive them.
/// `body`: nodes of the body beside which it is, or nullptr. What both have under one name is the nodes of both.
std::shared_ptr<const SupportedNodes<3>> supported_nodes(const PlannedSites &sites, SitePlan &plan,
                                                         std::shared_ptr<const SupportedNodes<3>> body = nullptr);
}  // namespace symdyn
