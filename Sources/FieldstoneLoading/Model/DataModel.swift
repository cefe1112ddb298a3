public import Foundation

/// A value for screens, built from a provider's output.
///
/// A `Decodable` model is built from JSON without further code. Models are built off the main
/// actor. (Seed: IDMCore's `ModelProtocol`.)
public protocol DataModel: Sendable {
  /// The type that the model is built from.
  associatedtype Source: Sendable

  /// Builds the model.
  ///
  /// - Throws: an error that describes the fault in the data.
  init(source: Source) throws
}

extension DataModel where Self: Decodable, Source == Data {
  /// Builds the model from JSON.
  ///
  /// - Throws: ``DataModelError``, which includes the place; any other error of the model's own
  ///   `init(from:)`.
  public init(source: Data) throws {
    self = try Self.decoded(fromJSON: source)
  }

  /// Builds the model from JSON with a custom decoder, for example for dates.
  ///
  /// ```swift
  /// init(source: Data) throws {
  ///   let decoder = JSONDecoder()
  ///   decoder.dateDecodingStrategy = .iso8601
  ///   self = try .decoded(fromJSON: source, with: decoder)
  /// }
  /// ```
  ///
  /// - Throws: the errors of ``init(source:)``.
  public static func decoded(
    fromJSON data: Data, with decoder: JSONDecoder = JSONDecoder()
  ) throws -> Self {
    do {
      return try decoder.decode(Self.self, from: data)
    } catch let error as DecodingError {
      throw DataModelError(error, of: Self.self, in: data, with: decoder)
    }
  }
}

/// Makes an array of decodable models a model, from a JSON array: `[User].self`.
extension Array: DataModel where Element: DataModel & Decodable {
  /// JSON, from which the array is built.
  public typealias Source = Data
}
