#pragma once

/// Retains an object of Swift and returns it, or NULL once its end has begun.
///
/// Its memory has to be there still: an unowned reference keeps it.
void *_Nullable fieldstone_retain_if_alive(void *_Nonnull object);
