import FieldstoneFields

struct Place { var x = 0 }
let a = Field<Int>()
let place = DerivedField(a) { a in Place(x: a ?? 0) }
