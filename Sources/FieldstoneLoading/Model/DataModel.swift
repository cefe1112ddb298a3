public import Foundation

/// A value for screens, built from a provider's output.
///
/// A model that is `Decodable` is built from JSON without a line of code. Models are built off the
/// main actor. (Seed: IDMCore's `ModelProtocol`.)
public protocol DataModel: Sendable {
  /// The type that the model is built from.
  associatedtype Source: Sendable

  /// Builds the model.
  ///
  /// - Throws: an error that describes the data's fault.
  init(source: Source) throws
}

extension DataModel where Self: Decodable, Source == Data {
  /// Builds the model from JSON.
  ///
  /// - Throws: ``DataModelError``, which names the place; what the model's own `init(from:)` throws
  ///   otherwise.
  public init(source: Data) throws {
    self = try Self.decoded(fromJSON: source)
  }

  /// Builds the model from JSON with a decoder of one's own: for dates, say.
  ///
  /// ```swift
  /// init(source: Data) throws {
  ///   let decoder = JSONDecoder()
  ///   decoder.dateDecodingStrategy = .iso8601
  ///   self = try .decoded(fromJSON: source, with: decoder)
  /// }
  /// ```
  ///
  /// - Throws: as ``init(source:)``.
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

/// An array of decodable models is a model, too, from JSON that holds an array: `[User].self`.
extension Array: DataModel where Element: DataModel & Decodable {
  /// JSON, which the array is built from.
  public typealias Source = Data
}
