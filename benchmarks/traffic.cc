// What a program says to other ranks, counted between it and MPI (MPI standard, profiling interface): messages, their bytes, and the calls
// in which all ranks take part. Built as a library of its own that is preloaded:
//     mpirun -n 2 -x LD_PRELOAD=build/release/benchmarks/libtraffic.so -x SYMDYN_TRAFFIC=traffic.json build/release/symdyn run deck.prm
// At the end rank 0 writes the sums over all ranks and the largest of one rank. benchmarks/scaling takes the difference of a run and one of
// twice as many steps. Calls from Fortran (MUMPS) are counted as well.
#include <dlfcn.h>
#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

namespace
{
enum Count
{
  messages,
  bytes,
  reductions,
  reduced_bytes,
  other_collectives,
  waits,
  counts
};
const char *const names[counts] = {"messages", "bytes", "reductions", "reduced bytes", "other collectives", "waits"};
std::array<double, counts> total{};
std::unordered_map<MPI_Request, double> prepared;  ///< bytes of sends that are started again and again

double size_of(const int count, const MPI_Datatype type)
{
  int size = 0;
  PMPI_Type_size(type, &size);
  return double(count) * size;
}

void sent(const double size)
{
  total[messages] += 1.;
  total[bytes] += size;
}

void reduced(const double size, const MPI_Comm communicator)
{
  int ranks = 1;
  PMPI_Comm_size(communicator, &ranks);
  if (ranks == 1)  // of MPI_COMM_SELF
    return;
  total[reductions] += 1.;
  total[reduced_bytes] += size;
}

void collective(const MPI_Comm communicator)
{
  int ranks = 1;
  PMPI_Comm_size(communicator, &ranks);
  total[other_collectives] += ranks > 1;
}

void started(const MPI_Request request)
{
  if (const auto found = prepared.find(request); found != prepared.end())
    sent(found->second);
}

void report()
{
  const char *file = std::getenv("SYMDYN_TRAFFIC");
  if (!file)
    return;
  std::array<double, counts> sum{}, largest{};
  int rank, ranks;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  PMPI_Reduce(total.data(), sum.data(), counts, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  PMPI_Reduce(total.data(), largest.data(), counts, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  std::FILE *out = rank == 0 ? std::fopen(file, "w") : nullptr;
  if (!out)
    return;
  std::fprintf(out, "{\"ranks\": %d", ranks);
  for (int i = 0; i < counts; ++i)
    std::fprintf(out, ",\n \"%s\": {\"sum\": %.17g, \"largest\": %.17g}", names[i], sum[i], largest[i]);
  std::fprintf(out, "}\n");
  std::fclose(out);
}
}  // namespace

extern "C"
{
  int MPI_Finalize()
  {
    report();
    return PMPI_Finalize();
  }

// Sends; of MPI_Sendrecv the half that is sent.
#define SEND(name)                                                                                         \
  int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator) \
  {                                                                                                        \
    sent(size_of(count, type));                                                                            \
    return PMPI_##name(buffer, count, type, to, tag, communicator);                                        \
  }
#define SEND_LATER(name)                                                                                                         \
  int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator, MPI_Request *request) \
  {                                                                                                                              \
    sent(size_of(count, type));                                                                                                  \
    return PMPI_##name(buffer, count, type, to, tag, communicator, request);                                                     \
  }
  SEND(Send)
  SEND(Ssend)
  SEND(Bsend)
  SEND(Rsend)
  SEND_LATER(Isend)
  SEND_LATER(Issend)
  SEND_LATER(Irsend)
  SEND_LATER(Ibsend)

  int MPI_Sendrecv(const void *buffer, int count, MPI_Datatype type, int to, int tag, void *received, int most, MPI_Datatype received_type,
                   int from, int received_tag, MPI_Comm communicator, MPI_Status *status)
  {
    sent(size_of(count, type));
    return PMPI_Sendrecv(buffer, count, type, to, tag, received, most, received_type, from, received_tag, communicator, status);
  }

  // Requests that are prepared once and started often (PETSc's scatters).
  int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator, MPI_Request *request)
  {
    const int error = PMPI_Send_init(buffer, count, type, to, tag, communicator, request);
    prepared[*request] = size_of(count, type);
    return error;
  }

  int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Request *request)
  {
    const int error = PMPI_Recv_init(buffer, count, type, from, tag, communicator, request);
    prepared.erase(*request);  // a request of old at the same address
    return error;
  }

  int MPI_Request_free(MPI_Request *request)
  {
    prepared.erase(*request);
    return PMPI_Request_free(request);
  }

  int MPI_Start(MPI_Request *request)
  {
    started(*request);
    return PMPI_Start(request);
  }

  int MPI_Startall(int count, MPI_Request *requests)
  {
    for (int i = 0; i < count; ++i)
      started(requests[i]);
    return PMPI_Startall(count, requests);
  }

  // A rank waits for its neighbours: one latency at least.
  int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
  {
    total[waits] += 1.;
    return PMPI_Waitall(count, requests, statuses);
  }

  // Everybody waits for everybody.
  int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator)
  {
    reduced(size_of(count, type), communicator);
    return PMPI_Allreduce(from, to, count, type, operation, communicator);
  }

  int MPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator,
                     MPI_Request *request)
  {
    reduced(size_of(count, type), communicator);
    return PMPI_Iallreduce(from, to, count, type, operation, communicator, request);
  }

  int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation, int root, MPI_Comm communicator)
  {
    reduced(size_of(count, type), communicator);
    return PMPI_Reduce(from, to, count, type, operation, root, communicator);
  }

