#ifndef FIELDSTONE_BENCHMARKS_CHEAP_H
#define FIELDSTONE_BENCHMARKS_CHEAP_H

#include <stddef.h>

/// The bytes that are allocated on the heap and not freed; 0 where the system does not tell.
size_t heap_live_bytes(void);

#endif
