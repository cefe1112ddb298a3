import FieldstonePostgres

print("Built without libpq.")
