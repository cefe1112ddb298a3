#if INSPECTOR
  import FieldstoneHTML
  import FieldstoneDurable

  /// A run as texts for copying.
  struct CopyPage {
    let parts: PageParts
    let run: RunRecord
    let text: CopyText

    var page: InspectorPage {
      InspectorPage(
        title: "Copy a run",
        head: HTML.element("section", [.class("action")]) {
          HTML.element("h1") { HTML.text("Copy") }
          HTML.element("p") {
            parts.badge(run.state)
            HTML.text(" ")
            parts.link(run.title(), to: parts.address.run(run.id))
            HTML.text(" of \(run.flow), stage \(run.sequence)")
          }
          block(
            "The stage as JSON",
            text.isRedacted
              ? "As it is in the journal, with dots for redacted members."
              : "Exactly as it is in the journal.", text.json)
          if let fixture = text.fixture {
            block(
              "A sample of StageFixtures", "In a shell, beside the test that checks the samples.",
              fixture)
          }
          block(
            "The command fieldstone", "In a shell; JOURNAL is the journal's file.", text.command)
          block(
            "curl",
            """
            In a shell; FIELDSTONE_COOKIE is the cookie of this page, name=value, as the browser's \
            developer tools show it. With a password, write --user : in its place; curl asks for it.
            """, text.curl)
          parts.link("Back to the run", to: parts.address.run(run.id), class: "button")
        })
    }

    private func block(_ title: String, _ help: String, _ text: String) -> HTML {
      HTML.element("section", [.class("copy")]) {
        HTML.element("h2") { HTML.text(title) }
        HTML.element("p", [.class("note")]) { HTML.text(help) }
        HTML.element(
          "pre", [.class("json"), HTMLAttribute("tabindex", "0"), HTMLAttribute("data-copy", "")]
        ) { HTML.text(text.utf8.count > 262_144 ? "Too large to copy from a page." : text) }
      }
    }
  }
#endif
