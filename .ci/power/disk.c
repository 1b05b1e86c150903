/* A disk that loses its power: keeps a second folder with what was synced of the first.
 *
 * Preloaded into a process, it copies each write to files below DISK_FROM into a queue of the file,
 * and applies the queue to the same file below DISK_TO when the file is synced. Of writes that were
 * not synced, DISK_EARLY per cent are there nevertheless, in any order, as a real disk may do it.
 * Names change at once, contents do not: a renamed file that was never synced is empty. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct write {
  struct write *next;
  unsigned long number;
  off_t at;
  size_t len; /* 0: the file ends at `at` */
  char bytes[];
};

struct file {
  struct file *next;
  char *name; /* below DISK_FROM */
  struct write *first, **last;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file *files;
static unsigned long written;
static unsigned dice = 1;

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))
typedef ssize_t (*writes)(int, const void *, size_t, off_t);

static const char *below(const char *path) {
  const char *from = getenv("DISK_FROM");
  size_t len = from ? strlen(from) : 0;
  return len && !strncmp(path, from, len) && path[len] == '/' ? path + len + 1 : NULL;
}

static void on_disk(const char *name, char *path) {
  snprintf(path, PATH_MAX, "%s/%s", getenv("DISK_TO"), name);
  for (char *at = path + 1; *at; at++)
    if (*at == '/') {
      *at = 0;
      mkdir(path, 0700);
      *at = '/';
    }
}

static struct file *named(const char *name) {
  for (struct file *file = files; file; file = file->next)
    if (!strcmp(file->name, name)) return file;
  struct file *file = calloc(1, sizeof *file);
  file->name = strdup(name);
  file->last = &file->first;
  file->next = files;
  return files = file;
}

static struct file *opened(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t len = readlink(link, path, sizeof path - 1);
  if (len < 0) return NULL;
  path[len] = 0;
  const char *name = below(path);
  return name ? named(name) : NULL;
}

static void apply(const char *name, struct write *write) {
  char path[PATH_MAX];
  on_disk(name, path);
  int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) abort();
  if (write && write->len) {
    if (REAL("pwrite64", writes)(fd, write->bytes, write->len, write->at) != (ssize_t)write->len) abort();
  } else if (write && REAL("ftruncate64", int (*)(int, off_t))(fd, write->at)) {
    abort();
  }
  close(fd);
}

static void forget(struct file *file) {
  for (struct write *write = file->first, *next; write; write = next) {
    next = write->next;
    free(write);
  }
  file->first = NULL;
  file->last = &file->first;
}

static void keep(int fd, const void *bytes, ssize_t len, off_t at, int is_end) {
  if (len < 0 || (!len && !is_end)) return;
  int error = errno;
  pthread_mutex_lock(&lock);
  struct file *file = opened(fd);
  if (file) {
    struct write *write = malloc(sizeof *write + len);
    write->next = NULL;
    write->number = ++written;
    write->at = at;
    write->len = len;
    memcpy(write->bytes, bytes, len);
    *file->last = write;
    file->last = &write->next;
    if ((int)(rand_r(&dice) % 100) < atoi(getenv("DISK_EARLY") ? getenv("DISK_EARLY") : "0")) apply(file->name, write);
  }
  pthread_mutex_unlock(&lock);
  errno = error;
}

static int synced(int fd, int (*sync)(int)) {
  pthread_mutex_lock(&lock);
  unsigned long before = written;
  pthread_mutex_unlock(&lock);
  int result = sync(fd);
  if (result) return result;
  pthread_mutex_lock(&lock);
  struct file *file = opened(fd);
  if (file) apply(file->name, NULL);
  /* What was written while the sync ran may be on the disk or not: here it is not. */
  while (file && file->first && file->first->number <= before) {
    struct write *write = file->first;
    apply(file->name, write);
    if (!(file->first = write->next)) file->last = &file->first;
    free(write);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

ssize_t pwrite64(int fd, const void *bytes, size_t len, off_t at) {
  ssize_t done = REAL("pwrite64", writes)(fd, bytes, len, at);
  keep(fd, bytes, done, at, 0);
  return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at) { return pwrite64(fd, bytes, len, at); }

ssize_t write(int fd, const void *bytes, size_t len) {
  off_t at = lseek(fd, 0, SEEK_CUR);
  if (at >= 0 && fcntl(fd, F_GETFL) & O_APPEND) at = lseek(fd, 0, SEEK_END);
  ssize_t done = REAL("write", ssize_t (*)(int, const void *, size_t))(fd, bytes, len);
  if (at >= 0) keep(fd, bytes, done, at, 0);
  return done;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (lseek(fd, 0, SEEK_CUR) < 0) return REAL("writev", ssize_t (*)(int, const struct iovec *, int))(fd, parts, count);
  return write(fd, parts[0].iov_base, parts[0].iov_len);
}

int ftruncate64(int fd, off_t len) {
  int result = REAL("ftruncate64", int (*)(int, off_t))(fd, len);
  if (!result) keep(fd, NULL, 0, len, 1);
  return result;
}

int ftruncate(int fd, off_t len) { return ftruncate64(fd, len); }

int fsync(int fd) { return synced(fd, REAL("fsync", int (*)(int))); }

int fdatasync(int fd) { return synced(fd, REAL("fdatasync", int (*)(int))); }

int rename(const char *from, const char *to) {
  int result = REAL("rename", int (*)(const char *, const char *))(from, to);
  const char *name = below(from), *other = below(to);
  if (result || !name || !other) return result;
  pthread_mutex_lock(&lock);
  char old[PATH_MAX], new[PATH_MAX];
  on_disk(name, old);
  on_disk(other, new);
  if (access(old, F_OK)) apply(name, NULL);
  REAL("rename", int (*)(const char *, const char *))(old, new);
  struct file *file = named(name);
  forget(named(other));
  /* What was not synced under the old name belongs to the new one. */
  struct file *renamed = named(other);
  renamed->first = file->first;
  renamed->last = file->first ? file->last : &renamed->first;
  file->first = NULL;
  file->last = &file->first;
  pthread_mutex_unlock(&lock);
  return result;
}

int unlink(const char *path) {
  int result = REAL("unlink", int (*)(const char *))(path);
  const char *name = below(path);
  if (result || !name) return result;
  pthread_mutex_lock(&lock);
  char lost[PATH_MAX];
  on_disk(name, lost);
  REAL("unlink", int (*)(const char *))(lost);
  forget(named(name));
  pthread_mutex_unlock(&lock);
  return result;
}
