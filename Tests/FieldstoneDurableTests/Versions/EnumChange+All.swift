import Foundation

/// Stages that pay, as they may have been and become.
enum Pays {
  enum Plain: Codable, Equatable { case pay(amount: Int) }
  enum Added: Codable { case pay(amount: Int), refund(amount: Int) }
  enum Renamed: Codable { case charge(amount: Int) }
  enum WithCurrency: Codable, Equatable { case pay(amount: Int, currency: String) }
  enum Defaulted: Codable { case pay(amount: Int, currency: String = "ISK") }
  enum Optional: Codable, Equatable { case pay(amount: Int, note: String?) }
  enum Required: Codable { case pay(amount: Int, note: String) }
  enum Relabelled: Codable { case pay(sum: Int) }
  enum Unlabelled: Codable { case pay(Int) }
  enum Text: Codable { case pay(amount: String) }
  enum Fraction: Codable, Equatable { case pay(amount: Double) }
  enum Small: Codable { case pay(amount: Int8) }
  struct Values: Codable { var amount = 3 }
  enum Wrapped: Codable { case pay(Values) }
}

/// Stages that move, with two values of one type.
enum Moves {
  enum Labelled: Codable { case move(x: Int, y: Int) }
  enum Swapped: Codable, Equatable { case move(y: Int, x: Int) }
  enum Unlabelled: Codable { case move(Int, Int) }
  /// What was y comes first.
  enum UnlabelledSwapped: Codable, Equatable { case move(Int, Int) }
}

/// Stages that hold other types.
enum Holds {
  enum Plan: String, Codable { case weekly, monthly }
  enum FewerPlans: String, Codable { case weekly }
  enum RawPlan: String, Codable { case weekly = "w", monthly = "m" }
  enum Method: Codable { case card(number: Int), cash }
  enum OtherMethod: Codable { case creditCard(number: Int), cash }
  struct Address: Codable { var street = "Aðalgata" }
  struct FullAddress: Codable { var street = "Aðalgata", country = "IS" }
  enum Stage<Value: Codable>: Codable { case hold(Value) }
  enum Bare: String, Codable { case hold }
  enum Key: String, Codable, Hashable { case home }
  enum Keyed: String, Codable, Hashable, CodingKeyRepresentable { case home }
}

extension EnumChange {
  /// All rows of the table in the article, in its order.
  static let all = [
    EnumChange("a case is added", [Pays.Plain.pay(amount: 3)], [Pays.Added.refund(amount: 3)]),
    EnumChange("a case is removed", [Pays.Added.refund(amount: 3)], [Pays.Plain.pay(amount: 3)]),
    EnumChange(
      "a case is renamed", [Pays.Plain.pay(amount: 3)], [Pays.Renamed.charge(amount: 3)]),
    EnumChange(
      "the order of the cases changes, or the name of the type",
      [Holds.Method.card(number: 3), .cash], [OtherOrder.cash, .card(number: 3)]),
    EnumChange(
      "a value is added to a case", [Pays.Plain.pay(amount: 3)],
      [Pays.WithCurrency.pay(amount: 3, currency: "ISK")]),
    EnumChange(
      "a value with a default is added", [Pays.Plain.pay(amount: 3)],
      [Pays.Defaulted.pay(amount: 3)]),
    EnumChange(
      "an optional value is added", [Pays.Plain.pay(amount: 3)],
      [Pays.Optional.pay(amount: 3, note: nil), .pay(amount: 3, note: "soon")]),
    EnumChange(
      "a value is removed", [Pays.WithCurrency.pay(amount: 3, currency: "ISK")],
      [Pays.Plain.pay(amount: 3)]),
    EnumChange(
      "an optional value becomes required",
      [Pays.Optional.pay(amount: 3, note: nil), .pay(amount: 3, note: "soon")],
      [Pays.Required.pay(amount: 3, note: "soon")]),
    EnumChange(
      "a required value becomes optional", [Pays.Required.pay(amount: 3, note: "soon")],
      [Pays.Optional.pay(amount: 3, note: nil), .pay(amount: 3, note: "soon")]),
    EnumChange(
      "a label is renamed", [Pays.Plain.pay(amount: 3)], [Pays.Relabelled.pay(sum: 3)]),
    EnumChange(
      "a label is added or removed", [Pays.Unlabelled.pay(3)], [Pays.Plain.pay(amount: 3)]),
    EnumChange(
      "values with labels change places", [Moves.Labelled.move(x: 1, y: 2)],
      [Moves.Swapped.move(y: 2, x: 1)]),
    EnumChange(
      "values without labels change places", [Moves.Unlabelled.move(1, 2)],
      [Moves.UnlabelledSwapped.move(2, 1)]),
    EnumChange(
      "a type changes: a number becomes a text", [Pays.Plain.pay(amount: 3)],
      [Pays.Text.pay(amount: "3")]),
    EnumChange(
      "a type is widened: Int to Double", [Pays.Plain.pay(amount: 3)],
      [Pays.Fraction.pay(amount: 3.5)]),
    EnumChange(
      "a type is narrowed: Int to Int8", [Pays.Plain.pay(amount: 300)], [Pays.Small.pay(amount: 3)]),
    EnumChange(
      "values are put together in a struct", [Pays.Plain.pay(amount: 3)],
      [Pays.Wrapped.pay(Pays.Values())]),
    EnumChange(
      "a property is added to a struct in it, with or without a default",
      [Holds.Stage.hold(Holds.Address())], [Holds.Stage.hold(Holds.FullAddress())]),
    EnumChange(
      "an enum in it loses a case", [Holds.Stage.hold(Holds.Plan.monthly)],
      [Holds.Stage.hold(Holds.FewerPlans.weekly)]),
    EnumChange(
      "an enum in it has a case renamed", [Holds.Stage.hold(Holds.Method.card(number: 3))],
      [Holds.Stage.hold(Holds.OtherMethod.creditCard(number: 3))]),
    EnumChange(
      "raw values change", [Holds.Stage.hold(Holds.Plan.weekly)],
      [Holds.Stage.hold(Holds.RawPlan.weekly)]),
    EnumChange(
      "an enum with raw values gets values in its cases", [Holds.Bare.hold],
      [Holds.Stage.hold(3)]),
    EnumChange(
      "an array becomes a set, or the other way", [Holds.Stage.hold(["a", "b"])],
      [Holds.Stage.hold(Set(["a", "b"]))]),
    EnumChange(
      "the keys of a dictionary become an enum", [Holds.Stage.hold(["home": 3])],
      [Holds.Stage.hold([Holds.Key.home: 3])]),
    EnumChange(
      "they become a CodingKeyRepresentable enum", [Holds.Stage.hold(["home": 3])],
      [Holds.Stage.hold([Holds.Keyed.home: 3])]),
  ]

  private enum OtherOrder: Codable { case cash, card(number: Int) }
}
