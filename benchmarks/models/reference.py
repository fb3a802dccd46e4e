"""Evaluates a network in plain Python, in double precision, but where bytes are
rounded: slow, and for small ones. A tensor is a list of its elements in row-major
order."""

import itertools
import math
from operator import mul

from graph import rounded

FUNCTIONS = {
    "relu": lambda x: max(x, 0.0),
    "relu6": lambda x: min(max(x, 0.0), 6.0),
    "gelu": lambda x: 0.5 * x * (1 + math.erf(x / math.sqrt(2))),
    "gelu_tanh": lambda x: 0.5 * x * (1 + math.tanh(
        math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "silu": lambda x: x / (1 + math.exp(-x)),
}


def pieces(data, size):
    return [data[at:at + size] for at in range(0, len(data), size)]


def padded_rows(v, x, filler):
    """The rows of each channel, within a frame."""
    _, _, height, width = v.inputs[0].shape
    side = [filler] * v.padding
    edge = [[filler] * (width + 2 * v.padding)] * v.padding
    return [edge + [side + row + side for row in pieces(channel, width)] + edge
            for channel in pieces(x, height * width)]


def taps(v, rows, size, i):
    """What each element of a window sees in row i of the result."""
    width = v.shape[3]
    for dy, dx in itertools.product(range(size), repeat=2):
        row = rows[i * v.stride + dy]
        yield row[dx:dx + (width - 1) * v.stride + 1:v.stride]


def conv(v, x, weights, bias, channels_of=lambda rows, f: rows):
    rows, size = padded_rows(v, x, 0.0), v.inputs[1].shape[-1]
    result = []
    filters = pieces(weights, len(weights) // v.shape[1])
    for f, i in itertools.product(range(v.shape[1]), range(v.shape[2])):
        seen = [tap for channel in channels_of(rows, f)
                for tap in taps(v, channel, size, i)]
        result += [bias[f] + sum(map(mul, filters[f], column))
                   for column in zip(*seen)]
    return result


def depthwise(v, x, weights, bias):
    return conv(v, x, weights, bias, lambda rows, f: [rows[f]])


def max_pool(v, x):
    return [max(column) for channel in padded_rows(v, x, -math.inf)
            for i in range(v.shape[2])
            for column in zip(*taps(v, channel, v.size, i))]


def average_pool(v, x):
    size = math.prod(v.inputs[0].shape[2:])
    return [sum(channel) / size for channel in pieces(x, size)]


def matmul(a, b, length, columns):
    return [sum(map(mul, row, b[j::columns]))
            for row in pieces(a, length) for j in range(columns)]


def linear(v, x, weights, bias):
    columns = v.shape[1]
    product = matmul(x, weights, v.inputs[0].shape[1], columns)
    return [p + bias[at % columns] for at, p in enumerate(product)]


def transpose(v, x, shape=None, permutation=None):
    shape = shape or v.inputs[0].shape
    permutation = permutation or v.permutation
    strides = [math.prod(shape[d + 1:]) for d in permutation]
    return [x[sum(map(mul, index, strides))] for index in
            itertools.product(*(range(shape[d]) for d in permutation))]


def batch_matmul(v, a, b):
    heads, rows, columns = v.shape
    length = v.inputs[0].shape[2]
    if v.is_transposed:
        b = transpose(v, b, v.inputs[1].shape, (0, 2, 1))
    return [element for p, q in zip(pieces(a, rows * length),
                                    pieces(b, length * columns))
            for element in matmul(p, q, length, columns)]


def add_to_channels(v, x, row):
    size = math.prod(v.shape[2:])
    return [element + row[at // size] for at, element in enumerate(x)]


def softmax(v, x):
    result = []
    for row in pieces(x, v.shape[-1]):
        powers = [math.exp(element - max(row)) for element in row]
        result += [power / sum(powers) for power in powers]
    return result


def normalize(v, x, size, feature):
    """Normalizes every `size` elements; feature(at) is that of an element."""
    result = []
    for part in pieces(x, size):
        mean = sum(part) / size
        variance = sum((element - mean)**2 for element in part) / size
        factor = 1 / math.sqrt(variance + v.epsilon)
        result += [(element - mean) * factor for element in part]
    scale, shift = (value.data for value in v.inputs[1:])
    return [element * scale[feature(at)] + shift[feature(at)]
            for at, element in enumerate(result)]


def layer_norm(v, x, _scale, _shift):
    return normalize(v, x, v.shape[-1], lambda at: at % v.shape[-1])


def group_norm(v, x, _scale, _shift):
    pixels = math.prod(v.shape[2:])
    return normalize(v, x, len(x) // v.groups, lambda at: at // pixels)


def concat(v, a, b):
    sizes = [math.prod(value.shape[v.axis:]) for value in v.inputs]
    return [element for parts in zip(*map(pieces, (a, b), sizes))
            for part in parts for element in part]


def slice_(v, x):
    inner = math.prod(v.shape[v.axis + 1:])
    return [element for part in pieces(x, v.inputs[0].shape[v.axis] * inner)
            for element in part[v.start * inner:][:v.shape[v.axis] * inner]]


def to_bytes(v, numbers):
    """The nearest bytes of quotients by a scale."""
    return [round(max(-128 - v.zero, min(127 - v.zero, number))) + v.zero
            for number in numbers]


def quantize(v, x):
    return to_bytes(v, (rounded(rounded(element) / rounded(v.scale))
                        for element in x))


def dequantize(v, x):
    image = v.inputs[0]
    return [rounded((q - image.zero) * rounded(image.scale)) for q in x]


def quantized_conv(v, x, weights, bias, compute=conv):
    zero = v.inputs[0].zero
    sums = compute(v, [q - zero for q in x], weights, bias)
    return to_bytes(v, (rounded(rounded(total) * v.factor) for total in sums))


def quantized_depthwise(v, *operands):
    return quantized_conv(v, *operands, depthwise)


def quantized_add(v, *operands):
    a, b = ([rounded((q - value.zero) * rounded(value.scale)) for q in operand]
            for operand, value in zip(operands, v.inputs))
    return to_bytes(v, (rounded(rounded(p + q) / rounded(v.scale))
                        for p, q in zip(a, b)))


OPERATIONS = {
    "add": lambda v, a, b: [p + q for p, q in zip(a, b)],
    "scale": lambda v, x: [v.factor * element for element in x],
    "reshape": lambda v, x: x, "slice": slice_,
    **{function.__name__: function for function in (
        conv, depthwise, max_pool, average_pool, linear, batch_matmul,
        transpose, add_to_channels, softmax, layer_norm, group_norm, concat,
        quantize, dequantize, quantized_conv, quantized_depthwise,
        quantized_add)},
}


def evaluate(graph, inputs):
    """The results for lists of the inputs' elements."""
    inputs, found = iter(inputs), {}
    for v in graph.values:
        given = [found[value] for value in v.inputs]
        if v.kind == "input":
            found[v] = list(next(inputs))
        elif v.kind == "constant":
            found[v] = list(v.data)
        elif v.kind in FUNCTIONS:
            found[v] = list(map(FUNCTIONS[v.kind], given[0]))
        else:
            found[v] = OPERATIONS[v.kind](v, *given)
    return [found[v] for v in graph.results]
