import Testing
import UIKit

@Suite("Stand-ins for Apple's modules")
struct StandInTests {
  @Test("They are what the adapters are compiled against here")
  func found() {
    #expect("\(UIResponder.self)" == "UIResponder")
  }
}
