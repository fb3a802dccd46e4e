"""Writes a network as an ONNX file of opset 17, in Protocol Buffers' encoding
(numbers of fields: onnx.proto), so that no package is needed."""

import array
import math
import struct

FLOAT, INT64 = 1, 7
# Of arrays' codes.
KINDS = {"f": FLOAT, "q": INT64, "B": 2, "b": 3, "i": 6}


def varint(number):
    parts = []
    while number > 0x7f:
        parts.append(number & 0x7f | 0x80)
        number >>= 7
    return bytes(parts + [number])


def message(*fields):
    """Fields are pairs of number and value: an integer, a float, or what has a
    length."""
    parts = []
    for number, value in fields:
        if isinstance(value, int):
            parts += [varint(number << 3), varint(value)]
        elif isinstance(value, float):
            parts += [varint(number << 3 | 5), struct.pack("<f", value)]
        else:
            data = value.encode() if isinstance(value, str) else value
            parts += [varint(number << 3 | 2), varint(len(data)), data]
    return b"".join(parts)


def attribute(name, value):
    if isinstance(value, float):
        return message((1, name), (2, value), (20, 1))
    if isinstance(value, int):
        return message((1, name), (3, value), (20, 2))
    return message((1, name), *((8, item) for item in value), (20, 7))


def tensor(name, shape, data):
    kind = KINDS[data.typecode]
    return message(*((1, extent) for extent in shape), (2, kind), (8, name),
                   (9, data.tobytes()))


def declaration(v, name):
    extents = message(*((1, message((1, extent))) for extent in v.shape))
    kind = message((1, message((1, FLOAT), (2, extents))))
    return message((1, name), (2, kind))


