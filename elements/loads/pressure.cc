#include "elements/loads/surface_pressure.h"

namespace symdyn
{
/// Follower pressure p on the deformed surface: f_a = -∫ p N_a cof(F) N dA [N], cof(F) = det(F) F^{-T} (Nanson). Positive
/// pressure pushes against the body. Its tangent is not symmetric in general (it is on a closed
/// surface, and where the edge is held: Bufler 1984), so it has no potential here.
template <int dim>
class Pressure : public SurfacePressure<dim>
{
public:
  void prepare(const Discretisation<dim> &mesh, const std::function<double(unsigned int)> &force) override
  {
    SurfacePressure<dim>::prepare(mesh, force);
    surface_with_ghosts = SurfaceIntegral<dim>(mesh, this->boundaries, true);
  }

  bool follows() const override { return true; }

  void add_force(const Moment &now, const Vector &q, const double factor, Vector &f) const override
  {
    const double s = -factor * this->amplitude(now);
    for (const Face &face : this->surface.faces)
      for (std::size_t k = 0; k < face.dA.size(); ++k)
      {
        const double p_dA = s * this->pressure.at(&face.point[k][0], dim, now.t) * face.dA[k];
        const dealii::Tensor<1, dim> force = p_dA * (cofactor(deformation(face, k, q)) * face.normal[k]);
        for (std::size_t a = 0; a < face.nodes.size(); ++a)
          for (int d = 0; d < dim; ++d)
            f.local_element(dim * face.nodes[a] + d) += face.shape[k * face.nodes.size() + a] * force[d];
      }
  }

  void add_matrix(const Moment &now, const Vector &q, const double weight, const MatrixSink &sink) const override
  {
    const double s = weight * this->amplitude(now);
    for (const Face &face : surface_with_ghosts.faces)
    {
      const std::size_t n = face.nodes.size();
      std::vector<double> blocks(n * n * dim * dim);
      for (std::size_t k = 0; k < face.dA.size(); ++k)
      {
        const double p_dA = s * this->pressure.at(&face.point[k][0], dim, now.t) * face.dA[k];
        const auto F = deformation(face, k, q);
        for (std::size_t b = 0; b < n; ++b)
          for (int j = 0; j < dim; ++j)
          {
            dealii::Tensor<2, dim> G;  // dF for a unit displacement of node b along j
            G[j] = face.gradient[k * n + b];
            const dealii::Tensor<1, dim> change = p_dA * (cofactor_change(F, G) * face.normal[k]);
            for (std::size_t a = 0; a < n; ++a)
              for (int i = 0; i < dim; ++i)
                blocks[((a * n + b) * dim + i) * dim + j] += face.shape[k * n + a] * change[i];
          }
      }
      sink.add_blocks(face.nodes, blocks);
    }
  }

  void add_stiffness(const Moment &now, const Vector &q, const Vector &u, const double factor, Vector &Ku) const override
  {
    const double s = factor * this->amplitude(now);
    for (const Face &face : this->surface.faces)
      for (std::size_t k = 0; k < face.dA.size(); ++k)
      {
        const double p_dA = s * this->pressure.at(&face.point[k][0], dim, now.t) * face.dA[k];
        const dealii::Tensor<1, dim> change = p_dA * (cofactor_change(deformation(face, k, q), gradient(face, k, u)) * face.normal[k]);
        for (std::size_t a = 0; a < face.nodes.size(); ++a)
          for (int d = 0; d < dim; ++d)
            Ku.local_element(dim * face.nodes[a] + d) += face.shape[k * face.nodes.size() + a] * change[d];
      }
  }

  dealii::Tensor<1, dim> per_area(const dealii::Point<dim> &X, const dealii::Tensor<1, dim> &N, const dealii::Tensor<2, dim> &F,
                                  const Moment &now) const override
  {
    return -this->at(X, now) * (cofactor(F) * N);
  }

private:
  using Face = typename SurfaceIntegral<dim>::Face;
  using Tensor = dealii::Tensor<2, dim>;

  /// du/dX at a point.
  static Tensor gradient(const Face &face, const std::size_t k, const Vector &u)
  {
    Tensor G;
    const std::size_t n = face.nodes.size();
    for (std::size_t a = 0; a < n; ++a)
      for (int i = 0; i < dim; ++i)
        G[i] += u.local_element(dim * face.nodes[a] + i) * face.gradient[k * n + a];
    return G;
  }
  static Tensor deformation(const Face &face, const std::size_t k, const Vector &q)
  {
    return Tensor(dealii::unit_symmetric_tensor<dim>()) + gradient(face, k, q);
  }

  /// Bilinear form with cofactor(F) = cross(F, F) / 2 in 3-D; linear in 2-D.
  static Tensor cross(const Tensor &A, const Tensor &B)
  {
    Tensor c;
    for (int i = 0; i < 3; ++i)
      for (int J = 0; J < 3; ++J)
      {
        const int k = (i + 1) % 3, l = (i + 2) % 3, M = (J + 1) % 3, N = (J + 2) % 3;
        c[i % dim][J % dim] = A[k % dim][M % dim] * B[l % dim][N % dim] - A[k % dim][N % dim] * B[l % dim][M % dim] +
                              B[k % dim][M % dim] * A[l % dim][N % dim] - B[k % dim][N % dim] * A[l % dim][M % dim];
      }
    return c;
  }
  static Tensor cofactor(const Tensor &F)
  {
    if constexpr (dim == 2)
    {
      Tensor c;
      c[0][0] = F[1][1];
      c[0][1] = -F[1][0];
      c[1][0] = -F[0][1];
      c[1][1] = F[0][0];
      return c;
    }
    else
      return 0.5 * cross(F, F);
  }
  static Tensor cofactor_change(const Tensor &F, const Tensor &G)
  {
    if constexpr (dim == 2)
      return cofactor(G);
    else
      return cross(F, G);
  }

  SurfaceIntegral<dim> surface_with_ghosts;
};

SYMDYN_REGISTER_LOAD(Pressure, "pressure");
}  // namespace symdyn
