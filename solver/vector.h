#pragma once
#include <deal.II/lac/la_parallel_vector.h>

namespace symdyn
{
/// The only vector that crosses a folder: 2 numbers or 20 million, on one rank or many, with ghost entries.
using Vector = dealii::LinearAlgebra::distributed::Vector<double>;
}  // namespace symdyn
