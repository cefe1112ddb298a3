import AirfieldDirectory

/// What every page has around its content.
struct Layout {
  /// The title of the page, without that of the whole.
  let title: String?

  /// What stands in the search field.
  var search: AirportSearch?

  /// The address under which search engines and bookmarks know the page.
  var canonical: PageAddress?

  func page(_ content: HTML) -> HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title.map { $0 + " – airfield" } ?? "airfield – airports of the world")</title>
    \(canonical.map { "<link rel=\"canonical\" href=\"\($0.text)\">" as HTML })
    <link rel="icon" href="\(PageAddress.asset(.icon).text)" type="image/svg+xml">
    <link rel="stylesheet" href="\(PageAddress.asset(.style).text)">
    </head>
    <body>
    <a class="skip" href="#content">Skip to content</a>
    <header class="top">
    <div class="measure">
    <a class="brand" href="/">\(mark)<span>airfield</span></a>
    <form class="search" role="search" action="/" method="get">
    <label for="q">Search airports</label>
    <div class="field">
    <input id="q" name="q" type="search" value="\(search?.text ?? "")"
    placeholder="Code, name or place" autocomplete="off" spellcheck="false"
    autocapitalize="off" maxlength="100" enterkeyhint="search">
    <button type="submit">Search</button>
    </div>
    </form>
    </div>
    </header>
    <main id="content" class="measure" tabindex="-1">
    \(content)
    </main>
    <footer class="measure">
    <p>Airport data by <a href="https://github.com/mborsetti/airportsdata"
    rel="noreferrer">airportsdata</a>, MIT licence. Not for navigation.</p>
    </footer>
    </body>
    </html>
    """
  }

  private var mark: HTML {
    """
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"
    focusable="false"><rect width="32" height="32" rx="8"/><path d="M9 27 13.5 5h5L23 27z"/>\
    <path class="line" d="M16 8v3m0 3.5v3.5m0 4v4.5"/></svg>
    """
  }
}