class Writer:
    """Nodes and initializers. A method for each kind of operation returns the
    name of its result."""

    def __init__(self):
        self.nodes, self.tensors, self.names, self.used = [], {}, {}, set()

    def node(self, kind, *inputs, **attributes):
        result = "n%d" % len(self.nodes)
        self.used.update(inputs)
        self.nodes.append(message(
            *((1, name) for name in inputs), (2, result), (3, kind + result),
            (4, kind), *((5, attribute(*pair)) for pair in attributes.items())))
        return result

    def constant(self, data, shape):
        name = "c%d" % len(self.tensors)
        self.tensors[name] = tensor(name, shape, data)
        return name

    def floats(self, *numbers, shape=()):
        return self.constant(array.array("f", numbers), shape)

    def integers(self, *numbers):
        return self.constant(array.array("q", numbers), [len(numbers)])

    def conv(self, v, x, weights, bias, group=1):
        return self.node("Conv", x, weights, bias, strides=[v.stride] * 2,
                         pads=[v.padding] * 4, group=group)

    def depthwise(self, v, x, _weights, bias):
        channels, height, width = v.inputs[1].shape
        weights = self.constant(v.inputs[1].data, [channels, 1, height, width])
        return self.conv(v, x, weights, bias, channels)

    def max_pool(self, v, x):
        return self.node("MaxPool", x, kernel_shape=[v.size] * 2,
                         strides=[v.stride] * 2, pads=[v.padding] * 4)

    def average_pool(self, v, x):
        return self.node("Flatten", self.node("GlobalAveragePool", x))

    def linear(self, v, x, weights, bias):
        return self.node("Gemm", x, weights, bias)

    def batch_matmul(self, v, a, b):
        if v.is_transposed:
            b = self.node("Transpose", b, perm=[0, 2, 1])
        return self.node("MatMul", a, b)

    def relu(self, v, x):
        return self.node("Relu", x)

    def relu6(self, v, x):
        return self.node("Clip", x, self.floats(0.0), self.floats(6.0))

    # Sequences that ONNX Runtime knows as Gelu and FastGelu.
    def gelu(self, v, x):
        error = self.node("Erf", self.node("Div", x, self.floats(math.sqrt(2))))
        product = self.node("Mul", x, self.node("Add", error, self.floats(1.0)))
        return self.node("Mul", product, self.floats(0.5))

    def gelu_tanh(self, v, x):
        cube = self.node("Pow", x, self.floats(3.0))
        inner = self.node("Mul", cube, self.floats(0.044715))
        inner = self.node("Add", x, inner)
        inner = self.node("Mul", inner, self.floats(math.sqrt(2 / math.pi)))
        outer = self.node("Add", self.node("Tanh", inner), self.floats(1.0))
        return self.node("Mul", self.node("Mul", x, self.floats(0.5)), outer)

    def silu(self, v, x):
        return self.node("Mul", x, self.node("Sigmoid", x))

    def scale(self, v, x):
        return self.node("Mul", x, self.floats(v.factor))

    def add(self, v, a, b):
        return self.node("Add", a, b)

    def add_to_channels(self, v, x, row):
        return self.node("Add", x, self.node(
            "Reshape", row, self.integers(1, v.shape[1], 1, 1)))

    def softmax(self, v, x):
        return self.node("Softmax", x)

    def layer_norm(self, v, x, scale, shift):
        return self.node("LayerNormalization", x, scale, shift,
                         epsilon=v.epsilon)

    def group_norm(self, v, x, _scale, _shift):
        """As PyTorch exports it."""
        groups = v.groups
        x = self.node("Reshape", x, self.integers(1, groups, -1))
        x = self.node("InstanceNormalization", x,
                      self.floats(*[1.0] * groups, shape=[groups]),
                      self.floats(*[0.0] * groups, shape=[groups]),
                      epsilon=v.epsilon)
        x = self.node("Reshape", x, self.integers(*v.shape))
        scale, shift = (self.constant(value.data, [v.shape[1], 1, 1])
                        for value in v.inputs[1:])
        return self.node("Add", self.node("Mul", x, scale), shift)

    def units(self, v):
        """The names of a byte's scale and zero."""
        if v.inputs:
            zero = array.array("B", [v.zero + 128])
        else:
            zero = array.array("b", [0])
        return [self.floats(v.scale), self.constant(zero, ())]

    def quantize(self, v, x):
        return self.node("QuantizeLinear", x, *self.units(v))

    def dequantize(self, v, x):
        return self.node("DequantizeLinear", x, *self.units(v.inputs[0]))

    def quantized_conv(self, v, x, weights, bias, group=1):
        image, filters, _ = v.inputs
        return self.node("QLinearConv", x, *self.units(image), weights,
                         *self.units(filters), *self.units(v), bias,
                         strides=[v.stride] * 2, pads=[v.padding] * 4,
                         group=group)

    def quantized_depthwise(self, v, x, _weights, bias):
        channels, height, width = v.inputs[1].shape
        weights = self.constant(v.inputs[1].data, [channels, 1, height, width])
        return self.quantized_conv(v, x, weights, bias, channels)

    # ONNX Runtime makes one operation of it.
    def quantized_add(self, v, *operands):
        numbers = [self.node("DequantizeLinear", operand, *self.units(value))
                   for operand, value in zip(operands, v.inputs)]
        return self.node("QuantizeLinear", self.node("Add", *numbers),
                         *self.units(v))

    def concat(self, v, a, b):
        return self.node("Concat", a, b, axis=v.axis)

    def slice(self, v, x):
        return self.node("Slice", x, self.integers(v.start),
                         self.integers(v.start + v.shape[v.axis]),
                         self.integers(v.axis))

    def transpose(self, v, x):
        return self.node("Transpose", x, perm=v.permutation)

    def reshape(self, v, x):
        return self.node("Reshape", x, self.integers(*v.shape))

    def add_value(self, v):
        if v.kind == "input":
            self.names[v] = v.name
        elif v.kind == "constant":
            self.names[v] = self.constant(v.data, v.shape)
        else:
            self.names[v] = getattr(self, v.kind)(
                v, *(self.names[value] for value in v.inputs))


def write(graph, path):
    writer = Writer()
    for v in graph.values:
        writer.add_value(v)
    for i, v in enumerate(graph.results):
        writer.nodes.append(message((1, writer.names[v]), (2, "result%d" % i),
                                    (4, "Identity")))
        writer.used.add(writer.names[v])
    content = message(
        *((1, node) for node in writer.nodes), (2, "kernel"),
        *((5, data) for name, data in writer.tensors.items()
          if name in writer.used),
        *((11, declaration(v, v.name)) for v in graph.of_kind("input")),
        *((12, declaration(v, "result%d" % i))
          for i, v in enumerate(graph.results)))
    with open(path, "wb") as file:
        file.write(message((1, 8), (2, "baco"), (7, content),
                           (8, message((1, ""), (2, 17)))))
