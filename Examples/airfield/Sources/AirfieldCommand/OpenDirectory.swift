import AirfieldDirectory

extension AirportDirectory {
  /// Opens a directory while `body` works with it, and closes it however that ends.
  static func opened<Value: Sendable>(
    at path: String, toRead: Bool = false, _ body: (AirportDirectory) async throws -> Value
  ) async throws -> Value {
    let directory = try AirportDirectory(
      path: path, toRead: toRead, onProblem: Console.standard.note)
    do {
      let value = try await body(directory)
      await directory.close()
      return value
    } catch {
      await directory.close()
      throw error
    }
  }
}
