import FieldstoneFields

let (a, b) = (Field<Int>(), Field<String>())
let text = DerivedField(a, b) { a in "x" }
