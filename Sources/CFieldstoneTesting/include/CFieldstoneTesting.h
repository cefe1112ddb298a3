#pragma once

/// The name of a case of an enum of Swift, by its place; NULL behind the last one, for what is no
/// enum, and where names were left out of the build.
///
/// Cases with values come first.
const char *_Nullable fieldstone_enum_case_name(const void *_Nonnull type, unsigned place);

/// The name of the case that a value of an enum of Swift has; NULL for what is no enum, and where
/// names were left out of the build.
const char *_Nullable fieldstone_case_name_of(
    const void *_Nonnull value, const void *_Nonnull type);
