import FieldstoneCore
import FieldstoneLoading
import Foundation
import Testing

private struct User: DataModel, Decodable, Equatable {
  var name: String
  var age: Int?
}

private struct Page: DataModel, Decodable {
  var items: [User]
}

private struct Dated: DataModel, Decodable {
  var day: Date
  init(source: Data) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    self = try .decoded(fromJSON: source, with: decoder)
  }
}

/// A model from something else than JSON.
private struct Shout: DataModel {
  var text: String
  init(source: String) throws {
    guard !source.isEmpty else { throw MessageError("There is nothing to shout; give a text.") }
    text = source.uppercased()
  }
}

@Suite("Models")
struct DataModelTests {
  private func complaint<Model: DataModel>(
    of type: Model.Type, about text: String
  ) -> DataModelError? where Model.Source == Data {
    do {
      _ = try Model(source: Data(text.utf8))
      return nil
    } catch {
      return error as? DataModelError
    }
  }

  @Test("A decodable model is built from JSON without a line of code")
  func json() throws {
    let user = try User(source: Data(#"{"name": "Ada", "age": 36}"#.utf8))
    #expect(user == User(name: "Ada", age: 36))
  }

  @Test("Models, providers and errors are adopted without Foundation")
  func withoutFoundation() async throws {
    #expect(try PlainUser(source: Data(#"{"name": "Ada"}"#.utf8)).name == "Ada")
    #expect(try [PlainUser](source: Data(#"[{"name": "Ada"}]"#.utf8)).count == 1)
    #expect(try await PlainProvider().load("Ada", reporting: LoadEvents()) == "Ada")
    #expect(RetryPolicy.isWorthRetrying(PlainError()))
    #expect(PlainError().retryAfter == nil)
  }

  @Test("So is an array of them")
  func array() throws {
    let users = try [User](source: Data(#"[{"name": "Ada"}, {"name": "Alan"}]"#.utf8))
    #expect(users.map(\.name) == ["Ada", "Alan"])
    #expect(try [User](source: Data("[]".utf8)).isEmpty)
    #expect(complaint(of: [User].self, about: #"[{"name": "Ada"}, {}]"#)?.place == "[1]")
  }

  @Test("A model can have a decoder of its own")
  func decoder() throws {
    let dated = try Dated(source: Data(#"{"day": "2001-01-01T00:00:00Z"}"#.utf8))
    #expect(dated.day == Date(timeIntervalSinceReferenceDate: 0))
  }

  @Test("A model can be built from anything, and throws what it likes")
  func other() throws {
    #expect(try Shout(source: "hey").text == "HEY")
    #expect(throws: MessageError.self) { try Shout(source: "") }
  }

  @Test(
    "Bad data is an error that names the place",
    arguments: [
      (#"{"items": [{"name": "a"}, {"name": 7}]}"#, "items[1].name", "a string"),
      (#"{"items": [{"name": "a"}, {"name": null}]}"#, "items[1].name", "a string"),
      (#"{"items": [{"name": "a"}, {}]}"#, "items[1]", "has no name"),
      (#"{"items": [{"name": "a", "age": "old"}]}"#, "items[0].age", "a whole number"),
      (#"{"items": [{"name": "a", "age": 7}, {"name": "a", "age": 1.5}]}"#, "items[1].age", "1.5"),
      (#"{"items": {"name": "a"}}"#, "items", "an array"),
      (#"{"items": [3]}"#, "items[0]", "an object"),
      ("[]", "", "an object"),
    ])
  func place(json: String, place: String, words: String) throws {
    let error = try #require(complaint(of: Page.self, about: json))
    #expect(error.place == place)
    let named = place.isEmpty ? "The outermost value" : place
    #expect(error.message.hasPrefix("\(named) "))
    #expect(error.message.contains(words), "\(error.message)")
    #expect(error.message.contains("; "), "there is a remedy: \(error.message)")
    #expect(!RetryPolicy.isWorthRetrying(error))
  }

  @Test(
    "A number that does not fit is found, whatever others there are before it",
    arguments: [
      (#"{"small": 128}"#, "small", "Int8"),
      (#"{"small": -129}"#, "small", "Int8"),
      (#"{"small": 100, "big": 1e30}"#, "big", "Int"),
      (#"{"small": 100, "big": 9223372036854775808}"#, "big", "Int"),
      (#"{"small": 100, "positive": -1}"#, "positive", "UInt"),
      (
        #"{"real": 1.5, "big": 123456789012, "more": [{"real": 2.5, "small": 3.5}]}"#,
        "more[0].small", "3.5"
      ),
      (
        #"{"more": [{"big": 1000}, {"big": 2000, "small": 1}, {"big": 1000.5}]}"#,
        "more[2].big", "1000.5"
      ),
    ])
  func unfit(json: String, place: String, words: String) throws {
    struct Numbers: DataModel, Decodable {
      var small: Int8?
      var big: Int?
      var positive: UInt?
      var real: Double?
      var more: [Numbers]?
    }
    let error = try #require(complaint(of: Numbers.self, about: json))
    #expect(error.place == place)
    #expect(error.message.contains(words), "\(error.message)")
  }

  /// Counts that count how often they are decoded, and cancel their task at some time.
  private struct Counts: DataModel, Decodable {
    @TaskLocal static var decodes = Locked(0)
    @TaskLocal static var cancelled = Int.max
    var counts: [String: Int]

    init(from decoder: any Decoder) throws {
      let number = Self.decodes.withLock { count in
        count += 1
        return count
      }
      if number == Self.cancelled { withUnsafeCurrentTask { $0?.cancel() } }
      counts = try decoder.container(keyedBy: CodingKeys.self)
        .decode([String: Int].self, forKey: .counts)
    }

    enum CodingKeys: CodingKey { case counts }

    /// JSON in which one of 800 counts is not whole.
    static var unfit: String {
      let counts = (0..<800).map { "\"k\($0)\": \($0 == 799 ? "1.5" : "1000")" }
      return "{\"counts\": {\(counts.joined(separator: ", "))}}"
    }
  }

  @Test("Among many keys a number that does not fit is found in few decodes")
  func unfitAmongMany() throws {
    let decodes = Locked(0)
    let error = Counts.$decodes.withValue(decodes) {
      complaint(of: Counts.self, about: Counts.unfit)
    }
    #expect(error?.place == "counts.k799")
    #expect(error?.message.contains("a whole number that fits Int (it is 1.5)") == true)
    #expect(decodes.withLock { $0 } <= 13)
  }

  @Test("The search for a number that does not fit ends with its task")
  func cancelledSearch() async throws {
    let decodes = Locked(0)
    let error = await Task {
      Counts.$decodes.withValue(decodes) {
        Counts.$cancelled.withValue(2) { complaint(of: Counts.self, about: Counts.unfit) }
      }
    }.value
    #expect(error?.place == "")
    #expect(error?.message.contains("; ") == true, "there is a remedy")
    #expect(decodes.withLock { $0 } == 2)
  }

  @Test(
    "A number that does not fit is found beside one that only some numbers are right for",
    arguments: [
      #"{"code": 404, "small": 128}"#, #"{"code": 404, "zoom": 1.5}"#,
      #"{"all": [404, 500, 404], "small": 128, "code": 500}"#,
    ])
  func unfitBesideCode(json: String) throws {
    enum Code: Int, Decodable { case missing = 404, broken = 500 }
    struct Answer: DataModel, Decodable {
      var code: Code
      var all: [Code]?
      var small: Int8?
      var zoom: Int?
    }
    let error = try #require(complaint(of: Answer.self, about: json))
    #expect(error.place == (json.contains("zoom") ? "zoom" : "small"), "\(error.message)")
  }

  @Test("A value that its own type refuses is named, too")
  func refused() throws {
    struct Linked: DataModel, Decodable { var links: [URL] }
    let error = try #require(complaint(of: Linked.self, about: #"{"links": ["http://a b^"]}"#))
    #expect(error.place == "links[0]")
  }

  @Test("What is no JSON is said so", arguments: ["", "<html>", #"{"items": ["#])
  func notJSON(text: String) throws {
    let error = try #require(complaint(of: Page.self, about: text))
    guard case .notJSON = error else {
      Issue.record("\(error)")
      return
    }
    #expect(error.message.contains("not JSON"))
    #expect(error.place.isEmpty)
  }

  @Test("The kinds of errors can be told apart")
  func kinds() {
    #expect(
      complaint(of: Page.self, about: #"{"items": [{}]}"#)
        == .missing(key: "name", expected: "a value", place: "items[0]"))
    #expect(
      complaint(of: Page.self, about: #"{"items": null}"#)
        == .null(expected: "an array", place: "items"))
  }
}
