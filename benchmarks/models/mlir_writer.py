"""Writes a network as a module of linalg operations on tensors, with one
function @kernel."""

import math

import quantized_mlir

# Weights of more elements are written as resources.
MOST_INLINE = 64

# Bodies of element-wise operations: a result, an operation and its operands in
# each line, of which numbers are constants, and the last result counts.
BODIES = {
    "add": ["r arith.addf a b"],
    "subtract": ["r arith.subf a b"],
    "divide": ["r arith.divf a b"],
    "square": ["d arith.subf a b", "r arith.mulf d d"],
    "exponential": ["d arith.subf a b", "r math.exp d"],
    "maximum": ["r arith.maximumf a b"],
    "relu": ["r arith.maximumf a 0"],
    "relu6": ["p arith.maximumf a 0", "r arith.minimumf p 6"],
    "gelu": ["p arith.mulf a %.17g" % math.sqrt(0.5), "e math.erf p",
             "s arith.addf e 1", "h arith.mulf a 0.5", "r arith.mulf h s"],
    "gelu_tanh": ["q arith.mulf a a", "t arith.mulf q a",
                  "u arith.mulf t 0.044715", "p arith.addf a u",
                  "w arith.mulf p %.17g" % math.sqrt(2 / math.pi),
                  "e math.tanh w", "s arith.addf e 1", "h arith.mulf a 0.5",
                  "r arith.mulf h s"],
    "silu": ["n arith.negf a", "e math.exp n", "s arith.addf e 1",
             "r arith.divf a s"],
    "affine": ["p arith.subf a b", "q arith.mulf p c", "t arith.mulf q d",
               "r arith.addf t e"],
}


def type_of(shape, element="f32"):
    return "tensor<%s%s>" % ("".join("%dx" % e for e in shape), element)


def reassociation(short, long):
    """Which dimensions of the long shape each of the short one becomes."""
    groups, at = [], 0
    for extent in short:
        group, product = [], 1
        while product < extent or not group:
            group.append(at)
            product *= long[at]
            at += 1
        groups.append(group)
    groups[-1] += range(at, len(long))
    return str(groups)


class Tensor:
    """The name of a value and its shape."""

    def __init__(self, name, shape, element="f32"):
        self.name, self.shape = name, tuple(shape)
        self.type = type_of(shape, element)


def typed(tensors):
    return "%s : %s" % (", ".join(t.name for t in tensors),
                        ", ".join(t.type for t in tensors))


