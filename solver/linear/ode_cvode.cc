#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_parallel.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "solver/error.h"
#include "solver/ode.h"

namespace symdyn
{
namespace
{
template <class T>
using Handle = std::unique_ptr<T, void (*)(T *)>;

void check_flag(const bool good, const char *what)
{
  if (!good)
    throw ComputationError(fmt::format("adams: SUNDIALS {} fails", what));
}

/// The right-hand side of y = (q, v), owned entries. Exceptions must not cross C code: they wait here.
struct RightHandSide
{
  const OdeProblem &problem;
  double t0;
  Vector q, v, a;
  std::exception_ptr thrown;

  static int evaluate(realtype tau, N_Vector y, N_Vector slope, void *self)
  {
    auto &me = *static_cast<RightHandSide *>(self);
    try
    {
      me.read(y);
      me.problem.acceleration(me.t0 + tau, me.q, me.v, me.a);
      const std::size_t n = me.q.locally_owned_size();
      std::copy_n(me.v.begin(), n, N_VGetArrayPointer_Parallel(slope));
      std::copy_n(me.a.begin(), n, N_VGetArrayPointer_Parallel(slope) + n);
      return 0;
    }
    catch (...)
    {
      me.thrown = std::current_exception();
      return -1;
    }
  }
  void read(N_Vector y)
  {
    const std::size_t n = q.locally_owned_size();
    const double *values = N_VGetArrayPointer_Parallel(y);
    std::copy_n(values, n, q.begin());
    std::copy_n(values + n, n, v.begin());
    q.update_ghost_values();
    v.update_ghost_values();
  }
};

/// For one integration of `length` from tau = 0.
void prepare_integrator(void *memory, const OdeProblem &problem, RightHandSide &right, N_Vector y, N_Vector absolute,
                        SUNNonlinearSolver iteration, const double length)
{
  check_flag(CVodeInit(memory, &RightHandSide::evaluate, 0., y) == CV_SUCCESS, "CVodeInit");
  check_flag(CVodeSetErrHandlerFn(
                 memory, [](int, const char *, const char *, char *, void *) {}, nullptr) == CV_SUCCESS,
             "CVodeSetErrHandlerFn");
  check_flag(CVodeSVtolerances(memory, problem.relative_tolerance, absolute) == CV_SUCCESS, "CVodeSVtolerances");
  check_flag(CVodeSetNonlinearSolver(memory, iteration) == CV_SUCCESS, "CVodeSetNonlinearSolver");
  check_flag(CVodeSetUserData(memory, &right) == CV_SUCCESS, "CVodeSetUserData");
  check_flag(CVodeSetMaxNumSteps(memory, problem.max_steps) == CV_SUCCESS, "CVodeSetMaxNumSteps");
  check_flag(CVodeSetStopTime(memory, length) == CV_SUCCESS, "CVodeSetStopTime");
}
}  // namespace

long integrate_by_adams(const OdeProblem &problem, const double t, const double t1, Vector &q, Vector &v)
{
  MPI_Comm communicator = q.get_mpi_communicator();
  SUNContext made = nullptr;
  check_flag(SUNContext_Create(&communicator, &made) == 0, "SUNContext_Create");
  const Handle<_SUNContext> context(made, [](SUNContext c) { SUNContext_Free(&c); });
  const sunindextype n = q.locally_owned_size(), all = 2 * q.size();
  const auto vector = [&] { return Handle<_generic_N_Vector>(N_VNew_Parallel(communicator, 2 * n, all, context.get()), N_VDestroy); };
  const auto y = vector(), absolute = vector();
  check_flag(y && absolute, "N_VNew_Parallel");
  double *values = N_VGetArrayPointer_Parallel(y.get()), *tolerances = N_VGetArrayPointer_Parallel(absolute.get());
  std::copy_n(q.begin(), n, values);
  std::copy_n(v.begin(), n, values + n);
  std::fill_n(tolerances, n, problem.absolute_q);
  std::fill_n(tolerances + n, n, problem.absolute_v);

  const Handle<void> memory(CVodeCreate(CV_ADAMS, context.get()), [](void *m) { CVodeFree(&m); });
  const Handle<_generic_SUNNonlinearSolver> iteration(SUNNonlinSol_FixedPoint(y.get(), 0, context.get()),
                                                      [](SUNNonlinearSolver s) { SUNNonlinSolFree(s); });
  check_flag(memory && iteration, "CVodeCreate");
  RightHandSide right{problem, t, q, v, v, nullptr};
  prepare_integrator(memory.get(), problem, right, y.get(), absolute.get(), iteration.get(), t1 - t);
  realtype reached = 0;
  const int flag = CVode(memory.get(), t1 - t, y.get(), &reached, CV_NORMAL);
  if (right.thrown)
    std::rethrow_exception(right.thrown);
  long steps = 0;
  CVodeGetNumSteps(memory.get(), &steps);
  if (flag < 0)
  {
    const std::unique_ptr<char, void (*)(void *)> name(CVodeGetReturnFlagName(flag), std::free);
    throw ComputationError(
        fmt::format("adams: {} at t = {:.6g} s after {} internal steps. Use a shorter \"Time step\", or another scheme: this one is "
                    "for problems that are not stiff",
                    name.get(), t + reached, steps));
  }
  right.read(y.get());
  q = right.q;
  v = right.v;
  q.update_ghost_values();
  v.update_ghost_values();
  return steps;
}
}  // namespace symdyn
