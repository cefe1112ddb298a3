#if INSPECTOR
  import FieldstoneCore
  import FieldstoneFields
  import FieldstoneForms
  import FieldstoneInspector
  import FieldstoneServing
  import FieldstoneLoading
  import FieldstoneTesting
  import Foundation

  /// The inspector of a process without a journal, and a person who looks at it in a browser.
  final class LiveDesk: Sendable {
    let time = ManualTime(now: Date(timeIntervalSince1970: 1_795_000_000))
    let inspector: Inspector

    init(_ change: (inout InspectorOptions) -> Void = { _ in }) {
      var options = InspectorOptions.open
      change(&options)
      inspector = Inspector(name: "airfield", options: options, time: time.source)
    }

    func get(_ target: String) async -> SiteResponse {
      await inspector.response(
        to: SiteRequest(target: target, headers: ["Host": "localhost:8471"]))
    }

    /// Posts a form of a page, with the secret that the page has.
    func post(
      _ target: String, _ values: [(String, String)] = [], from page: String = "/watched/1"
    ) async -> SiteResponse {
      let form = InspectedJournal.hidden(in: await get(page).text).prefix(1)
      let body = (values + form).map { "\($0)=\($1)" }.joined(separator: "&")
      return await inspector.response(
        to: SiteRequest(
          method: "POST", target: target,
          headers: [
            "Host": "localhost:8471", "Origin": "http://localhost:8471",
            "Content-Type": "application/x-www-form-urlencoded",
          ], body: Array(body.utf8)))
    }

    /// Waits until a page has a text: events of observation come with the main actor's next jobs.
    @MainActor
    func page(_ target: String, with text: String) async -> String {
      for _ in 0..<1_000 {
        let page = await get(target).text
        if page.contains(text) { return page }
        await Task.yield()
      }
      return await get(target).text
    }
  }

  /// A value with parts that are not for everyone.
  struct Account: Codable, Sendable, Hashable, Identifiable {
    var id: Int
    var name: String
    var accessToken = "t0p"
  }

  /// Fails, once.
  struct Refused: DescribedError {
    var message = "The server refused <it>."
  }
#endif
