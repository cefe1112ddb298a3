import Foundation

extension FileStoreError {
  /// The first of the errors that led to it, to stand within a sentence of the message.
  var because: String {
    guard let cause = underlyingErrors.first else { return "" }
    let text = Self.words(for: cause)
    return ": \(text.hasSuffix(".") ? String(text.dropLast()) : text)"
  }

  private static func words(for cause: any Error) -> String {
    // What these call their description names neither the key nor the place.
    switch cause {
    case DecodingError.keyNotFound(let key, let context):
      "there is no \(place(context.codingPath + [key]))"
    case DecodingError.valueNotFound(_, let context):
      "\(place(context.codingPath)) is null"
    case DecodingError.typeMismatch(let type, let context):
      "\(place(context.codingPath)) is no \(type)"
    case DecodingError.dataCorrupted(let context):
      words(for: context.debugDescription, at: context.codingPath)
    case EncodingError.invalidValue(_, let context):
      words(for: context.debugDescription, at: context.codingPath)
    default: cause.localizedDescription
    }
  }

  private static func words(for detail: String, at path: [any CodingKey]) -> String {
    path.isEmpty ? detail : "\(place(path)): \(detail)"
  }

  private static func place(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "the whole" }
    return path.reduce("") { place, key in
      if let index = key.intValue { return "\(place)[\(index)]" }
      return place.isEmpty ? key.stringValue : "\(place).\(key.stringValue)"
    }
  }
}
