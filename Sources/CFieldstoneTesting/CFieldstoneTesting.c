#include "CFieldstoneTesting.h"

#include <stddef.h>
#include <stdint.h>

// Only test targets link this: no app depends on the layout of metadata.

// What follows are the parts of Swift's metadata that its stable interface lays down. A pointer
// that is signed is good for its own place only, so it is taken without its signature.
#if __has_feature(ptrauth_calls)
#include <ptrauth.h>
#define unsigned_pointer(pointer) ptrauth_strip(pointer, ptrauth_key_process_independent_data)
#else
#define unsigned_pointer(pointer) (pointer)
#endif

struct metadata {
  uintptr_t kind;
  const struct enum_descriptor *descriptor;
};

struct enum_descriptor {
  uint32_t flags;
  int32_t parent, name, access_function;
  // As all of these offsets: from where it stands.
  int32_t fields;
};

struct field_descriptor {
  int32_t type_name, superclass;
  uint16_t kind, record_size;
  uint32_t count;
};

struct field_record {
  uint32_t flags;
  int32_t type_name, name;
};

const char *_Nullable fieldstone_enum_case_name(const void *_Nonnull type, unsigned place) {
  const struct metadata *metadata = type;
  const uintptr_t enum_kind = 0x201;
  if (metadata->kind != enum_kind) return 0;
  const struct enum_descriptor *descriptor = unsigned_pointer(metadata->descriptor);
  if (descriptor->fields == 0) return 0;
  const struct field_descriptor *fields =
      (const void *)((const char *)&descriptor->fields + descriptor->fields);
  if (place >= fields->count || fields->record_size < sizeof(struct field_record)) return 0;
  const struct field_record *record =
      (const void *)((const char *)(fields + 1) + (size_t)place * fields->record_size);
  if (record->name == 0) return 0;
  return (const char *)&record->name + record->name;
}

__attribute__((swiftcall)) const char *_Nullable swift_EnumCaseName(
    const void *_Nonnull value, const void *_Nonnull type);

const char *_Nullable fieldstone_case_name_of(
    const void *_Nonnull value, const void *_Nonnull type) {
  return swift_EnumCaseName(value, type);
}
