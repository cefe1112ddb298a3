/// Consumes a value, so that the optimiser must produce it.
///
/// The call itself costs a few nanoseconds: inside a body that repeats a small operation,
/// accumulate and call this once.
@inline(never) @_optimize(none)
public func blackHole<Value>(_ value: borrowing Value) {}

/// Returns its argument, which the optimiser can know nothing about afterwards.
///
/// Inputs that are constants go through here; otherwise the work on them is done at compile time.
@inline(never) @_optimize(none)
public func opaque<Value>(_ value: Value) -> Value { value }
