public import Foundation

/// A change by a person or a program, as stored in a journal.
public struct AuditRecord: Sendable, Hashable, Identifiable {
  /// Its position in the order of the changes: later changes have higher numbers.
  public var number: Int
  /// When it was made, by the journal's clock.
  public var date: Date
  /// The name of the person or the program that made it; nil if it gave none.
  public var actor: String?
  /// The action.
  public var action: AuditAction
  /// The changed object.
  public var subject: AuditSubject
  /// The state before, as JSON; nil if there was none.
  ///
  /// A journal of your own writes an object with these members:
  ///
  /// | subject | members |
  /// | --- | --- |
  /// | a run | `sequence`, `state`, `version`; for an edit also `stage` |
  /// | a signal | afterwards `id`, `name` |
  /// | a fork | before `run`, `sequence`; afterwards `flow`, `key`, `stage`, `version` |
  /// | a pause | `paused`, `until`: null, or a date in ISO 8601 |
  /// | limits | those of ``FlowLimits`` as `Codable` encodes them |
  /// | a schedule | `definition`, `progress` |
  ///
  /// A stage, definition or progress of more than 4 KB is `{"bytes": its size, "cut": its
  /// beginning}`, and one that is not JSON is `{"base64": …, "bytes": its size}`.
  public var before: Data?
  /// The state afterwards, as JSON; nil if there is none.
  public var after: Data?

  /// The number.
  public var id: Int { number }

  /// Makes a record.
  public init(
    number: Int, date: Date, actor: String? = nil, action: AuditAction, subject: AuditSubject,
    before: Data? = nil, after: Data? = nil
  ) {
    self.number = number
    self.date = date
    self.actor = actor
    self.action = action
    self.subject = subject
    self.before = before
    self.after = after
  }
}

/// An operator's action; newer code may have further ones.
public struct AuditAction: RawRepresentable, Sendable, Hashable {
  /// The name that a journal stores.
  public var rawValue: String

  /// Makes an action.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A run was made ready at once.
  public static let retry = Self(rawValue: "retry")
  /// A run got another stage.
  public static let edit = Self(rawValue: "edit")
  /// A run was cancelled.
  public static let cancel = Self(rawValue: "cancel")
  /// A person or a steering program sent a signal to a run.
  public static let signal = Self(rawValue: "signal")
  /// A run was started from a stage of another run.
  public static let fork = Self(rawValue: "fork")
  /// A finished run was deleted by its identifier.
  public static let purge = Self(rawValue: "purge")
  /// A run, a concurrency key, a flow or a schedule was paused.
  public static let pause = Self(rawValue: "pause")
  /// A pause was ended.
  public static let resume = Self(rawValue: "resume")
  /// The limits of a flow were set or removed.
  public static let limit = Self(rawValue: "limit")
  /// A schedule was set.
  public static let set = Self(rawValue: "set")
  /// A schedule was removed.
  public static let remove = Self(rawValue: "remove")
  /// A run of a schedule was started in addition to its ticks.
  public static let runNow = Self(rawValue: "runNow")
}

/// The object of a change.
public enum AuditSubject: Sendable {
  /// A run.
  case run(RunID)
  /// A flow.
  case flow(String)
  /// A concurrency key of a flow.
  case concurrencyKey(String, flow: String)
  /// A schedule.
  case schedule(String)
}

extension AuditSubject: Hashable {
  /// Whether two subjects are equal, byte by byte.
  public static func == (left: Self, right: Self) -> Bool {
    left.kind == right.kind && left.flow.utf8.elementsEqual(right.flow.utf8)
      && left.name.utf8.elementsEqual(right.name.utf8)
  }

  /// Feeds the kind and the names into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(Array(flow.utf8))
    hasher.combine(Array(name.utf8))
  }
}

extension AuditSubject {
  /// The number of the kind in databases, which never changes.
  package var kind: Int {
    switch self {
    case .flow: 0
    case .concurrencyKey: 1
    case .run: Self.runKind
    case .schedule: 3
    }
  }

  /// The kind of a run, for SQL.
  package static let runKind = 2

  /// The flow; empty for a run and a schedule.
  package var flow: String {
    switch self {
    case .flow(let name), .concurrencyKey(_, flow: let name): name
    case .run, .schedule: ""
    }
  }

  /// The key, the identifier or the name; empty for a flow.
  package var name: String {
    switch self {
    case .flow: ""
    case .concurrencyKey(let key, flow: _): key
    case .run(let id): id.description
    case .schedule(let name): name
    }
  }

  /// Reads a subject from a database.
  ///
  /// - Throws: `JournalError.corrupt` if the values are invalid.
  package init(kind: Int, flow: String, name: String) throws(JournalError) {
    switch kind {
    case 0: self = .flow(flow)
    case 1: self = .concurrencyKey(name, flow: flow)
    case Self.runKind:
      guard let id = RunID(name) else { throw .corrupt("an audit row is about no run") }
      self = .run(id)
    case 3: self = .schedule(name)
    default: throw .corrupt("an audit row is about nothing")
    }
  }

  /// The subject of a pause.
  package init(_ target: PauseTarget) {
    switch target {
    case .flow(let name): self = .flow(name)
    case .concurrencyKey(let key, flow: let name): self = .concurrencyKey(key, flow: name)
    case .run(let id): self = .run(id)
    }
  }
}
