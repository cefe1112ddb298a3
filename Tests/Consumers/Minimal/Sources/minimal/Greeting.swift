import Fieldstone

/// Two stages whose completion is printed.
enum Greeting: Stage {
  case begin(name: String)
  case greet(String)

  func next() async throws -> Step<Self, String> {
    switch self {
    case .begin(let name): .advance(to: .greet("Hello, \(name)"))
    case .greet(let text): .complete(text)
    }
  }
}

@main
struct Minimal {
  static func main() async throws {
    print(try await Greeting.begin(name: "Fieldstone").execute())
  }
}
