#if INSPECTOR
  import FieldstoneHTML

  /// The keyboard shortcuts that the script handles.
  struct KeysPage {
    let parts: PageParts

    private var keys: [(String, String)] {
      var keys = [("?", "this page"), ("/", "to the search"), ("g then o", "the overview")]
      if parts.hasRuns {
        keys += [
          ("g then r", "the runs"), ("g then s", "the schedules"), ("g then m", "the limits"),
          ("g then w", "the workers"),
        ]
      }
      if parts.hasObjects {
        keys += [("g then l", "the watched objects"), ("g then t", "the timeline")]
      }
      keys.append(("g then c", "the changes"))
      return keys + [
        ("j and k", "to the next and the previous row"), ("Enter", "opens the row's link"),
        (". (full stop)", "stops and resumes the refreshing of a page"),
      ]
    }

    var page: InspectorPage {
      InspectorPage(
        title: "Keyboard shortcuts",
        head: HTML.element("section", [.class("action")]) {
          HTML.element("h1") { HTML.text("Keyboard shortcuts") }
          HTML.element("dl", [.class("facts")]) {
            for (key, effect) in keys {
              HTML.element("div") {
                HTML.element("dt") { HTML.element("kbd") { HTML.text(key) } }
                HTML.element("dd") { HTML.text(effect) }
              }
            }
          }
          HTML.element("p", [.class("note")]) {
            HTML.text("They need the page's script; everything works without it, too.")
          }
        })
    }
  }
#endif
