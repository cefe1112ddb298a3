import Fieldstone
import Observation

/// The panel of switches that make things go wrong.
@MainActor
@Observable
final class FaultPanel {
  /// What is switched on, as work off the main actor reads it.
  @ObservationIgnored private let switches = Locked(Faults())
  private(set) var faults = Faults()

  @ObservationIgnored private let latency = Field<Int>("Latency", key: "latency")
    .require(.notNil).require(.range(0...5_000))
    .presented(help: "Milliseconds by which every answer is held back, at most 5,000.")
  @ObservationIgnored private let nextPage = Field<Bool>("The next page fails", key: "nextPage")
  @ObservationIgnored private let save = Field<Bool>("Saving fails", key: "save")
  @ObservationIgnored private let nothing = Field<Bool>("Searches find nothing", key: "nothing")
  @ObservationIgnored private let offline = Field<Bool>("Offline", key: "offline")

  @ObservationIgnored private(set) lazy var form = FormModel {
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

  init() {
    try? form.fill(from: faults)
  }

  func apply() async -> Bool {
    let outcome = await form.submit {
      var faults = Faults()
      try form.apply(to: &faults)
      set(faults)
    }
    return outcome.value != nil
  }

  func clear() { use(Faults()) }

  /// Switches faults on and off, and shows them in the form.
  func use(_ faults: Faults) {
    set(faults)
    try? form.fill(from: faults)
  }

  /// What is to be called before anything is reached.
  func reach(by time: TimeSource) -> FaultReach {
    { [switches] in
      let latency = switches.value.latency
      if latency > .zero { try await time.sleep(for: latency) }
      let faults = switches.value
      if faults.isOffline { throw FaultError.offline }
      return faults
    }
  }

  private func set(_ faults: Faults) {
    self.faults = faults
    switches.value = faults
  }
}

/// What is made to go wrong, so that every state of a screen can be seen.
struct Faults: Sendable, Equatable {
  var latency: Duration = .zero

  var milliseconds: Int {
    get { Int(latency / .milliseconds(1)) }
    set { latency = .milliseconds(newValue) }
  }

  var failsNextPage = false
  var failsSave = false
  var findsNothing = false
  var isOffline = false

  var isAny: Bool { self != Faults() }
}

/// Waits as long as answers are held back, and tells what else is switched on; throws where that is to
/// be offline.
typealias FaultReach = @Sendable () async throws -> Faults

/// What goes wrong because somebody has switched it on.
enum FaultError: DescribedError, Equatable {
  case offline
  case noNetwork
  case nextPage
  case save

  var message: String {
    switch self {
    case .offline: "The directory can’t be reached: “Offline” is switched on among the faults."
    case .noNetwork: "There is no network. Connect to one, and try again."
    case .nextPage: "This page was told to fail: switch it off among the faults."
    case .save: "Saving was told to fail: switch it off among the faults, and try again."
    }
  }
}
