import FieldstoneFields

let a = Field<Int>()
let none = DerivedField(a) { a in print(a ?? 0) }
