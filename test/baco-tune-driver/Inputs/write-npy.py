# write-npy.py FILE TYPE SHAPE ELEMENTS: writes ELEMENTS, a Python expression, as
# an array of NumPy's TYPE, such as <i4, and SHAPE, such as 2x3.

import struct
import sys

name, type_, shape, elements = sys.argv[1:]
code = {"f2": "e", "f4": "f", "f8": "d", "b1": "?", "i1": "b", "i2": "h",
        "i4": "i", "i8": "q", "c8": "f"}[type_[1:]]
extents = "".join(extent + "," for extent in shape.split("x"))
header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (
    type_, extents)
header += " " * (-(len(header) + 11) % 64) + "\n"
order = ">" if type_[0] == ">" else "<"
values = eval(elements)
with open(name, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
    file.write(header.encode())
    file.write(struct.pack("%s%d%s" % (order, len(values), code), *values))