class Writer(quantized_mlir.Operations):
    """Lines of the function. A method for each kind of operation returns its
    result."""

    def __init__(self):
        self.lines, self.scalars, self.resources, self.values = [], {}, [], {}
        self.count = 0

    def emit(self, text, shape, element="f32"):
        result = Tensor("%%%d" % self.count, shape, element)
        self.count += 1
        self.lines.append("  %s = %s" % (result.name, text))
        return result

    def scalar(self, number):
        """The name of a constant."""
        return self.scalars.setdefault(number, "%%c%d" % len(self.scalars))

    def constant(self, data, shape):
        shape, words = tuple(shape), data.tobytes().hex().upper()
        if len(data) <= MOST_INLINE:
            text = 'dense<"0x%s">' % words
        else:
            name = "w%d" % len(self.resources)
            # The first word is the alignment.
            self.resources.append('%s: "0x04000000%s"' % (name, words))
            text = "dense_resource<%s>" % name
        element = {"f": "f32", "i": "i32", "b": "i8"}[data.typecode]
        return self.emit("arith.constant %s : %s" % (
            text, type_of(shape, element)), shape, element)

    def empty(self, shape, element="f32"):
        return self.emit("tensor.empty() : %s" % type_of(shape, element),
                         shape, element)

    def fill(self, number, shape):
        out = self.empty(shape)
        return self.emit("linalg.fill ins(%s : f32) outs(%s) -> %s" % (
            self.scalar(number), typed([out]), out.type), shape)

    def named(self, operation, inputs, number, shape):
        """A named operation that accumulates."""
        out = self.fill(number, shape)
        return self.emit("linalg.%s ins(%s) outs(%s) -> %s" % (
            operation, typed(inputs), typed([out]), out.type), shape)

    def generic(self, body, inputs, maps, extents, kept=None, initial=None):
        """`maps` gives the dimensions of each input. A reduction keeps some,
        begins with a number, and has its result as the last operand."""
        rank = len(extents)
        is_reduction = kept is not None
        kept = kept if is_reduction else tuple(range(rank))
        shape = [extents[d] for d in kept]
        out = self.fill(initial, shape) if is_reduction else self.empty(shape)
        names = dict(zip("abcdefgh", ("%%a%d" % i for i in range(len(inputs)))))
        names["o"] = "%o"
        body = BODIES[body] if isinstance(body, str) else body
        lines = []
        for line in body:
            result, operation, *operands = line.split()
            names[result] = "%" + result
            lines.append("    %s = %s %s : f32" % (
                names[result], operation,
                ", ".join(names.get(operand) or self.scalar(float(operand))
                          for operand in operands)))
        dimensions = ", ".join("d%d" % d for d in range(rank))
        written = ", ".join("affine_map<(%s) -> (%s)>" % (
            dimensions, ", ".join("d%d" % d for d in dims))
            for dims in [*maps, kept])
        kinds = ", ".join('"parallel"' if d in kept else '"reduction"'
                          for d in range(rank))
        arguments = ["%%a%d: f32" % i for i in range(len(inputs))] + ["%o: f32"]
        return self.emit(
            "linalg.generic {indexing_maps = [%s], iterator_types = [%s]}\n"
            "    ins(%s) outs(%s) {\n  ^bb0(%s):\n%s\n"
            "    linalg.yield %%r : f32\n  } -> %s" % (
                written, kinds, typed(inputs), typed([out]),
                ", ".join(arguments), "\n".join(lines), out.type), shape)

    def reduce(self, body, inputs, maps, kept, initial):
        return self.generic(body, inputs, maps, inputs[0].shape, kept, initial)

    def elementwise(self, body, x, *others):
        """`others` are pairs of an operand and its dimensions."""
        return self.generic(body, [x, *(operand for operand, _ in others)],
                            [range(len(x.shape)),
                             *(dims for _, dims in others)], x.shape)

    def pad(self, v, x, number):
        shape = [*x.shape[:2], *(e + 2 * v.padding for e in x.shape[2:])]
        if not v.padding:
            return x
        low = "[0, 0, %d, %d]" % (v.padding, v.padding)
        return self.emit(
            "tensor.pad %s low%s high%s {\n  ^bb0(%%i0: index, %%i1: index, "
            "%%i2: index, %%i3: index):\n    tensor.yield %s : f32\n"
            "  } : %s to %s" % (x.name, low, low, self.scalar(number), x.type,
                                type_of(shape)), shape)

    def windows(self, v, operation, inputs, number):
        return self.named(
            "%s {dilations = dense<1> : tensor<2xi64>, strides = dense<%d> : "
            "tensor<2xi64>}" % (operation, v.stride), inputs, number, v.shape)

    def conv(self, v, x, weights, bias, operation="conv_2d_nchw_fchw"):
        x = self.pad(v, x, 0.0)
        product = self.windows(v, operation, [x, weights], 0.0)
        return self.elementwise("add", product, (bias, [1]))

    def depthwise(self, v, *operands):
        return self.conv(v, *operands, "depthwise_conv_2d_nchw_chw")

    def max_pool(self, v, x):
        window = self.empty([v.size, v.size])
        return self.windows(v, "pooling_nchw_max",
                            [self.pad(v, x, -math.inf), window], -math.inf)

    def average_pool(self, v, x):
        total = self.reduce(["r arith.addf a o"], [x], [range(4)], (0, 1), 0.0)
        return self.elementwise(
            ["r arith.divf a %d" % math.prod(x.shape[2:])], total)

    def linear(self, v, x, weights, bias):
        product = self.named("matmul", [x, weights], 0.0, v.shape)
        return self.elementwise("add", product, (bias, [1]))

    def batch_matmul(self, v, a, b):
        operation = "batch_matmul"
        if v.is_transposed:
            operation += " indexing_maps = [%s]" % ", ".join(
                "affine_map<(h, i, j, k) -> (%s)>" % dims
                for dims in ("h, i, k", "h, j, k", "h, i, j"))
        return self.named(operation, [a, b], 0.0, v.shape)

    def scale(self, v, x):
        return self.elementwise(["r arith.mulf a %.17g" % v.factor], x)

    def add(self, v, a, b):
        return self.elementwise("add", a, (b, range(len(b.shape))))

    def add_to_channels(self, v, x, row):
        return self.elementwise("add", x, (row, [0, 1]))

    def softmax(self, v, x):
        every = range(len(x.shape))
        kept = every[:-1]
        largest = self.reduce(["r arith.maximumf a o"], [x], [every], kept,
                              -math.inf)
        powers = self.elementwise("exponential", x, (largest, kept))
        total = self.reduce(["r arith.addf a o"], [powers], [every], kept, 0.0)
        return self.elementwise("divide", powers, (total, kept))

    def normalize(self, x, kept, scale, shift, dims, epsilon):
        """Normalizes over all dimensions but the kept ones."""
        every = range(len(x.shape))
        size = math.prod(e for d, e in enumerate(x.shape) if d not in kept)
        total = self.reduce(["r arith.addf a o"], [x], [every], kept, 0.0)
        mean = self.elementwise(["r arith.divf a %d" % size], total)
        squares = self.reduce(["d arith.subf a b", "q arith.mulf d d",
                               "r arith.addf q o"], [x, mean], [every, kept],
                              kept, 0.0)
        factor = self.elementwise(
            ["v arith.divf a %d" % size, "e arith.addf v %.17g" % epsilon,
             "r math.rsqrt e"], squares)
        return self.elementwise("affine", x, (mean, kept), (factor, kept),
                                (scale, dims), (shift, dims))

    def layer_norm(self, v, x, scale, shift):
        last = len(x.shape) - 1
        return self.normalize(x, range(last), scale, shift, [last], v.epsilon)

    def group_norm(self, v, x, scale, shift):
        grouped = [v.groups, v.shape[1] // v.groups]
        x = self.reshape_to(x, [1, *grouped, *v.shape[2:]])
        scale, shift = (self.reshape_to(t, grouped) for t in (scale, shift))
        return self.reshape_to(self.normalize(x, (0, 1), scale, shift, [1, 2],
                                              v.epsilon), v.shape)

    def slice_text(self, tensor, axis, start):
        rank = len(tensor.shape)
        offsets = [start if d == axis else 0 for d in range(rank)]
        return "%s %s %s" % (offsets, list(tensor.shape), [1] * rank)

    def concat(self, v, a, b):
        result, start = self.empty(v.shape), 0
        for part in a, b:
            result = self.emit(
                "tensor.insert_slice %s into %s%s : %s into %s" % (
                    part.name, result.name, self.slice_text(part, v.axis, start),
                    part.type, result.type), v.shape)
            start += part.shape[v.axis]
        return result

    def slice(self, v, x):
        result = Tensor("", v.shape)
        return self.emit("tensor.extract_slice %s%s : %s to %s" % (
            x.name, self.slice_text(result, v.axis, v.start), x.type,
            result.type), v.shape)

    def transpose(self, v, x):
        out = self.empty(v.shape)
        return self.emit(
            "linalg.transpose ins(%s) outs(%s) permutation = %s" % (
                typed([x]), typed([out]), list(v.permutation)), v.shape)

    def reshape(self, v, x):
        return self.reshape_to(x, v.shape)

    def reshape_to(self, x, shape):
        to = type_of(shape)
        if len(shape) < len(x.shape):
            return self.emit("tensor.collapse_shape %s %s : %s into %s" % (
                x.name, reassociation(shape, x.shape), x.type, to), shape)
        return self.emit(
            "tensor.expand_shape %s %s output_shape %s : %s into %s" % (
                x.name, reassociation(x.shape, shape), list(shape), x.type, to),
            shape)

    def add_value(self, v):
        operands = [self.values[value] for value in v.inputs]
        if v.kind == "input":
            self.values[v] = Tensor("%" + v.name, v.shape)
        elif v.kind == "constant":
            self.values[v] = (self.filter(v) if v.scale else
                              self.constant(v.data, v.shape))
        elif hasattr(self, v.kind):
            self.values[v] = getattr(self, v.kind)(v, *operands)
        else:
            self.values[v] = self.elementwise(v.kind, *operands)


def write(graph, path):
    writer = Writer()
    for v in graph.values:
        writer.add_value(v)
    results = [writer.values[v] for v in graph.results]
    types = ", ".join(result.type for result in results)
    with open(path, "w", encoding="ascii") as file:
        file.write("func.func @kernel(%s) -> (%s) {\n" % (
            ", ".join("%%%s: %s" % (v.name, type_of(v.shape))
                      for v in graph.of_kind("input")), types))
        for number, name in writer.scalars.items():
            text = "0xFF800000" if number == -math.inf else "%.9e" % number
            file.write("  %s = arith.constant %s : f32\n" % (name, text))
        file.write("\n".join(writer.lines))
        file.write("\n  return %s\n}\n" % typed(results))
        if writer.resources:
            file.write("\n{-#\n  dialect_resources: {\n    builtin: {\n      ")
            file.write(",\n      ".join(writer.resources))
            file.write("\n    }\n  }\n#-}\n")
