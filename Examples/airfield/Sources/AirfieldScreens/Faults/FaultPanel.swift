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

  /// Makes a panel of which everything is off.
  public init() {
    show(Faults())
  }

  /// Switches what the form says.
  public func apply() async -> Bool {
    let outcome = await form.submit {
      var faults = Faults()
      faults.latency = .milliseconds(latency.value ?? 0)
      faults.failsNextPage = nextPage.value ?? false
      faults.failsSave = save.value ?? false
      faults.findsNothing = nothing.value ?? false
      faults.isOffline = offline.value ?? false
      set(faults)
    }
    return outcome.value != nil
  }

  /// Switches everything off.
  public func clear() {
    set(Faults())
    show(Faults())
  }

  /// Switches faults on and off, and shows them in the form.
  public func use(_ faults: Faults) {
    set(faults)
    show(faults)
  }

  private func set(_ faults: Faults) {
    self.faults = faults
    switches.faults = faults
  }

  private func show(_ faults: Faults) {
    latency.value = Int(faults.latency / .milliseconds(1))
    nextPage.value = faults.failsNextPage
    save.value = faults.failsSave
    nothing.value = faults.findsNothing
    offline.value = faults.isOffline
  }
}
