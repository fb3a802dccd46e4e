# Makes the spaces of a database as they were before they had extents.

import re
import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
for key, space in database.execute("SELECT key, space FROM studies").fetchall():
    old, count = re.subn(r'\n *"extent": [0-9]+,?', "", space)
    assert count == 1
    old = re.sub(r",(\s*})", r"\1", old)
    database.execute("UPDATE studies SET space = ? WHERE key = ?", (old, key))
database.commit()
