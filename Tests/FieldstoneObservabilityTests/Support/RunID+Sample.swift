#if Observability
  import FieldstoneDurable
  import Foundation

  extension RunID {
    /// Some run.
    static func sample() -> RunID {
      RunID(at: Date(timeIntervalSince1970: 1_800_000_000))
    }
  }
#endif
