#if INSPECTOR
  import FieldstoneCore
  import FieldstoneLoading
  import Foundation

  /// The forced outcome of a provider's loads.
  enum ForcedLoad: String, Sendable, CaseIterable {
    /// Loads are not forced.
    case none
    /// Loads stay under way until another outcome is chosen.
    case loading
    /// Loads fail.
    case error
    /// Loads return an empty value.
    case empty
    /// Loads fail as without a network.
    case offline
    /// Loads take several seconds longer.
    case slow

    /// The title of its choice.
    var title: String {
      switch self {
      case .none: "As it is"
      case .loading: "Loading"
      case .error: "Error"
      case .empty: "Empty"
      case .offline: "Offline"
      case .slow: "Slow"
      }
    }
  }

  /// The error of a load that an inspector forced to fail.
  struct ForcedLoadError: DescribedError, RetryAdvisingError, Hashable {
    let message = "The inspector forced this load to fail; choose “As it is” there to load again."
    var isWorthRetrying: Bool { false }
    var retryAfter: Duration? { nil }
  }

  /// Decides for the providers with one name, from any thread.
  final class ForceSwitch: Sendable {
    private struct State {
      var load = ForcedLoad.none
      var delay = Duration.seconds(5)
      /// Ends when another outcome is chosen.
      var change = OutcomePromise<Void>()
      var canBeEmpty = false
    }

    private let state = Locked(State())
    private let time: TimeSource

    init(time: TimeSource) {
      self.time = time
    }

    var load: ForcedLoad { state.withLock { $0.load } }
    var delay: Duration { state.withLock { $0.delay } }

    /// The outcomes that can be chosen.
    var choices: [ForcedLoad] {
      let canBeEmpty = state.withLock { $0.canBeEmpty }
      return ForcedLoad.allCases.filter { $0 != .empty || canBeEmpty }
    }

    func allowEmpty() { state.withLock { $0.canBeEmpty = true } }

    /// Chooses the outcome of loads; loads that are held as loading continue with the new choice.
    func choose(_ load: ForcedLoad, delay: Duration) {
      let change = state.withLock { state in
        let change = state.change
        state.load = load
        state.delay = min(max(delay, .zero), .seconds(600))
        state.change = OutcomePromise()
        return change
      }
      change.end(with: .success(()))
    }

    /// Waits or fails according to the choice.
    ///
    /// - Returns: whether the load must return an empty value.
    /// - Throws: the forced error; `CancellationError` if the task is cancelled.
    func pass() async throws -> Bool {
      while true {
        let (load, delay, change) = state.withLock { ($0.load, $0.delay, $0.change) }
        switch load {
        case .none: return false
        case .loading:
          do { try await change.value } catch { throw CancellationError() }
        case .error: throw ForcedLoadError()
        case .empty: return true
        case .offline: throw URLError(.notConnectedToInternet)
        case .slow:
          try await time.sleep(for: delay)
          return false
        }
      }
    }
  }

  /// A provider whose loads an inspector can delay, fail or empty.
  struct ForcedProvider<Base: DataProvider>: DataProvider {
    let base: Base
    let force: ForceSwitch
    /// Records the parameters of a load.
    let note: @Sendable (Base.Parameters) -> Void
    let empty: (@Sendable () -> Base.Output)?

    /// Loads with the provider, unless the inspector forces another outcome.
    ///
    /// - Throws: the provider's error; the forced one; `CancellationError` if the task is
    ///   cancelled.
    @concurrent
    func load(
      _ parameters: Base.Parameters, reporting events: LoadEvents<Base.Output>
    ) async throws -> Base.Output {
      note(parameters)
      if try await force.pass(), let empty { return empty() }
      return try await base.load(parameters, reporting: events)
    }
  }
#endif
