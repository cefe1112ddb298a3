import Fieldstone
import FieldstoneTesting
import Testing

// User-like types adopt every public protocol and call every public name of FieldstoneFields.

private final class Slider: ValueSource, ValueObserver {
  let valueObservers = ValueObservers<Double>()
  private(set) var value: Double?

  func drag(to value: Double) {
    self.value = value
    valueObservers.notify(value)
  }

  func receive(_ value: Double?) {
    self.value = value
  }
}

private final class Player {
  let volume = Field<Double>("Volume", key: "volume", value: 0.5, order: 1)
  let isMuted = Field<Bool>("Muted", value: false)
  let queue = *Field<String>("Title")
  private(set) lazy var audible = DerivedField(volume, isMuted) { volume, isMuted in
    isMuted == true ? 0 : volume ?? 0
  }
}

@Suite("The surface of fields")
struct FieldsSurface {
  @Test("Fields are declared, observed, bound and derived")
  func declared() throws {
    let (player, slider) = (Player(), Slider())
    slider <--> player.volume
    slider.drag(to: 0.8)
    #expect(player.audible.value == 0.8)
    player.isMuted.set(true, origin: .user)
    #expect(player.audible.value == 0)
    var origins: [ChangeOrigin] = []
    player.isMuted.observe(owner: slider, everySet: true) { _, change in
      origins.append(change.origin)
    }
    let token: Registration = player.isMuted.observe { (change: Field<Bool>.Change) in
      _ = (change.old, change.new, change.revision)
    }
    token.cancel()
    player.isMuted.set(true, origin: .importing)
    #expect(origins == [.registration, .importing] && token.isCancelled)
    let first = player.queue.append("Prelude")
    try player.queue.replace(first, with: "Fugue")
    #expect(player.queue.items.map(\.value) == ["Fugue"])
    slider -/-> player.volume
    player.volume -/-> slider
    #expect(player.volume.observerCount == 0)
  }

  @Test("Fields of all types are held together")
  func heldTogether() {
    let player = Player()
    let fields: [AnyField] = [player.volume, player.isMuted, player.queue, player.audible]
    #expect(fields.map(\.name) == ["Volume", "Muted", "Title", ""])
    #expect(fields.map(\.isKnown) == [true, true, false, true])
    for field in fields { field.tracked() }
    #expect(fields.map(\.isTracked) == [true, true, true, true])
  }

  @Test("A change is made by hand for tests of what observes")
  func changeByHand() {
    let change = Field<Int>.Change(old: 1, new: 2, origin: .user, revision: 5)
    #expect(change.old == 1 && change.new == 2 && change.revision == 5)
  }

  @Test("An app hears of fields that do not settle")
  func unsettled() {
    let reports = Recorder<UnsettledFields>()
    let field = Field<Int>("Restless", value: 0)
    let registration = field.observe { [unowned field] change in
      if change.origin != .registration { field.value = (change.new ?? 0) + 1 }
    }
    UnsettledFields.withHandler({ reports.record($0) }) { field.value = 1 }
    #expect(reports.elements.map(\.path) == [["Restless", "Restless"]])
    withExtendedLifetime(registration) {}
  }
}