#define COLLECTIVE(name, parameters, arguments) \
  int MPI_##name parameters                     \
  {                                             \
    collective(communicator);                   \
    return PMPI_##name arguments;               \
  }
  COLLECTIVE(Barrier, (MPI_Comm communicator), (communicator))
  COLLECTIVE(Ibarrier, (MPI_Comm communicator, MPI_Request *request), (communicator, request))
  COLLECTIVE(Bcast, (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator),
             (buffer, count, type, root, communicator))
  COLLECTIVE(Scan, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
             (from, to, count, type, operation, communicator))
  COLLECTIVE(Exscan, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
             (from, to, count, type, operation, communicator))
  COLLECTIVE(Allgather, (const void *from, int count, MPI_Datatype type, void *to, int most, MPI_Datatype to_type, MPI_Comm communicator),
             (from, count, type, to, most, to_type, communicator))
  COLLECTIVE(Gather,
             (const void *from, int count, MPI_Datatype type, void *to, int most, MPI_Datatype to_type, int root, MPI_Comm communicator),
             (from, count, type, to, most, to_type, root, communicator))
  COLLECTIVE(Alltoall, (const void *from, int count, MPI_Datatype type, void *to, int most, MPI_Datatype to_type, MPI_Comm communicator),
             (from, count, type, to, most, to_type, communicator))
  COLLECTIVE(Alltoallv,
             (const void *from, const int *counts, const int *first, MPI_Datatype type, void *to, const int *most, const int *to_first,
              MPI_Datatype to_type, MPI_Comm communicator),
             (from, counts, first, type, to, most, to_first, to_type, communicator))
  COLLECTIVE(Reduce_scatter, (const void *from, void *to, const int *counts, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
             (from, to, counts, type, operation, communicator))
  COLLECTIVE(Reduce_scatter_block, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator),
             (from, to, count, type, operation, communicator))
  COLLECTIVE(Ibcast, (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator, MPI_Request *request),
             (buffer, count, type, root, communicator, request))
  COLLECTIVE(Allgatherv,
             (const void *from, int count, MPI_Datatype type, void *to, const int *most, const int *first, MPI_Datatype to_type,
              MPI_Comm communicator),
             (from, count, type, to, most, first, to_type, communicator))
  COLLECTIVE(Gatherv,
             (const void *from, int count, MPI_Datatype type, void *to, const int *most, const int *first, MPI_Datatype to_type, int root,
              MPI_Comm communicator),
             (from, count, type, to, most, first, to_type, root, communicator))

  // Open MPI's Fortran calls go past the names above.
  void mpi_isend_(void *buffer, int *count, MPI_Fint *type, int *to, int *tag, MPI_Fint *communicator, MPI_Fint *request, MPI_Fint *error)
  {
    using Call = void (*)(void *, int *, MPI_Fint *, int *, int *, MPI_Fint *, MPI_Fint *, MPI_Fint *);
    static const Call next = Call(dlsym(RTLD_NEXT, "mpi_isend_"));
    sent(size_of(*count, PMPI_Type_f2c(*type)));
    next(buffer, count, type, to, tag, communicator, request, error);
  }

  void mpi_send_(void *buffer, int *count, MPI_Fint *type, int *to, int *tag, MPI_Fint *communicator, MPI_Fint *error)
  {
    using Call = void (*)(void *, int *, MPI_Fint *, int *, int *, MPI_Fint *, MPI_Fint *);
    static const Call next = Call(dlsym(RTLD_NEXT, "mpi_send_"));
    sent(size_of(*count, PMPI_Type_f2c(*type)));
    next(buffer, count, type, to, tag, communicator, error);
  }

  void mpi_allreduce_(void *from, void *to, int *count, MPI_Fint *type, MPI_Fint *operation, MPI_Fint *communicator, MPI_Fint *error)
  {
    using Call = void (*)(void *, void *, int *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *);
    static const Call next = Call(dlsym(RTLD_NEXT, "mpi_allreduce_"));
    reduced(size_of(*count, PMPI_Type_f2c(*type)), PMPI_Comm_f2c(*communicator));
    next(from, to, count, type, operation, communicator, error);
  }

  void mpi_reduce_(void *from, void *to, int *count, MPI_Fint *type, MPI_Fint *operation, int *root, MPI_Fint *communicator,
                   MPI_Fint *error)
  {
    using Call = void (*)(void *, void *, int *, MPI_Fint *, MPI_Fint *, int *, MPI_Fint *, MPI_Fint *);
    static const Call next = Call(dlsym(RTLD_NEXT, "mpi_reduce_"));
    reduced(size_of(*count, PMPI_Type_f2c(*type)), PMPI_Comm_f2c(*communicator));
    next(from, to, count, type, operation, root, communicator, error);
  }

  void mpi_bcast_(void *buffer, int *count, MPI_Fint *type, int *root, MPI_Fint *communicator, MPI_Fint *error)
  {
    using Call = void (*)(void *, int *, MPI_Fint *, int *, MPI_Fint *, MPI_Fint *);
    static const Call next = Call(dlsym(RTLD_NEXT, "mpi_bcast_"));
    collective(PMPI_Comm_f2c(*communicator));
    next(buffer, count, type, root, communicator, error);
  }

  void mpi_barrier_(MPI_Fint *communicator, MPI_Fint *error)
  {
    using Call = void (*)(MPI_Fint *, MPI_Fint *);
    static const Call next = Call(dlsym(RTLD_NEXT, "mpi_barrier_"));
    collective(PMPI_Comm_f2c(*communicator));
    next(communicator, error);
  }
}
