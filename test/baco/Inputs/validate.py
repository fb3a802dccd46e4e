"""validate.py SCHEMA FILE...: says which files aren't what the schema allows, and where."""

import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
for name in sys.argv[2:]:
    with open(name, encoding="utf-8") as file:
        errors = sorted(validator.iter_errors(json.load(file)), key=str)
    print(f"{name}: {'valid' if not errors else 'invalid'}")
    for error in errors:
        print(f"  at {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
