package import Foundation

/// An audit row before a journal has given it a number and a time.
package struct AuditEntry: Sendable, Hashable {
  package var actor: String?
  package var action: AuditAction
  package var subject: AuditSubject
  package var before: Data?
  package var after: Data?

  /// Larger stages, definitions and progresses are truncated.
  package static let mostPayloadBytes = 4_096

  /// The audit row with its number and time.
  package func record(_ number: Int, at date: Date) -> AuditRecord {
    AuditRecord(
      number: number, date: date, actor: actor, action: action, subject: subject, before: before,
      after: after)
  }
}

extension AuditEntry {
  /// The change of a run.
  package init(_ change: RunChange, by actor: String?, from old: RunRecord, to new: RunRecord) {
    let showsStage = if case .edit = change { true } else { false }
    self.init(
      actor: actor, action: change.auditAction, subject: .run(new.id),
      before: AuditJSON.run(old, withStage: showsStage),
      after: AuditJSON.run(new, withStage: showsStage))
  }

  /// A pause, possibly replacing another pause of the same target.
  package init(
    pausing target: PauseTarget, until date: Date?, by actor: String?, over old: JournalPause?
  ) {
    self.init(
      actor: actor, action: .pause, subject: AuditSubject(target),
      before: old.map { AuditJSON.pause(until: $0.until) }, after: AuditJSON.pause(until: date))
  }

  /// The end of a pause.
  package init(resuming old: JournalPause, by actor: String?) {
    self.init(
      actor: actor, action: .resume, subject: AuditSubject(old.target),
      before: AuditJSON.pause(until: old.until))
  }

  /// New limits of a flow; nil for a runner's own declaration and if nothing changes.
  package init?(
    limiting flow: String, by actor: String?, from old: FlowLimits?, to new: FlowLimits?
  ) {
    guard actor != nil, old != new else { return nil }
    self.init(
      actor: actor, action: .limit, subject: .flow(flow),
      before: old.flatMap { AuditJSON.value($0) },
      after: new.flatMap { AuditJSON.value($0) })
  }

  /// A schedule that was set, changed or removed; nil for a runner's own tick.
  package init?(
    schedule name: String, by actor: String?, from old: ScheduleRecord?, to new: ScheduleRecord?,
    starting starts: [RunStart]
  ) {
    guard actor != nil else { return nil }
    self.init(
      actor: actor, action: Self.action(from: old, to: new, starting: starts),
      subject: .schedule(name), before: old.map { AuditJSON.schedule($0) },
      after: new.map { AuditJSON.schedule($0) })
  }

  /// A fork; nil for any other start.
  package init?(forking start: RunStart) {
    guard let origin = start.origin else { return nil }
    self.init(
      actor: start.actor, action: .fork, subject: .run(start.id),
      before: AuditJSON.origin(origin), after: AuditJSON.start(start))
  }

  /// A signal, without its payload; nil for one without an actor, as an app's own code sends it.
  package init?(signalling run: RunID, _ signal: SignalRecord) {
    guard let actor = signal.actor else { return nil }
    self.init(
      actor: actor, action: .signal, subject: .run(run), after: AuditJSON.signal(signal))
  }

  /// A run that was deleted.
  package init(purging run: RunRecord, by actor: String?) {
    self.init(
      actor: actor, action: .purge, subject: .run(run.id),
      before: AuditJSON.run(run, withStage: false))
  }

  private static func action(
    from old: ScheduleRecord?, to new: ScheduleRecord?, starting starts: [RunStart]
  ) -> AuditAction {
    guard let new else { return .remove }
    if !starts.isEmpty { return .runNow }
    guard let old, old.definition == new.definition,
      let before = (try? ScheduleStatus(old))?.progress.isPaused,
      let after = (try? ScheduleStatus(new))?.progress.isPaused, before != after
    else { return .set }
    return after ? .pause : .resume
  }
}

extension RunChange {
  fileprivate var auditAction: AuditAction {
    switch self {
    case .retry: .retry
    case .edit: .edit
    case .cancel: .cancel
    }
  }
}

extension AuditEntry {
  /// The value of a run in an audit row.
  ///
  /// - Parameter stage: the stage as JSON; nil to omit it.
  package static func value(
    ofRunAt sequence: Int, stage: Data?, in state: RunState, version: Int
  ) -> Data {
    AuditJSON.run(sequence, stage, state, version)
  }
}

/// The JSON of audit rows: objects with sorted keys, with payloads embedded unchanged up to a
/// limit.
private enum AuditJSON {
  static func run(_ run: RunRecord, withStage: Bool) -> Data {
    Self.run(run.sequence, withStage ? run.payload : nil, run.state, run.version)
  }

  static func run(_ sequence: Int, _ stage: Data?, _ state: RunState, _ version: Int) -> Data {
    let stage = stage.map { #""stage":\#(bounded($0)),"# } ?? ""
    return Data(
      #"{"sequence":\#(sequence),\#(stage)"state":"\#(state.rawValue)","version":\#(version)}"#.utf8
    )
  }

  static func value(_ limits: FlowLimits) -> Data? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try? encoder.encode(limits)
  }

  static func pause(until date: Date?) -> Data {
    let end = date.map { #""\#($0.ISO8601Format())""# } ?? "null"
    return Data(#"{"paused":true,"until":\#(end)}"#.utf8)
  }

  static func schedule(_ record: ScheduleRecord) -> Data {
    Data(
      #"{"definition":\#(bounded(record.definition)),"progress":\#(bounded(record.progress))}"#.utf8
    )
  }

  static func origin(_ origin: RunOrigin) -> Data {
    Data(#"{"run":"\#(origin.run)","sequence":\#(origin.sequence)}"#.utf8)
  }

  static func signal(_ signal: SignalRecord) -> Data {
    Data(#"{"id":\#(quoted(signal.id)),"name":\#(quoted(signal.name))}"#.utf8)
  }

  static func start(_ start: RunStart) -> Data {
    let key = start.key.map { quoted($0) } ?? "null"
    return Data(
      #"{"flow":\#(quoted(start.flow)),"key":\#(key),"stage":\#(bounded(start.payload)),"version":\#(start.version)}"#
        .utf8)
  }

  /// The payload unchanged, or its beginning and its size if it is long.
  ///
  /// Bytes that are not JSON text, such as a codec's, are written in Base64.
  private static func bounded(_ payload: Data) -> String {
    let most = AuditEntry.mostPayloadBytes
    guard payload.count > most else {
      if JSONSyntax.isValid(payload) { return String(decoding: payload, as: UTF8.self) }
      return #"{"base64":"\#(payload.base64EncodedString())","bytes":\#(payload.count)}"#
    }
    let head = payload.prefix(most)
    // The end may cut a character in two.
    let isText = (0..<4).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
    return isText
      ? #"{"bytes":\#(payload.count),"cut":\#(quoted(String(decoding: head, as: UTF8.self)))}"#
      : #"{"base64":"\#(head.base64EncodedString())","bytes":\#(payload.count)}"#
  }

  private static func quoted(_ text: String) -> String {
    (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
