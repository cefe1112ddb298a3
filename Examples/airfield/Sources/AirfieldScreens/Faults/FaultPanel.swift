public import Fieldstone
public import Observation

/// The panel of switches that make things go wrong.
@MainActor
@Observable
public final class FaultPanel {
  /// The switches as sources read them.
  @ObservationIgnored public let switches = FaultSwitches()

  /// What is switched on; reads are tracked.
  public private(set) var faults = Faults()

  @ObservationIgnored private let latency = Field<Int>("Latency", key: "latency")
    .require(.notNil).require(.range(0...5_000))
    .presented(help: "Milliseconds by which every answer is held back, at most 5,000.")
  @ObservationIgnored private let nextPage = Field<Bool>("The next page fails", key: "nextPage")
  @ObservationIgnored private let save = Field<Bool>("Saving fails", key: "save")
  @ObservationIgnored private let nothing = Field<Bool>("Searches find nothing", key: "nothing")
  @ObservationIgnored private let offline = Field<Bool>("Offline", key: "offline")

  /// The form of the panel.
  @ObservationIgnored public private(set) lazy var form = FormModel {
    FormSection("Make things go wrong") {
      latency
      nextPage
      save
      nothing
      offline
    }
  }
  .map(\Faults.milliseconds, to: latency)
  .map(\Faults.failsNextPage, to: nextPage)
  .map(\Faults.failsSave, to: save)
  .map(\Faults.findsNothing, to: nothing)
  .map(\Faults.isOffline, to: offline)

  /// Makes a panel of which everything is off.
  public init() {
    try? form.fill(from: faults)
  }

  /// Switches what the form says.
  public func apply() async -> Bool {
    let outcome = await form.submit {
      var faults = Faults()
      try form.apply(to: &faults)
      set(faults)
    }
    return outcome.value != nil
  }

  /// Switches everything off.
  public func clear() { use(Faults()) }

  /// Switches faults on and off, and shows them in the form.
  public func use(_ faults: Faults) {
    set(faults)
    try? form.fill(from: faults)
  }

  private func set(_ faults: Faults) {
    self.faults = faults
    switches.faults = faults
  }
}

/// What is made to go wrong, so that every state of a screen can be seen.
public struct Faults: Sendable, Equatable {
  /// How long each answer is held back.
  public var latency: Duration = .zero

  /// The same in milliseconds.
  var milliseconds: Int {
    get { Int(latency / .milliseconds(1)) }
    set { latency = .milliseconds(newValue) }
  }

  /// Whether the next pages of lists fail.
  public var failsNextPage = false

  /// Whether saving fails.
  public var failsSave = false

  /// Whether searches find nothing.
  public var findsNothing = false

  /// Whether nothing can be reached.
  public var isOffline = false

  /// Makes none.
  public init() {}

  /// Whether anything is made to go wrong.
  public var isAny: Bool { self != Faults() }
}

/// The faults as work off the main actor reads them.
public final class FaultSwitches: Sendable {
  private let state = Locked(Faults())

  /// What is switched on.
  public var faults: Faults {
    get { state.value }
    set { state.value = newValue }
  }

  /// Waits as long as answers are held back.
  func holdBack(by time: TimeSource) async throws {
    let latency = faults.latency
    if latency > .zero { try await time.sleep(for: latency) }
  }

  /// Waits as long as answers are held back, and tells what else is switched on, unless that is to be
  /// offline.
  func reached(by time: TimeSource) async throws -> Faults {
    try await holdBack(by: time)
    let faults = faults
    if faults.isOffline { throw FaultError.offline }
    return faults
  }
}

/// What goes wrong because somebody has switched it on.
public enum FaultError: DescribedError, Equatable {
  /// Nothing can be reached.
  case offline

  /// This machine has no network.
  case noNetwork

  /// The next page could not be loaded.
  case nextPage

  /// It was not saved.
  case save

  /// What went wrong and what to do about it.
  public var message: String {
    switch self {
    case .offline: "The directory can’t be reached: “Offline” is switched on among the faults."
    case .noNetwork: "There is no network. Connect to one, and try again."
    case .nextPage: "This page was told to fail: switch it off among the faults."
    case .save: "Saving was told to fail: switch it off among the faults, and try again."
    }
  }
}
