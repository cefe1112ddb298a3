import Fieldstone
import Observation

/// Editing an airport, or adding one, as a screen.
///
/// Saving is refused where somebody else has saved in between: then ``conflict`` is what they have
/// saved, and the person chooses. It is known as soon as they save, not only when oneself does.
@MainActor
@Observable
final class AirportEditScreen {
  /// The airport that is edited, as it was when the edit began; nil for a new one.
  private(set) var base: AirportRecord?

  /// What somebody else has saved meanwhile.
  private(set) var conflict: AirportRecord?

  /// Why it was not saved last; nil once it is edited again or was saved.
  private(set) var error: (any Error)?

  @ObservationIgnored private let fields: AirportForm
  @ObservationIgnored private let model: AirfieldModel
  /// The code that the airport has, which it may keep.
  @ObservationIgnored private let edited: Locked<String?>
  @ObservationIgnored private var registrations: [Registration] = []

  var form: FormModel { fields.form }

  /// Makes the screen for an airport that is there, or for a new one.
  ///
  /// - Parameter record: the airport; nil for a new one.
  init(_ model: AirfieldModel, editing record: AirportRecord?, countries: [CountryCount]) {
    let edited = Locked(record?.airport.icao)
    self.model = model
    self.edited = edited
    base = record
    fields = AirportForm(countries: countries, time: model.time) { [source = model.source] code in
      guard code != edited.value else { return false }
      return try await source.record(icao: code) != nil
    }
    begin(with: record)
    model.parts.invokeEach { $0(.form(form), "Edit \(record?.airport.icao ?? "of a new airport")") }
    registrations = [
      model.changes.add { [weak self] in self?.take($0) },
      model.reloads.add { [weak self] in self?.lookAgain() },
    ]
  }

  var state: FormScreenState { FormScreenState(form.phase, error: error) }

  /// Saves the airport in one transaction; one that was saved meanwhile and is the same is left
  /// alone.
  @discardableResult
  func save() async -> Outcome<AirportRecord> {
    error = nil
    if let conflict, says(conflict.airport) {
      begin(with: conflict)
      return .success(conflict)
    }
    let outcome = await form.submit {
      var airport = base?.airport ?? .blank
      try form.apply(to: &airport)
      do {
        let record = try await model.save(
          airport, replacing: base?.airport.icao, basedOn: base?.revision)
        base = record
        edited.value = airport.icao
        conflict = nil
        return record
      } catch AirportSaveError.codeTaken {
        throw FormRejection(["icao": "is taken by another airport"])
      } catch AirportSaveError.conflict(let theirs) {
        conflict = theirs
        throw AirportSaveError.conflict(theirs)
      }
    }
    error = outcome.error
    return outcome
  }

  /// Says on which revision an edit was based that goes on here; an older one is a conflict.
  ///
  /// - Parameter airport: what the airport was then, so that only what differs from it is an edit.
  func noteBase(_ revision: Int?, _ airport: Airport?) {
    guard let base, let revision, revision < base.revision else { return }
    conflict = conflict ?? base
    self.base = AirportRecord(airport: airport ?? base.airport, revision: revision)
    if let airport { try? form.rebaseline(from: airport) }
  }

  /// Lets one's own edits go and takes what somebody else has saved.
  func takeTheirs() {
    guard let conflict else { return }
    begin(with: conflict)
  }

  /// Keeps one's own edits, on top of what somebody else has saved.
  func keepMine() {
    guard let conflict else { return }
    base = conflict
    edited.value = conflict.airport.icao
    self.conflict = nil
    error = nil
    try? form.rebaseline(from: conflict.airport)
  }

  /// What the form differs in from what somebody else has saved: labels with both texts, one's own
  /// where it is an edit.
  var differences: [(label: String, mine: String?, theirs: String)] {
    guard let conflict else { return [] }
    let theirs = AirportForm(countries: [], time: model.time) { _ in false }
    try? theirs.form.fill(from: conflict.airport)
    return zip(form.fields, theirs.form.fields).compactMap { mine, other in
      let texts = (Self.text(of: mine), Self.text(of: other))
      return texts.0 == texts.1 ? nil : (mine.label, mine.isModified ? texts.0 : nil, texts.1)
    }
  }

  private static func text(of field: FormField) -> String {
    field.kind == .list ? field.items.map(\.text).joined(separator: ", ") : field.text
  }

  /// Whether the form says what an airport is.
  private func says(_ airport: Airport) -> Bool {
    var mine = airport
    // Texts tell of what is typed and no value, values of what looks the same.
    return differences.isEmpty && (try? form.apply(to: &mine)) != nil && mine == airport
  }

  private func begin(with record: AirportRecord?) {
    base = record
    edited.value = record?.airport.icao
    conflict = nil
    error = nil
    // Nothing is known of a new airport, so there is nothing to fill in.
    if let record { try? form.fill(from: record.airport) }
  }

  /// Looks whether the airport is another one, because any may be.
  private func lookAgain() {
    guard let code = base?.airport.icao else { return }
    Task { [weak self, source = model.source] in
      guard let record = try? await source.record(icao: code) else { return }
      self?.take(AirportChange(before: code, record: record))
    }
  }

  private func take(_ change: AirportChange) {
    guard let base, change.before == base.airport.icao, !form.phase.isBusy,
      let record = change.record, record.revision > base.revision
    else { return }
    if form.isModified { conflict = record } else { begin(with: record) }
  }
}

extension Airport {
  fileprivate static var blank: Airport {
    Airport(icao: "", name: "", country: "", latitude: 0, longitude: 0, timeZone: "")
  }
}
