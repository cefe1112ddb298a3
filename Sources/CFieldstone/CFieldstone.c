#include "CFieldstone.h"

// An entry point of Swift's runtime, exported and part of its stable interface on all platforms:
// on Apple's, Objective-C makes its weak references to objects of Swift with it. Here and not by
// name in Swift, whose optimiser takes such calls for its own.
//
// A runtime without it is noticed before any code runs: the program does not link, and one that was
// linked before does not start; both messages name this function. Built with
// `FIELDSTONE_WEAK_BINDINGS=1` in the environment, bindings have a weak reference instead, in
// `FieldTarget`, which is the only caller.
#ifndef FIELDSTONE_WEAK_BINDINGS
void *_Nullable swift_tryRetain(void *_Nonnull object);

void *_Nullable fieldstone_retain_if_alive(void *_Nonnull object) {
  return swift_tryRetain(object);
}
#endif
