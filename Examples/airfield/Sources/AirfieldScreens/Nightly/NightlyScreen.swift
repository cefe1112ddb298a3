public import AirfieldDirectory
public import Observation

/// The nightly export as a screen: its schedule, the export that is under way, and the last ones.
///
/// There is one for all. The exports themselves are durable and know nothing of the screen.
@MainActor
@Observable
public final class NightlyScreen {
  /// What is known of the nightly export.
  public enum State: Sendable, Equatable {
    /// Nobody has looked yet.
    case unknown
    /// None is set up.
    case nothing
    /// How it stands.
    case scheduled(NightlyStatus)
  }

  /// How the nightly export stands; reads are tracked.
  public private(set) var state = State.unknown

  /// Why what was asked for last was not done, or why ``state`` is what was seen last.
  public var problem: String? { follower.problem }

  /// Whether it can't be told how the nightly export stands.
  public var isBlind: Bool { follower.isBlind }

  @ObservationIgnored private let exports: NightlyExports
  @ObservationIgnored private let follower: StatusFollower<NightlyStatus?>

  /// Makes the screen, which loads nothing yet.
  ///
  /// - Parameter reach: called before the exports are asked for anything; what it throws keeps them from
  ///   being reached.
  public init(
    _ exports: NightlyExports, reaching reach: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.exports = exports
    follower = StatusFollower(
      blind: "It can’t be told how the exports stand: ", changes: exports.changes, reach: reach
    ) { try await exports.status() }
    follower.show = { [weak self] status in
      let state = status.map(State.scheduled) ?? .nothing
      if self?.state != state { self?.state = state }
    }
  }

  /// Looks how the nightly export stands, and follows it from the first time on.
  public func load() async { await follower.load() }

  /// Looks again, after a ``problem``.
  public func retry() async { await follower.retry() }

  /// Lets nights pass by from now on.
  public func pause() async { await follower.attempt { try await exports.pause() } }

  /// Goes on with the next night.
  public func resume() async { await follower.attempt { try await exports.resume() } }

  /// Makes an export now.
  public func runNow() async { await follower.attempt { try await exports.runNow() } }

  /// Calls the export off that is under way.
  public func cancel() async { await follower.attempt { try await exports.cancel() } }
}
