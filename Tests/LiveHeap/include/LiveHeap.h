// How much a process keeps, for the test of very many runs. The most memory that it ever had, which
// the system tells of any process, hides what is kept in the room that a busier moment left behind.

#ifndef LIVE_HEAP_H
#define LIVE_HEAP_H

/// The bytes that are allocated and not freed, without those of SQLite, whose caches come and go by
/// the megabyte; 0 where the system does not tell.
long long live_heap_bytes(void);

#endif
