"""Linalg ops of all kinds, types and layouts, as functions on plain memrefs.

Each kernel is (name, MLIR text). The layout of an operand is made by a view of
a plain argument: functions with other arguments can't be run by the tuner.
"""

FLOATS = {"f16", "bf16", "f32", "f64"}
# The elements of both inputs and of the output.
TYPES = [(t, t, t) for t in ("f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64")]
MIXED = [("bf16", "bf16", "f32"), ("f16", "f16", "f32"), ("bf16", "f32", "f32"),
         ("f32", "f32", "f64"), ("bf16", "bf16", "f64"), ("i8", "i8", "i32"),
         ("i16", "i16", "i64"), ("f16", "f16", "f64")]
LAYOUTS = ["plain", "rows", "columns", "transposed"]


def dims(shape):
    return "".join(f"{extent}x" for extent in shape)


def pitches(shape):
    result = [1]
    for extent in reversed(shape[1:]):
        result.insert(0, result[0] * extent)
    return result


class Function:
    """Collects the arguments and the body of a function."""

    def __init__(self):
        self.arguments, self.body = [], []

    def operand(self, shape, element, layout="plain"):
        """A memref of `shape`: its name and its type."""
        name = f"%a{len(self.arguments)}"
        whole = list(shape)
        layout = layout if shape else "plain"
        if layout == "rows" and len(shape) > 1:
            whole[-1] += 3
        if layout == "columns":
            whole[-1] *= 2
        if layout == "transposed":
            whole.reverse()
        plain = f"memref<{dims(whole)}{element}>"
        self.arguments.append(f"{name}: {plain}")
        if whole == list(shape) and layout != "transposed":
            return name, plain
        if layout == "transposed":
            strides = pitches(whole)[::-1]
        else:
            strides = pitches(whole)
            strides[-1] *= 2 if layout == "columns" else 1
        steps = ", ".join(map(str, strides))
        type = f"memref<{dims(shape)}{element}, strided<[{steps}]>>"
        if layout == "transposed":
            # memref.transpose gives the type a map; a cast, these strides.
            self.body.append(
                f"{name}v = memref.reinterpret_cast {name} to offset: [0], sizes: "
                f"{list(shape)}, strides: [{steps}] : {plain} to {type}")
        else:
            ones = [1] * len(shape)
            by = ones[:-1] + [2 if layout == "columns" else 1]
            self.body.append(
                f"{name}v = memref.subview {name}{[0] * len(shape)} "
                f"{list(shape)} {by} : {plain} to {type}")
        return name + "v", type

    def structured(self, op, inputs, output):
        names, types = zip(*inputs)
        self.body.append(
            f"{op} ins({', '.join(names)} : {', '.join(types)}) "
            f"outs({output[0]} : {output[1]})")

    def text(self, name="kernel"):
        lines = "".join(f"  {line}\n" for line in self.body)
        return (f"func.func @{name}({', '.join(self.arguments)}) {{\n{lines}"
                "  return\n}\n")


def named(op, shapes, types, layouts):
    """A named op on operands of these shapes, the output last."""
    function = Function()
    operands = [function.operand(*operand)
                for operand in zip(shapes, types, layouts)]
    function.structured(op, operands[:-1], operands[-1])
    return function.text()


PRODUCTS = {
    "matmul": ("linalg.matmul", [(57, 83), (83, 59), (57, 59)]),
    "matmul-large": ("linalg.matmul", [(127, 211), (211, 95), (127, 95)]),
    "matvec": ("linalg.matvec", [(157, 211), (211,), (157,)]),
    "vecmat": ("linalg.vecmat", [(157,), (157, 211), (211,)]),
    "dot": ("linalg.dot", [(3001,), (3001,), ()]),
    "batch-matmul": ("linalg.batch_matmul",
                     [(5, 17, 31), (5, 31, 23), (5, 17, 23)]),
    "conv-2d": ("linalg.conv_2d_nhwc_hwcf",
                [(1, 15, 17, 13), (3, 3, 13, 19), (1, 13, 15, 19)]),
    "conv-2d-nchw": ("linalg.conv_2d_nchw_fchw",
                     [(1, 13, 15, 17), (19, 13, 3, 3), (1, 19, 13, 15)]),
    "conv-2d-strided": ("linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}",
                        [(1, 27, 31, 13), (3, 3, 13, 19), (1, 13, 15, 19)]),
    "conv-1d": ("linalg.conv_1d", [(1027,), (7,), (1021,)]),
    "depthwise": ("linalg.depthwise_conv_2d_nhwc_hwc",
                  [(1, 15, 17, 37), (3, 3, 37), (1, 13, 15, 37)]),
}
POOLS = {
    "pool-max": "linalg.pooling_nhwc_max",
    "pool-min": "linalg.pooling_nhwc_min",
    "pool-sum": "linalg.pooling_nhwc_sum",
    "pool-max-unsigned": "linalg.pooling_nhwc_max_unsigned",
    "pool-nchw-max": "linalg.pooling_nchw_max",
}
ELEMENTWISE = {"add": "linalg.add", "mul": "linalg.mul", "max": "linalg.max"}


