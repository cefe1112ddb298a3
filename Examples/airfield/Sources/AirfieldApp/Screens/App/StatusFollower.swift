import Foundation
import Observation

/// Follows the status of something durable: it looks at it, and again with each change.
///
/// What is at work knows nothing of it. Reads are tracked.
@MainActor
@Observable
final class StatusFollower<Status: Sendable> {
  /// Why what was asked for last was not done, or else why the status can't be told.
  var problem: String? { refusal ?? blindness }

  /// Whether the status can't be told; what is shown was seen last.
  var isBlind: Bool { blindness != nil }

  var refusal: String?

  private var blindness: String?

  @ObservationIgnored var show: @MainActor (Status) -> Void = { _ in }

  @ObservationIgnored private let blind: String
  @ObservationIgnored private let changes: () -> AsyncStream<Void>
  @ObservationIgnored private let reach: FaultReach
  @ObservationIgnored private let read: @Sendable () async throws -> Status
  @ObservationIgnored private var following: Task<Void, Never>?

  /// Each look has a number, and one that comes back after a later one is dropped.
  @ObservationIgnored private var lastLook = 0
  @ObservationIgnored private var shownLook = 0

  /// - Parameters:
  ///   - blind: says that the status can't be told, before why.
  ///   - changes: gives an element after each change.
  ///   - reach: called before anything is read or done.
  init(
    blind: String, changes: @escaping () -> AsyncStream<Void>,
    reach: @escaping FaultReach, read: @escaping @Sendable () async throws -> Status
  ) {
    self.blind = blind
    self.changes = changes
    self.reach = reach
    self.read = read
  }

  deinit {
    following?.cancel()
  }

  /// Looks, and follows each change from the first time on.
  func load() async {
    if following == nil {
      let changes = changes()
      following = Task { [weak self] in
        for await _ in changes { await self?.look() }
      }
    }
    await look()
  }

  /// Looks again, and forgets what was refused.
  func retry() async {
    refusal = nil
    await load()
  }

  /// Does something, notes why it was refused where it was, and looks.
  func attempt(reaching: Bool = true, _ body: () async throws -> Void) async {
    do {
      refusal = nil
      if reaching { _ = try await reach() }
      try await body()
    } catch {
      refusal = error.localizedDescription
    }
    await look()
  }

  func look() async {
    lastLook += 1
    let number = lastLook
    let seen: Result<Status, any Error>
    do {
      _ = try await reach()
      seen = .success(try await read())
    } catch {
      seen = .failure(error)
    }
    guard number > shownLook else { return }
    shownLook = number
    switch seen {
    case .success(let status):
      // What was refused in the dark may be asked for again.
      if isBlind { (blindness, refusal) = (nil, nil) }
      show(status)
    case .failure(let error): blindness = blind + error.localizedDescription
    }
  }
}
