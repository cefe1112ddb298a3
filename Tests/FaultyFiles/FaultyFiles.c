#ifdef FAULTY_FILES

#include "FaultyFiles.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// MARK: Who watches

typedef struct watch {
  int number;
  char *prefix;
  faulty_hooks hooks;
  // The files that are open, and one for the list.
  int uses;
  struct watch *next;
} watch;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static watch *watches = NULL;
static int last_number = 0;

static watch *take(const char *path) {
  if (path == NULL) return NULL;
  pthread_mutex_lock(&mutex);
  watch *found = watches;
  while (found != NULL && strncmp(path, found->prefix, strlen(found->prefix)) != 0) {
    found = found->next;
  }
  if (found != NULL) found->uses += 1;
  pthread_mutex_unlock(&mutex);
  return found;
}

static void give_back(watch *watch) {
  pthread_mutex_lock(&mutex);
  int is_last = --watch->uses == 0;
  pthread_mutex_unlock(&mutex);
  if (!is_last) return;
  watch->hooks.release(watch->hooks.watcher);
  free(watch->prefix);
  free(watch);
}

static int before(const watch *watch, const faulty_call *call) {
  return watch->hooks.before(watch->hooks.watcher, call);
}

static int after(const watch *watch, const faulty_call *call, int result) {
  if (result == SQLITE_OK) watch->hooks.after(watch->hooks.watcher, call);
  return result;
}

// MARK: Files

typedef struct {
  sqlite3_file base;
  watch *watch;
  const char *path;
} file;

// The file of the system stands behind ours, in the room that SQLite has made for both.
static sqlite3_file *real(sqlite3_file *ours) { return (sqlite3_file *)((file *)ours + 1); }

static faulty_call call_of(
    sqlite3_file *ours, faulty_kind kind, const void *bytes, long long offset, long long length) {
  return (faulty_call){kind, ((file *)ours)->path, bytes, offset, length};
}

#define TELL(kind, bytes, offset, length, make)                          \
  const watch *watch = ((file *)ours)->watch;                            \
  const faulty_call call = call_of(ours, kind, bytes, offset, length);   \
  int result = before(watch, &call);                                     \
  return result != SQLITE_OK ? result : after(watch, &call, make)

static int file_close(sqlite3_file *ours) {
  int result = real(ours)->pMethods->xClose(real(ours));
  give_back(((file *)ours)->watch);
  return result;
}

static int file_read(sqlite3_file *ours, void *bytes, int length, sqlite3_int64 offset) {
  TELL(faulty_read, NULL, offset, length,
       real(ours)->pMethods->xRead(real(ours), bytes, length, offset));
}

static int file_write(sqlite3_file *ours, const void *bytes, int length, sqlite3_int64 offset) {
  const watch *watch = ((file *)ours)->watch;
  const faulty_call call = call_of(ours, faulty_write, bytes, offset, length);
  int result = before(watch, &call);
  if (result == SQLITE_FULL) {
    real(ours)->pMethods->xWrite(real(ours), bytes, length / 2, offset);
  }
  if (result != SQLITE_OK) return result;
  return after(watch, &call, real(ours)->pMethods->xWrite(real(ours), bytes, length, offset));
}

static int file_truncate(sqlite3_file *ours, sqlite3_int64 size) {
  TELL(faulty_truncate, NULL, size, 0, real(ours)->pMethods->xTruncate(real(ours), size));
}

static int file_sync(sqlite3_file *ours, int flags) {
  TELL(faulty_sync, NULL, 0, 0, real(ours)->pMethods->xSync(real(ours), flags));
}

static int file_size(sqlite3_file *ours, sqlite3_int64 *size) {
  return real(ours)->pMethods->xFileSize(real(ours), size);
}

static int file_lock(sqlite3_file *ours, int level) {
  TELL(faulty_lock, NULL, 0, 0, real(ours)->pMethods->xLock(real(ours), level));
}

static int file_unlock(sqlite3_file *ours, int level) {
  return real(ours)->pMethods->xUnlock(real(ours), level);
}

static int file_is_reserved(sqlite3_file *ours, int *is_reserved) {
  return real(ours)->pMethods->xCheckReservedLock(real(ours), is_reserved);
}

static int file_control(sqlite3_file *ours, int operation, void *argument) {
  return real(ours)->pMethods->xFileControl(real(ours), operation, argument);
}

static int file_sector_size(sqlite3_file *ours) {
  return real(ours)->pMethods->xSectorSize(real(ours));
}

