#include "CFieldstone.h"

// An entry point of Swift's runtime, exported and part of its stable interface on all platforms:
// on Apple's, Objective-C makes its weak references to objects of Swift with it. Here and not by
// name in Swift, whose optimiser takes such calls for its own.
void *_Nullable swift_tryRetain(void *_Nonnull object);

void *_Nullable fieldstone_retain_if_alive(void *_Nonnull object) {
  return swift_tryRetain(object);
}
