// Volumes and areas of a coarse mesh, to be compared with those of the shape by hand.
#pragma once

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_nothing.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q1.h>
#include <gtest/gtest.h>

#include "meshes/mesh.h"
#include "tests/input.h"

namespace symdyn::tests
{
using Areas = std::map<std::string, double>;

struct Sizes
{
  double volume = 0, area = 0, smallest_jacobian = std::numeric_limits<double>::infinity();
  Areas boundaries;
};

template <int dim>
void add_face_areas(const CoarseMesh<dim> &mesh, const dealii::FEFaceValuesBase<dim> &values, const dealii::types::boundary_id id,
                    Sizes &sizes)
{
  double area = 0;
  for (const double weight : values.get_JxW_values())
    area += weight;
  sizes.area += area;
  for (const auto &[name, ids] : mesh.boundaries)
    if (ids.count(id))
      sizes.boundaries[name] += area;
}

/// By quadrature on straight cells.
template <int dim>
Sizes measure(const CoarseMesh<dim> &mesh)
{
  const bool simplices = mesh.cells.all_reference_cells_are_simplex();
  std::unique_ptr<dealii::Mapping<dim>> mapping;
  std::unique_ptr<dealii::FiniteElement<dim>> fe;
  if (simplices)
  {
    mapping = std::make_unique<dealii::MappingFE<dim>>(dealii::FE_SimplexP<dim>(1));
    fe = std::make_unique<dealii::FE_SimplexP<dim>>(1);
  }
  else
  {
    mapping = std::make_unique<dealii::MappingQGeneric<dim>>(1);
    fe = std::make_unique<dealii::FE_Nothing<dim>>();
  }
  const dealii::Quadrature<dim> inside =
      simplices ? dealii::Quadrature<dim>(dealii::QGaussSimplex<dim>(2)) : dealii::Quadrature<dim>(dealii::QGauss<dim>(3));
  const dealii::Quadrature<dim - 1> on_face = simplices && dim == 3 ? dealii::Quadrature<dim - 1>(dealii::QGaussSimplex<dim - 1>(2))
                                                                    : dealii::Quadrature<dim - 1>(dealii::QGauss<dim - 1>(3));
  dealii::FEValues<dim> cell_values(*mapping, *fe, inside, dealii::update_JxW_values | dealii::update_jacobians);
  dealii::FEFaceValues<dim> face_values(*mapping, *fe, on_face, dealii::update_JxW_values);
  Sizes sizes;
  for (const auto &cell : mesh.cells.active_cell_iterators())
  {
    cell_values.reinit(cell);
    for (const unsigned int q : cell_values.quadrature_point_indices())
    {
      sizes.volume += cell_values.JxW(q);
      sizes.smallest_jacobian = std::min(sizes.smallest_jacobian, cell_values.jacobian(q).determinant());
    }
    for (const unsigned int f : cell->face_indices())
      if (cell->face(f)->at_boundary())
      {
        face_values.reinit(cell, f);
        add_face_areas(mesh, face_values, cell->face(f)->boundary_id(), sizes);
      }
  }
  return sizes;
}

struct Geometry
{
  double volume;
  Areas boundaries;
  bool curved = false;
};

inline void expect_sizes(const Sizes &measured, const Geometry &exact, const double tolerance)
{
  EXPECT_NEAR(measured.volume, exact.volume, tolerance * exact.volume);
  double named = 0;
  for (const auto &[name, area] : exact.boundaries)
  {
    ASSERT_TRUE(measured.boundaries.count(name)) << name;
    EXPECT_NEAR(measured.boundaries.at(name), area, tolerance * area) << name;
    named += measured.boundaries.at(name);
  }
  EXPECT_EQ(measured.boundaries.size(), exact.boundaries.size());
  EXPECT_NEAR(named, measured.area, 1e-10 * measured.area) << "a face has no name or two";
  EXPECT_GT(measured.smallest_jacobian, 0);
}

inline void expect_contains(const std::string &message, const std::vector<std::string> &parts)
{
  for (const auto &part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is not in: " << message;
}
}  // namespace symdyn::tests
