// snippet: first-settings
import Foundation

struct Settings: Codable {
  static let file = URL(filePath: "settings.json")  // in the current folder

  var launches = 0
}
// end
