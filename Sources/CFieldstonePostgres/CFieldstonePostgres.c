#include "CFieldstonePostgres.h"

// Only declarations: libpq itself is linked where the trait is on.
typedef int fieldstone_postgres_is_not_empty;
