#include "LiveHeap.h"

#include <stdlib.h>

#ifdef LIVE_HEAP
#include <sqlite3.h>
#endif

#if defined(__APPLE__)
#include <malloc/malloc.h>

static long long allocated_bytes(void) {
  malloc_statistics_t statistics = {0};
  malloc_zone_statistics(NULL, &statistics);
  return (long long)statistics.size_in_use;
}

#elif defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
#include <malloc.h>

static long long allocated_bytes(void) {
  struct mallinfo2 information = mallinfo2();
  return (long long)(information.uordblks + information.hblkhd);
}

#else

static long long allocated_bytes(void) { return 0; }

#endif

long long live_heap_bytes(void) {
  long long bytes = allocated_bytes();
#ifdef LIVE_HEAP
  if (bytes > 0) bytes -= sqlite3_memory_used();
#endif
  return bytes;
}
