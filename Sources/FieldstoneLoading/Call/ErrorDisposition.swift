/// Whether an error handler leaves an error to those after it.
public enum ErrorDisposition: Sendable, Hashable {
  /// It is dealt with: nobody after this one hears of it.
  case handled
  /// Others may hear of it, too.
  case passedOn
}
