/// Makes a value of another type on the way from a source to a target: the middle of
/// `a --> .converting { … } --> b`.
///
/// ```swift
/// number --> .converting { "\($0)" } --> text
/// ```
///
/// A closure alone in its place observes, and is the end of a chain.
public struct FieldConversion<Value: Equatable & Sendable, Other: Equatable & Sendable> {
  @usableFromInline let convert: (Value) -> Other?

  /// Makes a conversion; nil becomes nil, and so does what the closure gives nil for.
  @inlinable
  public static func converting(_ convert: @escaping (Value) -> Other?) -> FieldConversion {
    FieldConversion(convert: convert)
  }

  @inlinable
  init(convert: @escaping (Value) -> Other?) {
    self.convert = convert
  }
}

/// A source with a conversion after it, to be bound to a target.
public struct ConvertedField<Value: Equatable & Sendable, Other: Equatable & Sendable> {
  @usableFromInline let source: ReadableField<Value>
  @usableFromInline let convert: (Value) -> Other?

  @inlinable
  init(source: ReadableField<Value>, convert: @escaping (Value) -> Other?) {
    self.source = source
    self.convert = convert
  }
}

/// Puts a conversion between a field and the target that follows.
@inlinable
public func --> <Value, Other>(
  source: ReadableField<Value>, conversion: FieldConversion<Value, Other>
) -> ConvertedField<Value, Other> {
  ConvertedField(source: source, convert: conversion.convert)
}

/// Binds a field to one of another type, through the conversion between them.
@discardableResult
@inlinable
public func --> <Value, Other>(
  source: ConvertedField<Value, Other>, target: Field<Other>
) -> Field<Other> {
  source.source.bind(to: target, converting: source.convert)
  return target
}
