/// What a screen works with, built from what a provider loaded.
///
/// A model that is `Decodable` is built from JSON without a line of code. Models are built off the
/// main actor. (Seed: IDMCore's `ModelProtocol`.)
public protocol DataModel: Sendable {
  /// What the model is built from.
  associatedtype Source: Sendable

  /// Builds the model.
  ///
  /// - Throws: what is wrong with the data.
  init(source: Source) throws
}
