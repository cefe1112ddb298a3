public import Foundation

/// How the nightly export stands.
public struct NightlyStatus: Sendable, Equatable {
  /// An export that is not over.
  public struct Current: Sendable, Equatable {
    /// When it was started.
    public let startedAt: Date

    /// How far it has come, by what is stored.
    public let progress: ExportProgress

    /// Why it does not go on now; nil while it does.
    public let wait: String?
  }

  /// An export that is over.
  public struct Past: Sendable, Equatable {
    /// What became of it.
    public enum End: Sendable, Equatable {
      /// The file with this name has so many airports.
      case exported(file: String, rows: Int)
      /// It has failed; the message says why.
      case failed(String)
      /// It was called off.
      case cancelled
    }

    /// When it was started.
    public let startedAt: Date

    /// What became of it.
    public let end: End

    /// Whether its file is still there.
    public let isKept: Bool
  }

  /// How many exports are told of that are over.
  public static let shownExports = 10

  /// When it is made, and where to.
  public let plan: NightlyPlan

  /// Whether nights pass by without it.
  public let isPaused: Bool

  /// When it is made next.
  public let next: Date?

  /// The export that is under way; nil for none.
  public let current: Current?

  /// The exports that are over, the newest first: ``shownExports`` of them.
  public let past: [Past]
}
