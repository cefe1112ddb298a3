import FieldstoneFields

let name = Field<String>()
let age = Field<Int>()
name --> age
