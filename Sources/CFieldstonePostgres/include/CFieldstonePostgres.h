#pragma once

// The functions of libpq that the journal calls, as its documentation declares them. Its own header
// is not included, so that a consumer without the trait needs no libpq.

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

/// A value of a connection string.
typedef struct {
  char *keyword;
  char *envvar;
  char *compiled;
  char *val;
  char *label;
  char *dispchar;
  int dispsize;
} PQconninfoOption;

/// A notification; the rest of it is libpq's own.
typedef struct {
  char *relname;
  int be_pid;
  char *extra;
} PGnotify;

typedef void (*PQnoticeReceiver)(void *context, const PGresult *result);

PQconninfoOption *PQconninfoParse(const char *conninfo, char **message);
void PQconninfoFree(PQconninfoOption *options);
void PQfreemem(void *memory);

PGconn *PQconnectdbParams(
    const char *const *keywords, const char *const *values, int expand_dbname);
void PQfinish(PGconn *connection);
int PQstatus(const PGconn *connection);
int PQtransactionStatus(const PGconn *connection);
char *PQerrorMessage(const PGconn *connection);
int PQconsumeInput(PGconn *connection);
int PQisBusy(PGconn *connection);
int PQsocket(const PGconn *connection);
PGnotify *PQnotifies(PGconn *connection);
PQnoticeReceiver PQsetNoticeReceiver(
    PGconn *connection, PQnoticeReceiver receiver, void *context);

PGresult *PQexec(PGconn *connection, const char *sql);
PGresult *PQexecParams(
    PGconn *connection, const char *sql, int count, const unsigned *types,
    const char *const *values, const int *lengths, const int *formats, int result_format);
PGresult *PQprepare(
    PGconn *connection, const char *name, const char *sql, int count, const unsigned *types);
PGresult *PQexecPrepared(
    PGconn *connection, const char *name, int count, const char *const *values,
    const int *lengths, const int *formats, int result_format);

// Several statements in one round trip: from libpq 14 on.
#if defined(__APPLE__)
#define FIELDSTONE_IF_THERE __attribute__((weak_import))
#else
#define FIELDSTONE_IF_THERE __attribute__((weak))
#endif
int PQenterPipelineMode(PGconn *connection) FIELDSTONE_IF_THERE;
int PQexitPipelineMode(PGconn *connection) FIELDSTONE_IF_THERE;
int PQpipelineSync(PGconn *connection) FIELDSTONE_IF_THERE;
int PQsendQueryPrepared(
    PGconn *connection, const char *name, int count, const char *const *values,
    const int *lengths, const int *formats, int result_format);
PGresult *PQgetResult(PGconn *connection);

/// Whether the linked libpq knows pipelines.
static inline int fieldstone_has_pipelines(void) {
  return PQenterPipelineMode != 0 && PQexitPipelineMode != 0 && PQpipelineSync != 0;
}

int PQresultStatus(const PGresult *result);
char *PQresultErrorField(const PGresult *result, int field);
char *PQcmdStatus(PGresult *result);
char *PQcmdTuples(PGresult *result);
int PQntuples(const PGresult *result);
int PQgetisnull(const PGresult *result, int row, int column);
int PQgetlength(const PGresult *result, int row, int column);
char *PQgetvalue(const PGresult *result, int row, int column);
void PQclear(PGresult *result);
