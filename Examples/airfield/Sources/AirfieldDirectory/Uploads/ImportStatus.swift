/// How an import of an uploaded file stands.
public struct ImportStatus: Sendable, Equatable {
  /// What it is at.
  public enum Phase: Sendable, Equatable {
    /// It is worked on, or will be as soon as somebody can.
    case running
    /// It was called off; it can go on from there, or be given up.
    case cancelled
    /// The file was read to its end.
    case finished
    /// The file can't be imported, or no further.
    case refused(ImportError)
    /// Something else went wrong; it can be tried again from there, or given up.
    case failed(String)
  }

  /// How many rejected rows are told of.
  public static let shownRejects = 100

  /// What the file is called; nil where a newer airfield began it and this one can't tell.
  public let file: String?

  /// What it is at.
  public let phase: Phase

  /// How far it has come, by what is stored.
  public let progress: ImportProgress

  /// The rejected rows, the first ``shownRejects`` of them.
  public let rejects: [Reject]

  /// Why nothing can be stored now, as on a full disk; nil while the import goes on.
  public let wait: String?

  /// Makes a status.
  public init(
    file: String?, phase: Phase, progress: ImportProgress, rejects: [Reject] = [],
    wait: String? = nil
  ) {
    self.file = file
    self.phase = phase
    self.progress = progress
    self.rejects = rejects
    self.wait = wait
  }
}
