import FieldstoneFields

let (a, b) = (Field<Int>(), Field<String>())
let both = DerivedField(a, b) { a, b in (a, b) }
