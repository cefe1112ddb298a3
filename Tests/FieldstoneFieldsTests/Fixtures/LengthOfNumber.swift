import FieldstoneFields

let age = Field<Int>("Age").require(.length(...3))
