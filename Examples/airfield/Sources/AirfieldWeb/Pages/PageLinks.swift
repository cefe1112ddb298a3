import AirfieldDirectory

/// The links from a page to the others.
struct PageLinks {
  let search: AirportSearch?
  let page: DirectoryPage

  var html: HTML {
    """
    <nav class="pages" aria-label="Pages">
    \(step("Previous", rel: "prev", to: page.number - 1))
    <ol>
    \(numbers.map(item))
    </ol>
    <p class="place">Page \(GroupedNumber.text(page.number)) of \(GroupedNumber.text(page.last))</p>
    \(step("Next", rel: "next", to: page.number + 1))
    </nav>
    """
  }

  /// The first and the last page, and those around this one; nil where some are left out.
  private var numbers: [Int?] {
    let near = max(1, page.number - 2)...min(page.last, page.number + 2)
    let wanted = Set([1, page.last] + near).sorted()
    var numbers: [Int?] = []
    for number in wanted {
      if case let before?? = numbers.last, number > before + 1 {
        // A gap of one page is no wider than the page's own number.
        numbers.append(number == before + 2 ? before + 1 : nil)
      }
      numbers.append(number)
    }
    return numbers
  }

  private func item(_ number: Int?) -> HTML {
    guard let number else { return "<li class=\"gap\" aria-hidden=\"true\">…</li>\n" }
    let text = GroupedNumber.text(number)
    if number == page.number {
      return "<li><a href=\"\(address(number))\" aria-current=\"page\">\(text)</a></li>\n"
    }
    return "<li><a href=\"\(address(number))\">\(text)</a></li>\n"
  }

  private func step(_ label: String, rel: String, to number: Int) -> HTML {
    guard (1...page.last).contains(number) else {
      return "<span class=\"step \(rel)\" aria-hidden=\"true\">\(label)</span>"
    }
    return "<a class=\"step \(rel)\" rel=\"\(rel)\" href=\"\(address(number))\">\(label)</a>"
  }

  private func address(_ number: Int) -> String {
    PageAddress.directory(search: search, page: PageNumber(number)).text
  }
}
