! The laws of laws.c as users write them in Fortran.

! Von Mises with linear hardening (Simo, Hughes 1998, box 3.2): E, nu, sigma_y, H; one state variable, p.
subroutine j2(stress, statev, ddsdde, sse, spd, scd, rpl, ddsddt, drplde, drpldt, stran, dstran, time, dtime, temp, &
              dtemp, predef, dpred, cmname, ndi, nshr, ntens, nstatv, props, nprops, coords, drot, pnewdt, celent, &
              dfgrd0, dfgrd1, noel, npt, layer, kspt, kstep, kinc)
  implicit none
  integer :: ndi, nshr, ntens, nstatv, nprops, noel, npt, layer, kspt, kstep, kinc
  double precision :: stress(ntens), statev(nstatv), ddsdde(ntens, ntens), sse, spd, scd, rpl, ddsddt(ntens), drplde(ntens)
  double precision :: drpldt, stran(ntens), dstran(ntens), time(2), dtime, temp, dtemp, predef(1), dpred(1), props(nprops)
  double precision :: coords(3), drot(3, 3), pnewdt, celent, dfgrd0(3, 3), dfgrd1(3, 3)
  character(len=80) :: cmname
  double precision :: mu, kappa, p, pressure, volume, q, f, dp, keep, soft, s(6), weight(6), D(6, 6)
  integer :: i, j

  mu = props(1)/(2d0*(1d0 + props(2)))
  kappa = props(1)/(3d0*(1d0 - 2d0*props(2)))
  weight = [1d0, 1d0, 1d0, 2d0, 2d0, 2d0]
  p = statev(1)
  pressure = sum(stress(1:ndi))/3d0
  volume = sum(dstran(1:ndi))
  s = stress + 2d0*mu*dstran/weight
  s(1:3) = s(1:3) - pressure - 2d0*mu*volume/3d0
  pressure = pressure + kappa*volume
  q = sqrt(1.5d0*sum(weight*s**2))
  f = q - props(3) - props(4)*p
  dp = 0d0
  keep = 1d0
  soft = 0d0
  if (f > 1d-12*props(3)) then
    dp = f/(3d0*mu + props(4))
    keep = 1d0 - 3d0*mu*dp/q
    soft = 3d0*mu/(3d0*mu + props(4)) - 3d0*mu*dp/q
  end if
  D = 0d0
  do i = 1, 6
    D(i, i) = 2d0*mu*keep/weight(i)
  end do
  D(1:3, 1:3) = D(1:3, 1:3) + kappa - 2d0*mu*keep/3d0
  if (dp > 0d0) then
    do i = 1, 6
      do j = 1, 6
        D(i, j) = D(i, j) - 3d0*mu*soft*s(i)*s(j)/q**2
      end do
    end do
  end if
  ddsdde = D
  s = keep*s
  stress = s
  stress(1:3) = stress(1:3) + pressure
  statev(1) = p + dp
  sse = 0.5d0*pressure**2/kappa + sum(weight*s**2)/(4d0*mu) + 0.5d0*props(4)*(p + dp)**2
  spd = spd + props(3)*dp
end subroutine j2

! psi = mu/2 (I1 - 3) - mu ln J + lambda/2 ln^2 J: E, nu. Cauchy stress, moduli of the Jaumann rate.
subroutine neo_hooke(stress, statev, ddsdde, sse, spd, scd, rpl, ddsddt, drplde, drpldt, stran, dstran, time, dtime, temp, &
              dtemp, predef, dpred, cmname, ndi, nshr, ntens, nstatv, props, nprops, coords, drot, pnewdt, celent, &
              dfgrd0, dfgrd1, noel, npt, layer, kspt, kstep, kinc)
  implicit none
  integer :: ndi, nshr, ntens, nstatv, nprops, noel, npt, layer, kspt, kstep, kinc
  double precision :: stress(ntens), statev(nstatv), ddsdde(ntens, ntens), sse, spd, scd, rpl, ddsddt(ntens), drplde(ntens)
  double precision :: drpldt, stran(ntens), dstran(ntens), time(2), dtime, temp, dtemp, predef(1), dpred(1), props(nprops)
  double precision :: coords(3), drot(3, 3), pnewdt, celent, dfgrd0(3, 3), dfgrd1(3, 3)
  character(len=80) :: cmname
  double precision :: mu, lambda, J, logarithm, b(3, 3), tau(3, 3), unit(3, 3), moduli
  integer, parameter :: row(6) = [1, 2, 3, 1, 1, 2], column(6) = [1, 2, 3, 2, 3, 3]
  integer :: m, n, a, c, d, e

  mu = props(1)/(2d0*(1d0 + props(2)))
  lambda = props(1)*props(2)/((1d0 + props(2))*(1d0 - 2d0*props(2)))
  unit = 0d0
  do m = 1, 3
    unit(m, m) = 1d0
  end do
  J = dfgrd1(1, 1)*(dfgrd1(2, 2)*dfgrd1(3, 3) - dfgrd1(2, 3)*dfgrd1(3, 2)) &
      - dfgrd1(1, 2)*(dfgrd1(2, 1)*dfgrd1(3, 3) - dfgrd1(2, 3)*dfgrd1(3, 1)) &
      + dfgrd1(1, 3)*(dfgrd1(2, 1)*dfgrd1(3, 2) - dfgrd1(2, 2)*dfgrd1(3, 1))
  logarithm = log(J)
  b = matmul(dfgrd1, transpose(dfgrd1))
  tau = mu*b + (lambda*logarithm - mu)*unit
  do m = 1, 6
    a = row(m)
    c = column(m)
    stress(m) = tau(a, c)/J
    do n = 1, 6
      d = row(n)
      e = column(n)
      moduli = lambda*unit(a, c)*unit(d, e)
      moduli = moduli + (mu - lambda*logarithm)*(unit(a, d)*unit(c, e) + unit(a, e)*unit(c, d))
      moduli = moduli + 0.5d0*(unit(a, d)*tau(c, e) + unit(a, e)*tau(c, d))
      moduli = moduli + 0.5d0*(unit(c, d)*tau(a, e) + unit(c, e)*tau(a, d))
      ddsdde(m, n) = moduli/J
    end do
  end do
  sse = (0.5d0*mu*(b(1, 1) + b(2, 2) + b(3, 3) - 3d0) - mu*logarithm + 0.5d0*lambda*logarithm**2)/J
end subroutine neo_hooke
