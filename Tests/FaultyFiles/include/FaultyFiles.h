// A layer between SQLite and the files of the system, for tests: it tells of every call and may
// make it fail. Files that nobody watches are opened without it. It is there only where SQLite is.

#ifndef FAULTY_FILES_H
#define FAULTY_FILES_H

/// What SQLite wants of a file.
typedef enum {
  faulty_make,      ///< Opens a file that is not there yet.
  faulty_write,
  faulty_truncate,  ///< To `offset` bytes.
  faulty_sync,
  faulty_remove,
  faulty_read,
  faulty_lock,      ///< Also of a part of the shared memory; not told when it is let go.
  faulty_share,     ///< Maps shared memory, and makes room for it.
  faulty_barrier    ///< Between two writes to shared memory; can't fail.
} faulty_kind;

/// A call, while it is made.
typedef struct {
  faulty_kind kind;
  const char *path;
  const void *bytes;
  long long offset;
  long long length;
} faulty_call;

/// Who is told of calls, from any thread.
typedef struct {
  void *watcher;
  /// Before a call; anything but zero is the SQLite error that it fails with. Of a write that fails
  /// for want of space the first half is written, as the system does it.
  int (*before)(void *watcher, const faulty_call *call);
  /// After a call that went well.
  void (*after)(void *watcher, const faulty_call *call);
  /// Once nothing more will be told.
  void (*release)(void *watcher);
} faulty_hooks;

/// Watches the files whose paths begin with a prefix and that are opened from now on.
///
/// Returns a number for `faulty_unwatch`, or less than zero when the layer can't be put in.
int faulty_watch(const char *prefix, faulty_hooks hooks);

/// Watches none that are opened from now on; those that are open are watched until they are closed.
void faulty_unwatch(int number);

#endif
