import AirfieldDirectory
import FieldstoneHTML

/// The links from a page to the others.
struct PageLinks {
  let query: AirportQuery
  let page: DirectoryPage

  var html: HTML {
    HTML.element("nav", [.class("pages"), HTMLAttribute("aria-label", "Pages of the list")]) {
      step("Previous", rel: "prev", to: page.number - 1)
      HTML.element("ol") {
        for number in numbers { item(number) }
      }
      HTML.paragraph(
        "Page \(GroupedNumber.text(page.number)) of \(GroupedNumber.text(page.last))", "place")
      step("Next", rel: "next", to: page.number + 1)
    }
  }

  /// The first and the last page, and those around this one; nil where some are left out.
  private var numbers: [Int?] {
    let near = max(1, page.number - 1)...min(page.last, page.number + 1)
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
    guard let number else {
      return HTML.element("li", [.class("gap"), HTMLAttribute("aria-hidden", "true")]) {
        HTML.text("…")
      }
    }
    return HTML.element("li") {
      HTML.link(
        GroupedNumber.text(number), to: address(number),
        number == page.number ? [HTMLAttribute("aria-current", "page")] : [])
    }
  }

  private func step(_ label: String, rel: String, to number: Int) -> HTML {
    guard (1...page.last).contains(number) else {
      return HTML.element("span", [.class("step \(rel)"), HTMLAttribute("aria-hidden", "true")]) {
        HTML.text(label)
      }
    }
    return HTML.link(
      label, to: address(number), [.class("step \(rel)"), HTMLAttribute("rel", rel)])
  }

  private func address(_ number: Int) -> PageAddress {
    .directory(query, page: PageNumber(number))
  }
}
