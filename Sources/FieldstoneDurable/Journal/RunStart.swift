public import Foundation

/// A run to be started.
public struct RunStart: Sendable {
  /// Names the run.
  public var id: RunID
  /// The name of its flow.
  public var flow: String
  /// The version of the flow that wrote the stage.
  public var version: Int
  /// No two runs of a flow have the same key; nil where any number may be started.
  ///
  /// Keys are compared byte by byte: one that people type is best given in one normal form.
  public var key: String?
  /// The first stage, as JSON.
  public var payload: Data

  /// Makes a request.
  public init(id: RunID, flow: String, version: Int, key: String? = nil, payload: Data) {
    self.id = id
    self.flow = flow
    self.version = version
    self.key = key
    self.payload = payload
  }
}
