precedencegroup FieldBindingPrecedence {
  associativity: left
  higherThan: AssignmentPrecedence
  lowerThan: TernaryPrecedence
}

infix operator --> : FieldBindingPrecedence
infix operator <-- : FieldBindingPrecedence
infix operator <--> : FieldBindingPrecedence
infix operator -/-> : FieldBindingPrecedence

// Each operator returns its right side, so that they make chains: `a --> b --> c`.

/// Binds a field to another one: it takes the source's value now and with each change.
@discardableResult
@inlinable
public func --> <Value>(source: ReadableField<Value>, target: Field<Value>) -> Field<Value> {
  source.bind(to: target)
  return target
}

/// Binds a field to an object: it receives the value now and with each change.
@discardableResult
@inlinable
public func --> <Value, Target: ValueObserver<Value>>(
  source: ReadableField<Value>, target: Target
) -> Target {
  source.bind(to: target)
  return target
}

/// Calls a closure with the value, now and with each change, as long as the source lives.
@inlinable
public func --> <Value>(source: ReadableField<Value>, body: @escaping (Value?) -> Void) {
  source.observeForGood(body)
}

/// Binds an object to a field: the field takes its value now and with each change.
@discardableResult
public func --> <Value, Source: ValueSource<Value>>(
  source: Source, target: Field<Value>
) -> Field<Value> {
  source.valueObservers.bind(to: target, now: source.value)
  return target
}

/// Binds an object to an object: it receives the value now and with each change.
@discardableResult
public func --> <Value, Source: ValueSource<Value>, Target: ValueObserver<Value>>(
  source: Source, target: Target
) -> Target {
  source.valueObservers.bind(to: target, now: source.value)
  return target
}

/// Calls a closure with an object's value, now and with each change, as long as the source lives.
public func --> <Value, Source: ValueSource<Value>>(
  source: Source, body: @escaping (Value?) -> Void
) {
  source.valueObservers.observe(now: source.value, body)
}

/// Binds a field to a source: as `-->`, with the sides swapped.
@discardableResult
@inlinable
public func <-- <Value, Source: ReadableField<Value>>(
  target: Field<Value>, source: Source
) -> Source {
  source.bind(to: target)
  return source
}

/// Binds a field to an object: as `-->`, with the sides swapped.
@discardableResult
public func <-- <Value, Source: ValueSource<Value>>(
  target: Field<Value>, source: Source
) -> Source {
  source --> target
  return source
}

/// Binds an object to a field: as `-->`, with the sides swapped.
@discardableResult
@inlinable
public func <-- <Value, Target: ValueObserver<Value>, Source: ReadableField<Value>>(
  target: Target, source: Source
) -> Source {
  source.bind(to: target)
  return source
}

/// Binds an object to an object: as `-->`, with the sides swapped.
@discardableResult
public func <-- <Value, Target: ValueObserver<Value>, Source: ValueSource<Value>>(
  target: Target, source: Source
) -> Source {
  source --> target
  return source
}

/// Binds two fields both ways; both start with the right one's value.
///
/// If the right one is not known yet, both start with the left one's value. A known nil is a value.
/// If neither is known, both stay unknown.
///
/// Set one of the two at a time. If one batch, or one observer, sets both to different values, they
/// exchange them, and differ until the next change. Each field passes its own value on, and drops
/// the value that returns to it, although it has taken the other's meanwhile:
///
/// ```swift
/// a <--> b
/// Fields.batch {
///   a.value = 1
///   b.value = 2
/// }
/// // a is 2 and b is 1
/// ```
///
/// The same holds for several fields of a longer circle or chain.
@discardableResult
@inlinable
public func <--> <Value>(left: Field<Value>, right: Field<Value>) -> Field<Value> {
  right.bind(to: left)
  left.bindBack(to: right)
  return right
}

/// Binds a field and an object both ways; both start with the object's value, which may be nil.
@discardableResult
public func <--> <Value, Other: ValueSource<Value> & ValueObserver<Value>>(
  left: Field<Value>, right: Other
) -> Other {
  right --> left
  left.bind(to: right)
  return right
}

/// Binds an object and a field both ways; both start with the field's value.
///
/// If the field is not known yet, both start with the object's value.
@discardableResult
public func <--> <Value, Other: ValueSource<Value> & ValueObserver<Value>>(
  left: Other, right: Field<Value>
) -> Field<Value> {
  if right.isKnown { right.bind(to: left) } else { right.lead(left) }
  left.valueObservers.bindBack(to: right, now: left.value)
  return right
}

/// Removes the observations of an owner, or the binding to a target.
public func -/-> <Value>(source: ReadableField<Value>, owner: AnyObject) {
  source.removeObserver(owner)
}

/// Removes the binding of an object to a target.
public func -/-> <Source: ValueSource>(source: Source, target: AnyObject) {
  source.valueObservers.remove(target)
}

/// Converts values on the way from a source to a target: the middle of `a --> .converting { … } -->
/// b`.
///
/// ```swift
/// number --> .converting { "\($0)" } --> text
/// ```
///
/// A closure without `.converting` in its place observes, and ends the chain.
public struct FieldConversion<Value: Equatable & Sendable, Other: Equatable & Sendable> {
  @usableFromInline let convert: (Value) -> Other?

  /// Makes a conversion; nil stays nil, and the closure may return nil.
  @inlinable
  public static func converting(_ convert: @escaping (Value) -> Other?) -> FieldConversion {
    FieldConversion(convert: convert)
  }

  @inlinable
  init(convert: @escaping (Value) -> Other?) {
    self.convert = convert
  }
}

/// A source with a conversion, to be bound to a target.
public struct ConvertedField<Value: Equatable & Sendable, Other: Equatable & Sendable> {
  @usableFromInline let source: ReadableField<Value>
  @usableFromInline let convert: (Value) -> Other?

  @inlinable
  init(source: ReadableField<Value>, convert: @escaping (Value) -> Other?) {
    self.source = source
    self.convert = convert
  }
}

/// Adds a conversion between a field and the target that follows.
@inlinable
public func --> <Value, Other>(
  source: ReadableField<Value>, conversion: FieldConversion<Value, Other>
) -> ConvertedField<Value, Other> {
  ConvertedField(source: source, convert: conversion.convert)
}

/// Binds a field to a target of another type, through the conversion between them.
@discardableResult
@inlinable
public func --> <Value, Other>(
  source: ConvertedField<Value, Other>, target: Field<Other>
) -> Field<Other> {
  source.source.bind(to: target, converting: source.convert)
  return target
}
