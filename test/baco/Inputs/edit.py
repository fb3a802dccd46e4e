# Edits a database:
#
#   edit.py DATABASE STATEMENT...
#
# A statement may be @FILE, where lit would take its words for programs.

import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
for statement in sys.argv[2:]:
    if statement.startswith("@"):
        with open(statement[1:]) as file:
            statement = file.read()
    database.execute(statement)
database.commit()
