import FieldstoneCore

/// A value that a call has given, of a type that only the two ends of the call know.
///
/// Everything between them is free of type parameters: to ask for the types of generic code at run
/// time took a third of the time of a call.
protocol LoadedValue: AnyObject, Sendable {}

/// The box of a value.
final class Loaded<Value: Sendable>: LoadedValue {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

extension LoadedValue {
  /// The value; its type must be that of the integrator that it belongs to.
  func value<Value: Sendable>(as type: Value.Type) -> Value {
    // Checked in debug builds.
    unsafeDowncast(self, to: Loaded<Value>.self).value
  }
}

extension Outcome where Success == any LoadedValue {
  /// The same outcome with the value itself.
  func typed<Value: Sendable>(as type: Value.Type = Value.self) -> Outcome<Value> {
    switch self {
    case .success(let loaded): .success(loaded.value(as: type))
    case .failure(let error): .failure(error)
    case .cancelled(let reason): .cancelled(reason)
    }
  }
}
