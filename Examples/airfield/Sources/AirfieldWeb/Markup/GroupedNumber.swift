/// Whole numbers as people read them: 28,298.
enum GroupedNumber {
  static func text(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return number < 0 ? "−" + text : text
  }
}
