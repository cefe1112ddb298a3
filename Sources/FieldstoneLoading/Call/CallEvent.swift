import FieldstoneCore

/// What a call tells its handlers.
enum CallEvent: Sendable {
  case beginning
  case progress(LoadProgress)
  case earlyValue(any LoadedValue)
  case retry(UpcomingRetry)
  case ended(Outcome<any LoadedValue>)
}
