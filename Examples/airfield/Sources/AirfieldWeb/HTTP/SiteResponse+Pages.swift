import FieldstoneHTML
import FieldstoneServing

extension SiteResponse {
  init(status: Int = 200, page: HTML, headers: [String: String] = [:]) {
    self.init(status: status, html: page.markup, headers: headers)
  }

  /// Sends the browser on to a page, with GET.
  static func see(_ address: PageAddress) -> SiteResponse {
    .redirect(to: address.text)
  }

  /// That there is nothing more to say.
  static let done = SiteResponse(status: 204, text: "")
}

extension FormValues {
  /// The values by name; of a name that comes twice, the first.
  var byName: [String: String] {
    Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
  }
}
