# Puts the lists of a recipe on one line, as tests of single steps want them.
s/\[\n *#baco\./[#baco./g
s/,\n *#baco\./, #baco./g
s/,\n *where = \[/, where = [/g
s/\[\n *\(advisory \)\?"/[\1"/g
s/,\n *\(advisory \)\?"/, \1"/g
