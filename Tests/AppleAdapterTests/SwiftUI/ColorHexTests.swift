import FieldstoneCore
import FieldstoneScreens
import SwiftUI
import Testing

@Suite("Colours of SwiftUI and their hexadecimal digits")
struct ColorHexTests {
  @Test(
    "Digits make a colour, and it makes the digits",
    arguments: [
      ("#0b5a9e", "#0b5a9e"), ("fff", "#ffffff"), ("#0008", "#00000088"),
      ("#01020304", "#01020304"),
    ])
  func both(text: String, digits: String) throws {
    let color = try #require(Color(hex: text))
    #expect(color.hex(in: EnvironmentValues()).description == digits)
  }

  @Test("All 256 values of each part come back")
  func exact() {
    for value in UInt8.min...UInt8.max {
      let hex = HexColor(red: value, green: 255 - value, blue: value, alpha: 255 - value)
      #expect(Color(hex).hex(in: EnvironmentValues()) == hex)
    }
  }

  @Test("What are no digits make no colour", arguments: ["", "#", "12345", "#gggggg", "red"])
  func none(text: String) {
    #expect(Color(hex: text) == nil)
  }

  @Test("A colour is what it is in its environment")
  func environment() {
    var environment = EnvironmentValues()
    #expect(Color.primary.hex(in: environment).description == "#000000")
    environment.colorScheme = .dark
    #expect(Color.primary.hex(in: environment).description == "#ffffff")
  }

  @Test("What lies outside of sRGB, and no number at all, becomes the nearest")
  func bounds() {
    let wide = Color.Resolved(red: 1.2, green: -0.3, blue: .nan, opacity: .infinity)
    #expect(HexColor(wide).description == "#ff0000")
    // The nearest, and not the next one below.
    #expect(HexColor(Color.Resolved(red: 0.5, green: 0.999, blue: 0.0019)).description == "#80ff00")
  }
}
