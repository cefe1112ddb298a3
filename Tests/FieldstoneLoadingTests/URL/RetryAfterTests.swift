import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

@Suite("Headers of an answer")
struct ResponseHeadersTests {
  @Test("They are found whatever their case")
  func lookup() {
    let headers: ResponseHeaders = ["Content-Type": "text/html", "X-One": "1"]
    #expect(headers["content-type"] == "text/html")
    #expect(headers["CONTENT-TYPE"] == "text/html")
    #expect(headers["missing"] == nil)
    #expect(headers.all.map(\.name) == ["Content-Type", "X-One"])
  }

  @Test("A name that comes twice has both values, and case makes no difference")
  func twice() {
    let headers = ResponseHeaders([("Vary", "a"), ("vary", "b")])
    #expect(headers["Vary"] == "a, b")
    #expect(headers == ["VARY": "a, b"])
    #expect(Set([headers, ["VARY": "a, b"]]).count == 1)
    #expect(headers != ["VARY": "a"])
  }
}