def products(types, layouts):
    for kind, (op, shapes) in PRODUCTS.items():
        if "nchw" in kind and "bf16" in types and "f64" in types:
            continue
        yield kind, named(op, shapes, types, layouts)


def pools(element, layout):
    for kind, op in POOLS.items():
        if "unsigned" in kind and element in FLOATS:
            continue
        shapes = [(1, 19, 21, 13), (3, 3), (1, 17, 19, 13)]
        if "nchw" in kind:
            shapes = [(1, 13, 19, 21), (3, 3), (1, 13, 17, 19)]
        yield kind, named(op, shapes, [element] * 3, [layout, "plain", layout])


def generic(maps, iterators, shapes, element, layouts, body):
    """`body` has the lines that compute %r of %x (and %y), and %o."""
    function = Function()
    operands = [function.operand(shape, element, layout)
                for shape, layout in zip(shapes, layouts)]
    names = ["%x", "%y"][:len(shapes) - 1] + ["%o"]
    arguments = ", ".join(f"{name}: {element}" for name in names)
    maps = ", ".join(f"affine_map<{m}>" for m in maps)
    kinds = ", ".join(f'"{kind}"' for kind in iterators)
    inputs, outputs = operands[:-1], operands[-1]
    names, types = zip(*inputs)
    function.body.append(
        f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
        f"ins({', '.join(names)} : {', '.join(types)}) "
        f"outs({outputs[0]} : {outputs[1]}) {{ ^bb0({arguments}): "
        f"{body} linalg.yield %r : {element} }}")
    return function.text()


def arithmetic(element):
    """The names of addition, product and maximum."""
    if element in FLOATS:
        return "arith.addf", "arith.mulf", "arith.maximumf"
    return "arith.addi", "arith.muli", "arith.maxsi"


def generics(element, layout):
    add, mul, most = arithmetic(element)
    rows, columns, both = "(i, j) -> (i)", "(i, j) -> (j)", "(i, j) -> (i, j)"
    p, r = "parallel", "reduction"
    shape, two = (83, 59), [layout, "plain"]
    for op, name in ((add, "sum"), (most, "max")):
        body = f"%r = {op} %o, %x : {element}"
        yield f"{name}-rows", generic([both, rows], [p, r], [shape, (83,)],
                                      element, two, body)
        yield f"{name}-columns", generic([both, columns], [r, p],
                                         [shape, (59,)], element, two, body)
        yield f"{name}-all", generic([both, "(i, j) -> ()"], [r, r],
                                     [shape, ()], element, two, body)
    yield "transpose", generic(
        ["(i, j) -> (j, i)", both], [p, p], [(59, 83), shape], element,
        [layout] * 2, f"%r = {add} %x, %x : {element}")
    yield "broadcast", generic(
        [both, rows, both], [p, p], [shape, (83,), shape], element,
        [layout, "plain", layout], f"%r = {mul} %x, %y : {element}")
    yield "broadcast-sum", generic(
        [rows, columns, "(i, j) -> ()"], [r, r], [(83,), (59,), ()], element,
        ["plain"] * 3,
        f"%m = {mul} %x, %y : {element} %r = {add} %o, %m : {element}")
    if element in FLOATS:
        yield "exp", generic(
            [both, both], [p, p], [shape, shape], element, [layout] * 2,
            f"%r = math.exp %x : {element}")


def elementwise(types, layout):
    for kind, op in ELEMENTWISE.items():
        yield kind, named(op, [(83, 59)] * 3, types, [layout] * 3)


def kernels():
    """All of them, as (name, text)."""
    for types in TYPES + MIXED:
        # A layout for one operand at a time; all of them for plain products.
        for changed in [None, 0, 1, 2]:
            for layout in LAYOUTS[1:] if changed is not None else ["plain"]:
                if types in MIXED and layout == "rows":
                    continue
                layouts = ["plain"] * 3
                if changed is not None:
                    layouts[changed] = layout
                suffix = "-".join(types) + (
                    "" if changed is None else f"-{layout}{changed}")
                for kind, text in products(types, layouts):
                    yield f"{kind}-{suffix}", text
    for element, _, _ in TYPES:
        for layout in LAYOUTS:
            suffix = f"{element}-{layout}"
            for kind, text in pools(element, layout):
                yield f"{kind}-{suffix}", text
            for kind, text in generics(element, layout):
                yield f"{kind}-{suffix}", text
            for kind, text in elementwise([element] * 3, layout):
                yield f"{kind}-{suffix}", text
