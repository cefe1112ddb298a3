import FieldstoneFields

let name = Field<String>("Name").require(.range(1...20))
