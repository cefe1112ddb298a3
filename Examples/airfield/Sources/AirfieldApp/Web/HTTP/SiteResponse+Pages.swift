import FieldstoneHTML
import FieldstoneServing

extension SiteResponse {
  init(status: Int = 200, page: HTML, headers: [String: String] = [:]) {
    self.init(status: status, html: page.markup, headers: headers)
  }

  static func see(_ address: PageAddress) -> SiteResponse {
    .redirect(to: address.text)
  }

  /// That there is nothing more to say.
  static let done = SiteResponse(status: 204, text: "")
}

extension FormValues {
  /// Those of the values of an address that there are.
  static func given(_ values: [(name: String, value: String?)]) -> [(String, String)] {
    values.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The values by name; of a name that comes twice, the first.
  var byName: [String: String] {
    Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
  }
}
