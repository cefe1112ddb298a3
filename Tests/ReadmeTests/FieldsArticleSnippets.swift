import Fieldstone
import Foundation
import Observation
import Testing

private enum FieldsArticle {
  // snippet: fields-person
  final class Person {
    let name = Field<String>("Name")
    let age = Field<Int>("Age")
    let tags = ArrayField(Field<String>("Tag"), name: "Tags")
  }
  // end

  final class Screen {
    private(set) var shown: [Int?] = []
    func show(_ age: Int?) { shown.append(age) }
  }
}

// snippet: fields-not-needed
@Observable final class Player {
  var position = 0.0
  var isPlaying = false
}
// end

@Suite("The articles on fields")
struct FieldsArticleSnippets {
  @Test("Observing")
  func observing() {
    typealias Person = FieldsArticle.Person
    let screen = FieldsArticle.Screen()
    // snippet: fields-observe
    let person = Person()
    person.age.observe(owner: screen) { screen, change in screen.show(change.new) }
    person.age.value = 10
    // end
    #expect(screen.shown == [nil, 10])
  }

  @Test("Batches, transactions and derived fields")
  func together() throws {
    let (latitude, longitude) = (Field<Double>("Latitude"), Field<Double>("Longitude"))
    func format(_ latitude: Double?, _ longitude: Double?) -> String {
      "\(latitude ?? 0), \(longitude ?? 0)"
    }
    // snippet: fields-derived
    let place = DerivedField(latitude, longitude) { format($0, $1) }
    // end
    var heard: [String?] = []
    let registration = place.observe { heard.append($0.new) }
    let rows = [(65.6, -23.5), (200, 0)]
    func apply(_ row: (Double, Double)) throws {
      guard abs(row.0) <= 90 else { throw MessageError("There is no such latitude.") }
      (latitude.value, longitude.value) = row
    }
    #expect(throws: MessageError.self) {
      // snippet: fields-together
      Fields.batch {
        latitude.value = 65.6
        longitude.value = -23.5
      }

      try Fields.transaction {
        for row in rows { try apply(row) }  // all of it, or nothing
      }
      // end
    }
    #expect(heard == ["0.0, 0.0", "65.6, -23.5"])
    withExtendedLifetime(registration) {}
  }
}
