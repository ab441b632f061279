#include <sqlite3.h>
#include <sys/vfs.h>

// Swift has neither the pointers that mean "copy this" nor functions with any number of arguments.
static inline int sqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, count > 0 ? bytes : "", count, SQLITE_TRANSIENT);
}
static inline int sqlite_bind_characters(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, count > 0 ? text : "", count, SQLITE_TRANSIENT);
}
// No statement may change the schema by hand, or call functions that a damaged schema names.
static inline int sqlite_distrust(sqlite3 *database) {
  int result = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (result == SQLITE_OK) result = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  return result;
}
// The file system of a database's folder: its magic number (statfs(2)), or 0 if there is no such path. Swift's Glibc
// has no statfs.
static inline unsigned long sqlite_file_system(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (unsigned long)status.f_type : 0;
}
