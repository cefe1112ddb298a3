#if INSPECTOR
  import FieldstoneInspector
  import FieldstoneServing
  import Testing

  @Suite("The script and the style of the pages")
  struct AssetTests {
    private let desk = InspectedJournal()

    @Test("The script has at most 30 KB")
    func size() async {
      let script = await desk.get("/inspector.js").body
      #expect(!script.isEmpty && script.count <= 30_720)
    }

    @Test("Nothing on a page moves by itself, so nobody has to ask for less motion")
    func motion() async {
      let style = await desk.get("/inspector.css").text
      #expect(style.contains(":root {"))
      for property in ["transition", "animation", "@keyframes", "scroll-behavior"] {
        #expect(!style.contains(property), "the style has \(property)")
      }
      let script = await desk.get("/inspector.js").text
      for call in [".animate(", "requestAnimationFrame", "smooth", "scrollIntoView"] {
        #expect(!script.contains(call), "the script has \(call)")
      }
      let id = try? await desk.start()
      let page = await desk.get("/runs/\(id.map { "\($0)" } ?? "")").text
      #expect(page.contains("<h1>") && !page.contains("<marquee") && !page.contains("<animate"))
    }

    @Test("Nothing is loaded from elsewhere")
    func origin() async {
      for file in ["/inspector.css", "/inspector.js", "/icon.svg"] {
        let text = await desk.get(file).text.replacing("http://www.w3.org/2000/svg", with: "")
        #expect(!text.contains("://") && !text.contains("@import") && !text.contains("url("))
      }
    }
  }
#endif
