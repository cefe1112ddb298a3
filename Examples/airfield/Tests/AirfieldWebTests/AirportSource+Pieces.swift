import FieldstoneTesting

@testable import AirfieldApp

extension AirportSource {
  /// A directory whose exports go on after their first piece as a test wants.
  static func pieces(
    _ directory: AirportDirectory,
    _ piece: @escaping @Sendable (ExportRange) async throws -> ExportPiece
  ) -> AirportSource {
    var source = AirportSource(directory)
    source.piece = { query, mark in
      if let mark { return try await piece(mark) }
      return try await directory.exportPiece(of: query, at: nil)
    }
    return source
  }

  /// A directory whose exports have no end.
  static func endless(_ directory: AirportDirectory) -> AirportSource {
    let text = String(repeating: "x,y\r\n", count: 12_000)
    return pieces(directory) { ExportPiece(text: text, next: $0) }
  }

  /// A directory that finds an airport only once a gate is open.
  static func gated(
    _ directory: AirportDirectory, _ icao: String, _ gate: Gate
  ) -> AirportSource {
    var source = AirportSource(directory)
    source.look = {
      if $0 == icao { await gate.wait() }
      return try await directory.record(icao: $0)
    }
    return source
  }
}
