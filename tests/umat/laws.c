/* Laws with the calling convention of Abaqus' UMAT, as users write them in C. Arrays of two dimensions stand by columns. */
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UMAT(name)                                                                                                                         \
  void name(double *stress, double *statev, double *ddsdde, double *sse, double *spd, double *scd, double *rpl, double *ddsddt,            \
            double *drplde, double *drpldt, const double *stran, const double *dstran, const double *time, const double *dtime,            \
            const double *temp, const double *dtemp, const double *predef, const double *dpred, const char *cmname, const int *ndi,        \
            const int *nshr, const int *ntens, const int *nstatv, const double *props, const int *nprops, const double *coords,            \
            const double *drot, double *pnewdt, const double *celent, const double *dfgrd0, const double *dfgrd1, const int *noel,         \
            const int *npt, const int *layer, const int *kspt, const int *jstep, const int *kinc)
#define UNUSED(x) (void)(x)
#define UNUSED_OF_UMAT                                                                                                                     \
  UNUSED(statev), UNUSED(sse), UNUSED(spd), UNUSED(scd), UNUSED(rpl), UNUSED(ddsddt), UNUSED(drplde), UNUSED(drpldt), UNUSED(stran),       \
      UNUSED(dstran), UNUSED(time), UNUSED(dtime), UNUSED(temp), UNUSED(dtemp), UNUSED(predef), UNUSED(dpred), UNUSED(cmname),             \
      UNUSED(ndi), UNUSED(nshr), UNUSED(ntens), UNUSED(nstatv), UNUSED(props), UNUSED(nprops), UNUSED(coords), UNUSED(drot),               \
      UNUSED(pnewdt), UNUSED(celent), UNUSED(dfgrd0), UNUSED(dfgrd1), UNUSED(noel), UNUSED(npt), UNUSED(layer), UNUSED(kspt),              \
      UNUSED(jstep), UNUSED(kinc)

/* von Mises with linear hardening by radial return (Simo, Hughes 1998, box 3.2): E, nu, sigma_y, H; one state variable, p. SSE holds the
   energy of hardening, too; SPD = sigma_y p. */
UMAT(j2)
{
  const double E = props[0], nu = props[1], yield = props[2], H = props[3], mu = E / (2. * (1. + nu)), kappa = E / (3. * (1. - 2. * nu));
  const double p0 = statev[0];
  double s[6], strain[6], trace = 0., pressure, square = 0., q, f, dp = 0., keep = 1., soft = 0.;
  int i, j;
  UNUSED_OF_UMAT;
  for (i = 0; i < 3; ++i)
    trace += dstran[i];
  pressure = (stress[0] + stress[1] + stress[2]) / 3.;
  for (i = 0; i < 6; ++i)
    s[i] = stress[i] - (i < 3 ? pressure : 0.) + (i < 3 ? 2. * mu * (dstran[i] - trace / 3.) : mu * dstran[i]);
  pressure += kappa * trace;
  for (i = 0; i < 6; ++i)
    square += (i < 3 ? 1. : 2.) * s[i] * s[i];
  q = sqrt(1.5 * square);
  f = q - yield - H * p0;
  if (f > 1e-12 * yield)
  {
    dp = f / (3. * mu + H);
    keep = 1. - 3. * mu * dp / q;
    soft = 3. * mu / (3. * mu + H) - 3. * mu * dp / q;
  }
  for (i = 0; i < 6; ++i)
    for (j = 0; j < 6; ++j)
    {
      const double unit = i == j ? (i < 3 ? 1. : 0.5) : 0., direct = i < 3 && j < 3 ? 1. : 0.;
      ddsdde[6 * j + i] = kappa * direct + 2. * mu * keep * (unit - direct / 3.);
      if (dp > 0.)
        ddsdde[6 * j + i] -= 2. * mu * soft * 1.5 * s[i] * s[j] / (q * q);
    }
  *sse = 0.5 * H * (p0 + dp) * (p0 + dp) + 0.5 * pressure * pressure / kappa;
  for (i = 0; i < 6; ++i)
  {
    s[i] *= keep;
    stress[i] = s[i] + (i < 3 ? pressure : 0.);
    strain[i] = s[i] / (2. * mu);
    *sse += 0.5 * (i < 3 ? 1. : 2.) * s[i] * strain[i];
  }
  statev[0] = p0 + dp;
  *spd += yield * dp;
}

