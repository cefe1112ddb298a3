import FieldstoneFields

let a = Field<Int>()
let text = DerivedField(a) { a, b in "x" }
