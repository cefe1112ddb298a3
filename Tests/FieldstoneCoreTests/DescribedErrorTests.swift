import FieldstoneCore
import Foundation
import Testing

@Suite("Errors with a message")
struct DescribedErrorTests {
  enum ParseError: DescribedError {
    case notJSON
    case nested(any Error)

    var message: String {
      switch self {
      case .notJSON: "The file holds no JSON; export it again."
      case .nested: "The file could not be read; look at the cause."
      }
    }

    var underlyingErrors: [any Error] {
      if case .nested(let error) = self { [error, MessageError("another")] } else { [] }
    }
  }

  @Test("A string alone makes one")
  func stringAlone() {
    let error: any Error = MessageError("Invalid email and password.")
    #expect(error.localizedDescription == "Invalid email and password.")
    #expect((error as NSError).localizedDescription == "Invalid email and password.")
    #expect("\(error)" == "Invalid email and password.")
  }

  @Test("An enum that gives a message is read everywhere, also as NSError")
  func enumWithMessage() {
    let error: any Error = ParseError.notJSON
    #expect(error.localizedDescription == "The file holds no JSON; export it again.")
    let converted = error as NSError
    #expect(converted.localizedDescription == "The file holds no JSON; export it again.")
    #expect(converted.domain.hasSuffix("ParseError"))
    #expect(converted.code == 1)
  }

  @Test("Underlying errors are kept, the first one where Foundation looks for it")
  func underlying() {
    let converted = ParseError.nested(MessageError("cause")) as NSError
    let cause = converted.userInfo[NSUnderlyingErrorKey] as? any Error
    #expect(cause?.localizedDescription == "cause")
    let all = converted.userInfo["NSMultipleUnderlyingErrorsKey"] as? [any Error]
    #expect(all?.count == 2)
    let single = MessageError("outer", underlying: MessageError("inner")) as NSError
    #expect((single.userInfo[NSUnderlyingErrorKey] as? any Error)?.localizedDescription == "inner")
    #expect(single.userInfo["NSMultipleUnderlyingErrorsKey"] == nil)
  }
}
