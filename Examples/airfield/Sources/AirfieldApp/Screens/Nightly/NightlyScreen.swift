import Observation

/// The nightly export as a screen: its schedule, the export that is under way, and the last ones.
///
/// There is one for all. The exports themselves are durable and know nothing of the screen.
@MainActor
@Observable
final class NightlyScreen {
  enum State: Sendable, Equatable {
    /// Nobody has looked yet.
    case unknown
    case nothing
    case scheduled(NightlyStatus)
  }

  /// How the nightly export stands; reads are tracked.
  private(set) var state = State.unknown

  /// Why what was asked for last was not done, or why ``state`` is what was seen last.
  var problem: String? { follower.problem }

  /// Whether it can't be told how the nightly export stands.
  var isBlind: Bool { follower.isBlind }

  @ObservationIgnored private let exports: NightlyExports
  @ObservationIgnored private let follower: StatusFollower<NightlyStatus?>

  init(_ exports: NightlyExports, reach: @escaping FaultReach) {
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
  func load() async { await follower.load() }

  func retry() async { await follower.retry() }

  func pause() async { await follower.attempt { try await exports.pause() } }

  func resume() async { await follower.attempt { try await exports.resume() } }

  func runNow() async { await follower.attempt { try await exports.runNow() } }

  func cancel() async { await follower.attempt { try await exports.cancel() } }
}
