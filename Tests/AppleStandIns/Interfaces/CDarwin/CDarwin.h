// What our code calls of Darwin's C library, declared as there, for the check `platforms`.
// The types and the signatures are Apple's; the values of constants matter to no check.

#ifndef C_DARWIN_H
#define C_DARWIN_H

#pragma clang assume_nonnull begin

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned long size_t;
typedef long ssize_t;

typedef int32_t dev_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef uint64_t ino_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef int64_t off_t;
typedef int32_t pid_t;
typedef long time_t;
typedef unsigned int nfds_t;

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

// Files.

struct stat {
  dev_t st_dev;
  mode_t st_mode;
  nlink_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  struct timespec st_atimespec;
  struct timespec st_mtimespec;
  struct timespec st_ctimespec;
  struct timespec st_birthtimespec;
  off_t st_size;
};

#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_EVTONLY 0x00008000
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000
#define AT_FDCWD -2
#define AT_SYMLINK_NOFOLLOW 0x0020
#define LOCK_SH 0x01
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
#define F_FULLFSYNC 51
#define PATH_MAX 1024
#define NAME_MAX 255

int close(int file);
ssize_t read(int file, void *_Null_unspecified buffer, size_t count);
ssize_t write(int file, const void *_Null_unspecified buffer, size_t count);
int fsync(int file);
int renameat(
    int from_folder, const char *_Null_unspecified from, int to_folder,
    const char *_Null_unspecified to);
int linkat(
    int from_folder, const char *_Null_unspecified from, int to_folder,
    const char *_Null_unspecified to, int flags);
int unlinkat(int folder, const char *_Null_unspecified name, int flags);
int mkdir(const char *_Null_unspecified path, mode_t mode);
int stat(const char *_Null_unspecified path, struct stat *_Null_unspecified found);
int lstat(const char *_Null_unspecified path, struct stat *_Null_unspecified found);
int fstat(int file, struct stat *_Null_unspecified found);
int fstatat(
    int folder, const char *_Null_unspecified name, struct stat *_Null_unspecified found,
    int flags);
int fchmod(int file, mode_t mode);
int fchown(int file, uid_t owner, gid_t group);
int flock(int file, int operation);
ssize_t readlink(
    const char *_Null_unspecified path, char *_Null_unspecified buffer, size_t count);
char *_Null_unspecified realpath(
    const char *_Null_unspecified path, char *_Null_unspecified resolved);

typedef struct {
  int file;
} DIR;

struct dirent {
  uint64_t d_ino;
  uint64_t d_seekoff;
  uint16_t d_reclen;
  uint16_t d_namlen;
  uint8_t d_type;
  char d_name[1024];
};

DIR *_Null_unspecified opendir(const char *_Null_unspecified path);
struct dirent *_Null_unspecified readdir(DIR *_Null_unspecified folder);
int closedir(DIR *_Null_unspecified folder);

// Errors.

#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOTTY 25
#define ENOSPC 28
#define EROFS 30
#define EMLINK 31
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ENOTSUP 45
#define ELOOP 62
#define ENAMETOOLONG 63
#define EDQUOT 69
#define ENOLCK 77
#define ENOSYS 78
#define EOPNOTSUPP 102

char *_Null_unspecified strerror(int number);

// Memory, time and the rest.

typedef enum {
  _CLOCK_REALTIME = 0,
  _CLOCK_MONOTONIC = 6,
} clockid_t;

struct pollfd {
  int fd;
  short events;
  short revents;
};

void free(void *_Null_unspecified pointer);
int clock_gettime(clockid_t clock, struct timespec *_Null_unspecified time);
int poll(struct pollfd *_Null_unspecified files, nfds_t count, int timeout);
pid_t getpid(void);
int gethostname(char *_Null_unspecified name, size_t size);
int sysctlbyname(
    const char *_Null_unspecified name, void *_Null_unspecified old,
    size_t *_Null_unspecified old_size, void *_Null_unspecified next, size_t next_size);

#define SIGHUP 1
#define SIGINT 2
#define SIGTERM 15

typedef void (*sig_t)(int);
sig_t _Null_unspecified signal(int number, sig_t _Null_unspecified handler);

// Threads.

typedef unsigned long pthread_key_t;

int pthread_key_create(pthread_key_t *key, void (*_Nullable destructor)(void *));
int pthread_setspecific(pthread_key_t key, const void *_Nullable value);
void *_Nullable pthread_getspecific(pthread_key_t key);

#pragma clang assume_nonnull end

#endif
