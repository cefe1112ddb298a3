import Fieldstone
import Harness

/// A text that keeps five rules: not nil, not blank, a length, one of some, and a closure.
let validateValid = Group("validate-valid", floor: "five ifs by hand") {
  Case("five ifs by hand", operations: count) {
    CheckedText(zones[6], known: zones)
  } _: { text in
    blackHole(valid { text.validate() })
  }
  Case("fieldstone Field.validate()", operations: count, goals: [.atMost(1.15)]) {
    CheckedText.field(zones[6], known: zones)
  } _: { field in
    blackHole(valid { field.validate() })
  }
}

/// A number that keeps five rules: not nil, a range, two bounds and a closure.
let validateInt = Group("validate-int", floor: "five ifs by hand") {
  Case("five ifs by hand", operations: count) {
    CheckedNumber(1_410)
  } _: { number in
    blackHole(valid { number.validate() })
  }
  Case("fieldstone Field.validate()", operations: count, goals: [.atMost(2.5)]) {
    CheckedNumber.field(1_410)
  } _: { field in
    blackHole(valid { field.validate() })
  }
}

private let count = 1_000_000

/// Names of time zones, as a form offers them.
private let zones = [
  "Europe/Athens", "Europe/Berlin", "Europe/Dublin", "Europe/Lisbon", "Europe/London",
  "Europe/Madrid", "Europe/Vienna", "Europe/Warsaw", "Asia/Tokyo", "Asia/Kolkata", "Asia/Dubai",
  "America/New_York", "America/Chicago", "America/Denver", "Africa/Cairo", "Australia/Sydney",
]

/// How many of the answers are that all is well.
@inline(__always)
private func valid(_ validate: () -> ValidationState) -> Int {
  var total = 0
  for _ in 0..<count where validate().isValid { total &+= 1 }
  return total
}
