import FieldstoneStorage

/// The record of the helper program, which this is the same as.
struct Record: Codable, Sendable, Equatable {
  var number: Int
  var text: String

  init(_ number: Int) {
    self.number = number
    text = String(repeating: "\(number) ", count: 2_000)
  }
}

struct Settings: Codable, Sendable, Equatable {
  var name = "Ada"
  var launches = 1
}

/// Encodes as nothing.
struct Unwritable: Codable, Sendable, Equatable {
  var number = 1.0
}

extension FileStoreOptions {
  /// For tests that are not about the medium.
  static var fast: FileStoreOptions { FileStoreOptions(durability: .fast) }
}
