public import Foundation

/// The place of a payload in a journal, to which a codec binds it.
///
/// No two payloads that exist in a journal at the same time have the same place.
public struct PayloadContext: Sendable, Hashable, Codable {
  /// The kind of a payload.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A stage of a run, at its sequence.
    case stage
    /// The completion of a run.
    case completion
    /// A signal to a run, by its identifier and its name.
    case signal
    /// The error of a failed attempt at a stage, or the reason that the run is blocked.
    case error
    /// A line that a stage has logged, or the text of its progress.
    case logLine
    /// The definition of a schedule, with the stage that its runs begin at.
    case schedule
  }

  /// The payload's kind.
  public let kind: Kind
  /// The run that it belongs to; nil for a schedule.
  public let run: RunID?
  /// The number of the stage in the run's chain; nil for kinds without a stage.
  public let sequence: Int?
  /// The names that distinguish it from others of its kind: those of a signal, a schedule or a log
  /// line; otherwise empty.
  public let names: [String]

  /// Makes a place, for example to test a codec.
  public init(_ kind: Kind, run: RunID? = nil, sequence: Int? = nil, names: [String] = []) {
    self.kind = kind
    self.run = run
    self.sequence = sequence
    self.names = names
  }

  /// The place as bytes, for the additional authenticated data of a cipher.
  ///
  /// No two places have the same bytes. Use them, and not the value, as the key of a cache: `==`
  /// compares names as Swift compares strings, and a journal compares their bytes. The bytes of a
  /// place never change between versions of the package.
  public var authenticatedData: Data {
    var parts = [kind.rawValue, run?.description ?? "", sequence.map(String.init) ?? ""]
    // The length precedes each name, because a name may contain any separator.
    parts += names.map { "\($0.utf8.count) \($0)" }
    return Data(parts.joined(separator: "\n").utf8)
  }
}

extension PayloadContext {
  package static func stage(_ run: RunID, _ sequence: Int) -> Self {
    Self(.stage, run: run, sequence: sequence)
  }

  /// Without a sequence: a run has only one completion, ever.
  package static func completion(_ run: RunID) -> Self { Self(.completion, run: run) }

  package static func signal(_ signal: SignalRecord, to run: RunID) -> Self {
    Self(.signal, run: run, names: [signal.id, signal.name])
  }

  package static func error(_ run: RunID, _ sequence: Int) -> Self {
    Self(.error, run: run, sequence: sequence)
  }

  /// A line never changes its place; the same number under another claim is another place.
  package static func line(_ line: RunLogLine, of run: RunID) -> Self {
    let names = ["\(line.place.fence)", "\(line.place.number)"]
    return Self(.logLine, run: run, sequence: line.sequence, names: names)
  }

  package static func progress(_ progress: RunProgress, of run: RunID) -> Self {
    Self(.logLine, run: run, sequence: progress.sequence, names: ["progress"])
  }

  package static func schedule(_ name: String) -> Self { Self(.schedule, names: [name]) }
}

extension PayloadContext: CustomStringConvertible {
  /// The place in words, for messages.
  public var description: String {
    let stage = sequence.map { " of stage \($0)" } ?? ""
    let place = run.map { "\(stage) of run \($0)" } ?? stage
    return switch kind {
    case .stage: "stage \(sequence ?? 0) of run \(run?.description ?? "?")"
    case .completion: "completion\(place)"
    case .signal: "signal “\(names.first ?? "")” to run \(run?.description ?? "?")"
    case .error: "error\(place)"
    case .logLine: "log line\(place)"
    case .schedule: "schedule “\(names.first ?? "")”"
    }
  }
}