static int file_characteristics(sqlite3_file *ours) {
  return real(ours)->pMethods->xDeviceCharacteristics(real(ours));
}

static int file_share(
    sqlite3_file *ours, int region, int size, int makes, void volatile **memory) {
  TELL(faulty_share, NULL, region, makes,
       real(ours)->pMethods->xShmMap(real(ours), region, size, makes, memory));
}

static int file_share_lock(sqlite3_file *ours, int offset, int count, int flags) {
  if (flags & SQLITE_SHM_UNLOCK) {
    return real(ours)->pMethods->xShmLock(real(ours), offset, count, flags);
  }
  TELL(faulty_lock, NULL, offset, count,
       real(ours)->pMethods->xShmLock(real(ours), offset, count, flags));
}

static void file_share_barrier(sqlite3_file *ours) {
  const faulty_call call = call_of(ours, faulty_barrier, NULL, 0, 0);
  (void)before(((file *)ours)->watch, &call);
  real(ours)->pMethods->xShmBarrier(real(ours));
}

static int file_share_end(sqlite3_file *ours, int removes) {
  return real(ours)->pMethods->xShmUnmap(real(ours), removes);
}

// Version 2: shared memory, and no memory-mapped reading, which would go past the layer.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_is_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = file_share,
    .xShmLock = file_share_lock,
    .xShmBarrier = file_share_barrier,
    .xShmUnmap = file_share_end,
};

// MARK: The layer

static sqlite3_vfs *system_files = NULL;
static sqlite3_vfs layer;

static int layer_open(
    sqlite3_vfs *unused, const char *path, sqlite3_file *ours, int flags, int *out_flags) {
  watch *watch = take(path);
  if (watch == NULL) return system_files->xOpen(system_files, path, ours, flags, out_flags);
  file *opened = (file *)ours;
  opened->base.pMethods = NULL;
  opened->watch = watch;
  opened->path = path;
  int is_there = 1;
  if (flags & SQLITE_OPEN_CREATE) {
    system_files->xAccess(system_files, path, SQLITE_ACCESS_EXISTS, &is_there);
  }
  const faulty_call call = {faulty_make, path, NULL, 0, 0};
  int result = is_there ? SQLITE_OK : before(watch, &call);
  if (result == SQLITE_OK) {
    result = system_files->xOpen(system_files, path, real(ours), flags, out_flags);
  }
  if (result == SQLITE_OK) {
    opened->base.pMethods = &methods;
    return is_there ? SQLITE_OK : after(watch, &call, SQLITE_OK);
  }
  give_back(watch);
  return result;
}

static int layer_remove(sqlite3_vfs *unused, const char *path, int syncs) {
  watch *watch = take(path);
  if (watch == NULL) return system_files->xDelete(system_files, path, syncs);
  // Whether the folder is synced with it.
  const faulty_call call = {faulty_remove, path, NULL, 0, syncs};
  int result = before(watch, &call);
  if (result == SQLITE_OK) {
    result = after(watch, &call, system_files->xDelete(system_files, path, syncs));
  }
  give_back(watch);
  return result;
}

static void put_in(void) {
  if (sqlite3_initialize() != SQLITE_OK) return;
  sqlite3_vfs *files = sqlite3_vfs_find(NULL);
  if (files == NULL) return;
  layer = *files;
  layer.zName = "faulty";
  layer.pNext = NULL;
  layer.szOsFile = (int)sizeof(file) + files->szOsFile;
  layer.xOpen = layer_open;
  layer.xDelete = layer_remove;
  system_files = files;
  if (sqlite3_vfs_register(&layer, 1) != SQLITE_OK) system_files = NULL;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

int faulty_watch(const char *prefix, faulty_hooks hooks) {
  pthread_once(&once, put_in);
  watch *added = calloc(1, sizeof(watch));
  if (system_files == NULL || added == NULL) {
    free(added);
    return -1;
  }
  added->prefix = strdup(prefix);
  added->hooks = hooks;
  added->uses = 1;
  pthread_mutex_lock(&mutex);
  added->number = ++last_number;
  added->next = watches;
  watches = added;
  pthread_mutex_unlock(&mutex);
  return added->number;
}

void faulty_unwatch(int number) {
  pthread_mutex_lock(&mutex);
  watch **place = &watches;
  while (*place != NULL && (*place)->number != number) place = &(*place)->next;
  watch *found = *place;
  if (found != NULL) *place = found->next;
  pthread_mutex_unlock(&mutex);
  if (found != NULL) give_back(found);
}

#endif
