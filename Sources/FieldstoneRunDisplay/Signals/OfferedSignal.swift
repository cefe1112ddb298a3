package import FieldstoneDurable
package import Foundation

/// A signal that people can send, and the check of its payload.
package struct OfferedSignal: Sendable {
  /// The name that runs receive by.
  package let name: String
  /// The example, as JSON.
  package let example: Data
  private let decode: @Sendable (Data) throws -> Void

  package init<Value>(_ signal: SignalName<Value>) throws {
    name = signal.name
    example = try StageJSON.data(of: signal.example)
    decode = { _ = try StageJSON.value(Value.self, from: $0) }
  }

  /// The error of decoding a payload; nil if it can be decoded.
  package func problem(of payload: Data) -> String? {
    do {
      try decode(payload)
      return nil
    } catch {
      return "\(error)".inOneLine.cut(to: 300)
    }
  }
}
