import Fieldstone
import FieldstoneServing
import Foundation

@testable import AirfieldApp

/// The events that a page is sent, read one by one as a browser does.
@MainActor
final class Events {
  /// A change of the page.
  struct Patch: Decodable {
    let op: String
    let id: String
    let html: String
    let flag: Bool?
  }

  let stream: EventStream

  init(_ stream: EventStream) {
    self.stream = stream
  }

  /// The patches of the next event; none of a sign of life, nil at the end.
  func next() async throws -> [Patch]? {
    guard let bytes = await stream.next() else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("data: ") else { return [] }
    return try JSONDecoder().decode([Patch].self, from: Data(text.dropFirst(6).utf8))
  }

  /// The first patch from here on that is as described.
  func first(_ isMeant: (Patch) -> Bool) async throws -> Patch {
    while let patches = try await next() {
      if let patch = patches.first(where: isMeant) { return patch }
    }
    throw MessageError("the events have ended")
  }

  /// Who the server says that we are; the first thing that it says.
  func visitor() async throws -> String {
    try await first { $0.op == "hello" }.html
  }
}