/* Hooke with E of the temperature at the end, E = props[0] (1 - props[2] T): nu = props[1]. statev: TEMP and DTEMP. */
UMAT(warm)
{
  const double E = props[0] * (1. - props[2] * (*temp + *dtemp)), nu = props[1], mu = E / (2. * (1. + nu)),
               lambda = E * nu / ((1. + nu) * (1. - 2. * nu));
  int i, j;
  UNUSED_OF_UMAT;
  for (i = 0; i < 6; ++i)
  {
    stress[i] = 0.;
    for (j = 0; j < 6; ++j)
    {
      ddsdde[6 * j + i] = (i < 3 && j < 3 ? lambda : 0.) + (i == j ? (i < 3 ? 2. * mu : mu) : 0.);
      stress[i] += ddsdde[6 * j + i] * (stran[j] + dstran[j]);
    }
  }
  *sse = 0.;
  for (i = 0; i < 6; ++i)
    *sse += 0.5 * stress[i] * (stran[i] + dstran[i]);
  statev[0] = *temp;
  statev[1] = *dtemp;
}

/* psi = mu/2 (I1 - 3) - mu ln J + lambda/2 ln^2 J: E, nu. Cauchy stress, moduli of the Jaumann rate. */
UMAT(neo_hooke)
{
  const double E = props[0], nu = props[1], mu = E / (2. * (1. + nu)), lambda = E * nu / ((1. + nu) * (1. - 2. * nu));
  const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
  const double *F = dfgrd1;
  double b[3][3], tau[3][3], J, log_J;
  int i, j, k;
  UNUSED_OF_UMAT;
  J = F[0] * (F[4] * F[8] - F[7] * F[5]) - F[3] * (F[1] * F[8] - F[7] * F[2]) + F[6] * (F[1] * F[5] - F[4] * F[2]);
  log_J = log(J);
  for (i = 0; i < 3; ++i)
    for (j = 0; j < 3; ++j)
    {
      b[i][j] = 0.;
      for (k = 0; k < 3; ++k)
        b[i][j] += F[3 * k + i] * F[3 * k + j];
      tau[i][j] = mu * b[i][j] + (i == j ? lambda * log_J - mu : 0.);
    }
  for (i = 0; i < 6; ++i)
  {
    const int a = first[i], c = second[i];
    stress[i] = tau[a][c] / J;
    for (j = 0; j < 6; ++j)
    {
      const int d = first[j], e = second[j];
      ddsdde[6 * j + i] = (a == c && d == e ? lambda : 0.) + (mu - lambda * log_J) * ((a == d && c == e) + (a == e && c == d));
      ddsdde[6 * j + i] += 0.5 * ((a == d) * tau[c][e] + (a == e) * tau[c][d] + (c == d) * tau[a][e] + (c == e) * tau[a][d]);
      ddsdde[6 * j + i] /= J;
    }
  }
  *sse = (0.5 * mu * (b[0][0] + b[1][1] + b[2][2] - 3.) - mu * log_J + 0.5 * lambda * log_J * log_J) / J;
}

/* Elastic, E and nu = 0, without energies; fails above a strain of props[1], is no number above props[2]. */
UMAT(silent)
{
  double largest = 0.;
  int i;
  UNUSED_OF_UMAT;
  for (i = 0; i < 6; ++i)
  {
    const double strain = stran[i] + dstran[i], size = fabs(strain);
    ddsdde[7 * i] = i < 3 ? props[0] : 0.5 * props[0];
    stress[i] = ddsdde[7 * i] * strain;
    largest = size > largest ? size : largest;
  }
  if (largest > props[1])
    *pnewdt = 0.5;
  if (largest > props[2])
    stress[0] = sqrt(-1. - largest);
}

/* Returns nothing. */
UMAT(idle) { UNUSED(stress), UNUSED(ddsdde), UNUSED_OF_UMAT; }

#ifdef __cplusplus
}
#endif
