/// Whether two values are the same: equal, except for parts that are not equal to themselves.
///
/// With `==` alone a NaN would be a change whenever it is set, and fields bound in a circle would
/// pass it on forever. All comparisons of values are made here.
@inlinable @inline(__always)
package func isSame<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
  if left == right { return true }
  // For integers and strings the compiler removes all that follows.
  return (right != right || mayHideParts(Value.self))
    && isSameByParts(left as Any, right as Any)
}

/// Whether two values that are not optional are the same.
@inlinable @inline(__always)
package func isSame<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
  left == right
    || (right != right || mayHideParts(Value.self)) && isSameByParts(left, right)
}

/// Whether `==` may find values equal by their shared storage alone, as for arrays, without
/// comparing their parts.
@inlinable @inline(__always)
func mayHideParts<Value>(_ type: Value.Type) -> Bool {
  !_isPOD(type) && type != String.self && isPartwiseComparable(type)
}

@usableFromInline @inline(never)
func isPartwiseComparable(_ type: Any.Type) -> Bool {
  (type as? any PartwiseComparable.Type)?.mayHoldUnequalParts ?? false
}

/// Whether two values are the same part by part, if one of them is not equal to itself.
///
/// It uses a mirror, the only way to the parts of any type. Values without visible parts differ.
@usableFromInline @inline(never)
func isSameByParts(_ left: Any, _ right: Any) -> Bool {
  guard type(of: left) == type(of: right) else { return false }
  if let left = left as? any Equatable, isEqual(left, right) { return true }
  if let left = left as? any FloatingPoint, let right = right as? any FloatingPoint {
    return left.isNaN && right.isNaN
  }
  if let left = left as? any PartwiseComparable { return left.isSameByParts(as: right) }
  let (left, right) = (Mirror(reflecting: left), Mirror(reflecting: right))
  guard left.displayStyle != .class, !left.children.isEmpty,
    left.children.count == right.children.count
  else { return false }
  return zip(left.children, right.children).allSatisfy { left, right in
    left.label == right.label && isSameByParts(left.value, right.value)
  }
}

private func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
  left == right as? Value
}

/// A collection that is compared without a mirror, which costs microseconds a part.
private protocol PartwiseComparable {
  /// False if all parts are known to be equal to themselves.
  static var mayHoldUnequalParts: Bool { get }

  func isSameByParts(as other: Any) -> Bool
}

/// Whether values of a type may differ from themselves.
private func mayBeUnequal(_ type: Any.Type) -> Bool {
  type != String.self && !(type is any FixedWidthInteger.Type)
}

extension Array: PartwiseComparable where Element: Equatable {
  fileprivate static var mayHoldUnequalParts: Bool { mayBeUnequal(Element.self) }

  fileprivate func isSameByParts(as other: Any) -> Bool {
    guard let other = other as? [Element], count == other.count else { return false }
    return zip(self, other).allSatisfy { isSame($0, $1) }
  }
}

extension Dictionary: PartwiseComparable where Value: Equatable {
  fileprivate static var mayHoldUnequalParts: Bool { mayBeUnequal(Value.self) }

  fileprivate func isSameByParts(as other: Any) -> Bool {
    guard let other = other as? [Key: Value], count == other.count else { return false }
    return allSatisfy { key, value in other[key].map { isSame(value, $0) } ?? false }
  }
}
