import FieldstoneCore
import FieldstoneScreens
import FieldstoneTesting
import Testing
import UIKit

@Suite("UIKit: colours and hexadecimal digits")
struct UIColorHexTests {
  @Test(
    "Digits make a colour, and a colour its digits",
    arguments: [
      ("#0b5a9e", "#0b5a9e"), ("0B5A9E", "#0b5a9e"), ("#fff", "#ffffff"), ("#0000", "#00000000"),
      ("#0b5a9e80", "#0b5a9e80"),
    ])
  func digits(text: String, digits: String) {
    #expect(UIColor(hex: text)?.hex == digits)
  }

  @Test("What is no colour makes none", arguments: ["", "#", "#12", "#12345", "#gggggg", "red"])
  func none(text: String) {
    #expect(UIColor(hex: text) == nil)
  }

  @Test("Every part comes back as it was")
  func parts() {
    for part in UInt8.min...UInt8.max {
      let color = HexColor(red: part, green: 255 - part, blue: part / 2, alpha: part)
      #expect(UIColor(color).hexColor == color)
    }
  }

  @Test("A colour outside of the space gets the nearest one inside, and a pattern none")
  func outside() {
    #expect(UIColor(red: -0.2, green: 1.3, blue: 0.5, alpha: 1).hex == "#00ff80")
    #expect(UIColor(red: .nan, green: .infinity, blue: 0, alpha: 1).hex == "#00ff00")
    #expect(UIColor(patternImage: UIImage()).hex == nil)
  }
}
