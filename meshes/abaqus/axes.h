#pragma once
#include <array>
#include <map>
#include <string>
#include <vector>

#include "meshes/abaqus/keywords.h"

namespace symdyn::abaqus
{
struct Job;
using Triple = std::array<double, 3>;

/// *TRANSFORM: axes of nodes.
struct Transform
{
  bool cylindrical;
  std::array<double, 6> given;
  std::size_t line;
};
struct Axes
{
  std::vector<Transform> transforms;
  std::map<std::size_t, int> of_node;
};

Triple cross(const Triple &a, const Triple &b);
double norm(const Triple &a);
/// Of length 1; not finite of 0.
Triple unit(Triple a);
/// Rows: unit vectors along a, across it in the plane of a and b, and normal to the plane; not finite where a and b span none.
std::array<Triple, 3> axes_from(const Triple &a, const Triple &b);
/// Which of the transforms a node has; -1: none.
int transform_of(const Job &job, std::size_t node);
/// Rows: unit vectors of the node's axes.
std::array<Triple, 3> axes_at(const Job &job, std::size_t node);
void write_axes(Job &job, std::size_t line, const std::string &path, int transform);

/// *ORIENTATION: axes of a material. Errors: InputError for one that does not exist, or that no law can have.
const Keyword &orientation_of(const Job &job, std::size_t line, const std::string &named);
/// Six coordinates of two points that give its axes.
std::vector<double> points_of_axes(const Job &job, const Keyword &orientation);
}  // namespace symdyn::abaqus
