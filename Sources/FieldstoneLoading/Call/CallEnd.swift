public import FieldstoneCore

/// After which end of a call the next one is made.
public struct CallEnd<Value: Sendable, Payload>: Sendable {
  let payload: @Sendable (Outcome<Value>) -> Payload?
}

extension CallEnd where Payload == Value {
  /// After a success, with its value.
  public static var success: Self { Self { $0.value } }
}

extension CallEnd where Payload == any Error {
  /// After a failure, with its error; not after a cancellation.
  public static var error: Self { Self { $0.error } }
}

extension CallEnd where Payload == Outcome<Value> {
  /// However the call ended, with its outcome.
  public static var completion: Self { Self { $0 } }
}
