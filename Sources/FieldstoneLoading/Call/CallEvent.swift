import FieldstoneCore

/// What a call tells its handlers.
enum CallEvent<Value: Sendable>: Sendable {
  case beginning
  case progress(LoadProgress)
  case earlyValue(Value)
  case retry(UpcomingRetry)
  case ended(Outcome<Value>)
}
