import AirfieldDirectory

/// The page that lists airports.
struct DirectoryView {
  let search: AirportSearch?
  let asked: PageNumber
  let page: DirectoryPage
  let countryName: @Sendable (String) -> String

  var html: HTML {
    Layout(
      title: title, search: search,
      canonical: .directory(search: search, page: PageNumber(page.number))
    ).page(
      """
      <div class="heading">
      <h1>\(search == nil ? "Airports of the world" : "Search results")</h1>
      <p class="count">\(count)</p>
      </div>
      \(note)
      \(page.airports.isEmpty ? emptiness : table)
      \(page.last > 1 ? PageLinks(search: search, page: page).html : nil)
      """)
  }

  private var title: String? {
    let part = page.number > 1 ? "page \(page.number)" : nil
    guard let search else { return part.map { "Airports, " + $0 } }
    return "“\(search.text)”" + (part.map { ", " + $0 } ?? "")
  }

  private var count: HTML {
    let number = GroupedNumber.text(page.total)
    let noun = page.total == 1 ? "airport" : "airports"
    guard let search else { return "\(number) \(noun), by name" }
    return "\(number) \(noun) for “<bdi>\(search.text)</bdi>” · <a href=\"/\">Show all</a>"
  }

  /// Says so where the page shown is not the one that the address asks for.
  private var note: HTML? {
    if let malformed = asked.malformed {
      let shown = String(malformed.prefix(20))
      return
        "<p class=\"note\" role=\"status\">“<bdi>\(shown)</bdi>” is no page. This is the first.</p>"
    }
    guard asked.number > page.last else { return nil }
    let number = GroupedNumber.text(asked.number)
    return "<p class=\"note\" role=\"status\">There is no page \(number). This is the last.</p>"
  }

  private var emptiness: HTML {
    if search == nil {
      return """
        <div class="empty">
        <p>There are no airports yet.</p>
        <p>Import some with <code>airfield import FILE --database PATH</code>.</p>
        </div>
        """
    }
    return """
      <div class="empty">
      <p>No airport matches.</p>
      <p>Each word must begin a word of the code, name, city or country. Try fewer or shorter
      words.</p>
      </div>
      """
  }

  // The roles say again what the elements are, because the style sheet shows rows as cards on
  // narrow screens, and browsers then forget that they are a table.
  private var table: HTML {
    """
    <table role="table">
    <caption class="unseen">Airports, page \(page.number) of \(page.last)</caption>
    <thead role="rowgroup">
    <tr role="row">
    <th scope="col" role="columnheader">Airport</th>
    <th scope="col" role="columnheader">City</th>
    <th scope="col" role="columnheader">Country</th>
    <th scope="col" role="columnheader" class="code"><abbr title="Code of the \
    International Civil Aviation Organization">ICAO</abbr></th>
    <th scope="col" role="columnheader" class="code"><abbr title="Code of the \
    International Air Transport Association">IATA</abbr></th>
    </tr>
    </thead>
    <tbody role="rowgroup">
    \(page.airports.map(row))
    </tbody>
    </table>
    """
  }

  private func row(_ airport: Airport) -> HTML {
    """
    <tr role="row">
    <th scope="row" role="rowheader" class="name"><a \
    href="\(PageAddress.airport(icao: airport.icao).text)"><bdi>\(airport.name)</bdi></a></th>
    <td role="cell" class="city">\(airport.city.map { "<bdi>\($0)</bdi>" as HTML })</td>
    <td role="cell" class="country"><bdi>\(countryName(airport.country))</bdi></td>
    <td role="cell" class="code icao">\(airport.icao)</td>
    <td role="cell" class="code iata">\(airport.iata ?? "")</td>
    </tr>

    """
  }
}
