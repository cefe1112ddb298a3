import FieldstoneScreens
import Testing

@Suite("What views of screens say by themselves")
struct ScreenTextsTests {
  @Test(
    "The words are those of the first language that there are words in",
    arguments: [
      (["de-CH", "en"], "de"), (["fr", "DE_AT"], "de"), (["en-GB", "de"], "en"), (["fr"], "en"),
      ([], "en"), (["denim"], "en"),
    ])
  func languages(languages: [String], language: String) {
    #expect(ScreenTexts.matching(languages).language == language)
  }

  @Test("Every word is there in German, and keeps the place of a name")
  func german() {
    let (english, german) = (words(of: .english), words(of: .german))
    #expect(english.count == german.count && english.count > 20)
    // The messages under titles are empty until an app sets them.
    let silent = ["initialMessage", "noResultsMessage"]
    for (name, text) in english where !silent.contains(name) {
      let other = german[name] ?? ""
      #expect(!other.isEmpty, "\(name)")
      #expect(other != text || text == "OK", "\(name)")
      #expect(other.contains("{name}") == text.contains("{name}"), "\(name)")
    }
  }

  @Test("A name takes its place")
  func names() {
    #expect(ScreenTexts.put("Tag 1", into: ScreenTexts.german.removeItem) == "Tag 1 entfernen")
  }

  private func words(of texts: ScreenTexts) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: Mirror(reflecting: texts).children.compactMap { child in
        (child.value as? String).map { (child.label ?? "", $0) }
      })
  }
}
