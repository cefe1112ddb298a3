package import Foundation

/// How a stage is checked before an edit or a fork of it is written.
package enum StageCheck: Sendable {
  /// The code that would run it decodes it.
  case flows([DurableFlow])
  /// The caller does not have the flow's code, and accepts that the run may be blocked.
  case unchecked

  /// The stage in the form to be written.
  ///
  /// - Parameters:
  ///   - payload: the stage as JSON.
  ///   - version: the version of the flow that wrote it.
  ///   - flow: the name of the flow.
  ///   - run: the stage's run.
  ///   - sequence: its number there.
  /// - Throws: ``DurableRunError/unknownFlow(_:flow:)``, `.newerVersion`, `.unreadable`.
  package func check(
    _ payload: Data, version: Int, of flow: String, run: RunID, sequence: Int
  ) throws(DurableRunError) {
    _ = try read(payload, version: version, of: flow, run: run, sequence: sequence)
  }

  /// The stage in the newest version of its flow, migrated by the code that would run it.
  ///
  /// It is unchanged if it already has that version or if nothing is checked.
  ///
  /// - Throws: the errors of ``check(_:version:of:run:sequence:)``.
  package func newest(
    _ payload: Data, version: Int, of flow: String, run: RunID, sequence: Int
  ) throws(DurableRunError) -> (payload: Data, version: Int) {
    guard
      let read = try read(payload, version: version, of: flow, run: run, sequence: sequence),
      read.flow.version != version, let stage = read.stage as? any Encodable
    else { return (payload, version) }
    do {
      return (try StageJSON.data(of: stage), read.flow.version)
    } catch {
      throw .unreadable(run, sequence: sequence, error: Self.text(of: error))
    }
  }

  private func read(
    _ payload: Data, version: Int, of name: String, run: RunID, sequence: Int
  ) throws(DurableRunError) -> (flow: DurableFlow, stage: any Sendable)? {
    guard case .flows(let flows) = self else { return nil }
    guard let flow = flows.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw .unknownFlow(run, flow: name)
    }
    guard version <= flow.version else {
      throw .newerVersion(run, found: version, known: flow.version)
    }
    do {
      return (flow, try flow.read(version, payload))
    } catch {
      throw .unreadable(run, sequence: sequence, error: Self.text(of: error))
    }
  }

  /// The error in a few lines: a decoder's error may contain the whole stage.
  private static func text(of error: any Error) -> String { String("\(error)".prefix(500)) }
}
