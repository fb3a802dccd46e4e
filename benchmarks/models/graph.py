"""A network as a list of operations on tensors, with random weights.
mlir_writer.py and onnx_writer.py write it, and reference.py evaluates it.

Tensors are of f32, or quantized: a byte q stands for scale * (q - zero). Bytes
have signs here and in MLIR. ONNX Runtime's are unsigned, 128 more, as zero
is. Images of bytes have their channels last in MLIR."""

import array
import math
import random


class Value:
    """The result of an operation. `power` and `mean` estimate its mean square
    and its mean, by which the weights behind it are scaled."""

    # Of a byte.
    scale, zero = None, 0

    def __init__(self, name, kind, shape, inputs, power, mean, attributes):
        self.name, self.kind, self.shape = name, kind, tuple(shape)
        self.inputs, self.power, self.mean = inputs, power, mean
        self.__dict__.update(attributes)


def rectified(power, mean):
    """The power and the mean of the positive part of a normal distribution."""
    deviation = math.sqrt(power - mean**2)
    density = math.exp(-(mean / deviation)**2 / 2) / math.sqrt(2 * math.pi)
    share = (1 + math.erf(mean / deviation / math.sqrt(2))) / 2
    return (power * share + mean * deviation * density,
            mean * share + deviation * density)


def rounded(number):
    """The nearest number of f32."""
    return array.array("f", [number])[0]


def windowed(x, channels, stride):
    """The shape of what windows of an image compute, which is padded so that
    only the stride makes it smaller."""
    return [1, channels, *(-(-extent // stride) for extent in x.shape[2:])]


class Graph:
    """Operations in the order of their execution. The same seed gives the same
    weights, none of which is zero."""

    def __init__(self, seed):
        self.values, self.results = [], []
        # Of ONNX Runtime's results, relative to the largest element.
        self.tolerance = 1e-4
        self.draw = random.Random(seed).random

    def of_kind(self, kind):
        return [value for value in self.values if value.kind == kind]

    def value(self, kind, shape, *inputs, power=1.0, mean=0.0, **attributes):
        self.values.append(Value("v%d" % len(self.values), kind, shape, inputs,
                                 power, mean, attributes))
        return self.values[-1]

    def input(self, *shape):
        # The program that calls the kernel draws from [-1, 1).
        return self.value("input", shape, power=1 / 3)

    def weights(self, shape, deviation, mean=0.0):
        width, draw = 2 * math.sqrt(3) * deviation, self.draw
        low = mean - width / 2
        data = array.array("f", [low + width * draw()
                                 for _ in range(math.prod(shape))])
        return self.value("constant", shape, data=data)

    def bias(self, size):
        return self.weights([size], 0.1)

    def integers(self, values, kind, shape, **attributes):
        """Constants: their neighbors where a value is 0."""
        return self.value("constant", shape, **attributes,
                          data=array.array(kind, [v or 1 for v in values]))

    def quantize(self, x):
        return self.value("quantize", x.shape, x, scale=1 / 127, power=x.power)

    def dequantize(self, x):
        return self.value("dequantize", x.shape, x, power=x.power, mean=x.mean)

    def quantized_windows(self, kind, x, shape, filters, is_bounded, stride):
        """A convolution with the filters' scale for all channels, and its
        results from 0 to 6, or of both signs."""
        terms, size = math.prod(filters[1:]), filters[-1]
        bound = math.sqrt(3 / (terms * x.power))
        scale = bound / 127
        weights = self.integers(
            [round(127 * (2 * self.draw() - 1)) for _ in
             range(math.prod(filters))], "b", filters, scale=scale)
        unit = x.scale * scale
        bias = self.integers(
            [round(math.sqrt(3) * 0.1 * (2 * self.draw() - 1) / unit)
             for _ in range(filters[0])], "i", filters[:1])
        power, mean = rectified(1.0, 0.0) if is_bounded else (1.0, 0.0)
        to, zero = (6 / 255, -128) if is_bounded else (4 / 128, 0)
        return self.value(kind, shape, x, weights, bias, power=power, mean=mean,
                          stride=stride, padding=size // 2, scale=to, zero=zero,
                          factor=rounded(unit / to))

    def quantized_conv(self, x, channels, size, stride=1, is_bounded=True):
        return self.quantized_windows(
            "quantized_conv", x, windowed(x, channels, stride),
            [channels, x.shape[1], size, size], is_bounded, stride)

    def quantized_depthwise(self, x, size, stride=1):
        return self.quantized_windows(
            "quantized_depthwise", x, windowed(x, x.shape[1], stride),
            [x.shape[1], size, size], True, stride)

    def quantized_add(self, a, b):
        power = a.power + b.power
        return self.value("quantized_add", a.shape, a, b, power=power,
                          scale=4 * math.sqrt(power) / 128)

    def conv(self, x, channels, size, stride=1):
        depth = x.shape[1]
        deviation = 1 / math.sqrt(depth * size * size * x.power)
        return self.value(
            "conv", windowed(x, channels, stride), x,
            self.weights([channels, depth, size, size], deviation),
            self.bias(channels), stride=stride, padding=size // 2)

    def depthwise(self, x, size, stride=1):
        channels = x.shape[1]
        deviation = 1 / math.sqrt(size * size * x.power)
        return self.value(
            "depthwise", windowed(x, channels, stride), x,
            self.weights([channels, size, size], deviation),
            self.bias(channels), stride=stride, padding=size // 2)

    def max_pool(self, x, size, stride):
        return self.value(
            "max_pool", windowed(x, x.shape[1], stride), x, power=x.power,
            mean=x.mean, size=size, stride=stride, padding=size // 2)

    def average_pool(self, x):
        """The mean of each channel."""
        return self.value("average_pool", x.shape[:2], x, power=x.power / 2)

    def linear(self, x, features):
        rows, length = x.shape
        return self.value(
            "linear", [rows, features], x,
            self.weights([length, features], 1 / math.sqrt(length * x.power)),
            self.bias(features))

    def batch_matmul(self, a, b, is_transposed=False):
        columns = b.shape[1 if is_transposed else 2]
        return self.value("batch_matmul", [*a.shape[:2], columns], a, b,
                          power=a.power * b.power * a.shape[2],
                          is_transposed=is_transposed)

    def map(self, function, x):
        """A function of each element that resembles the positive part."""
        power, mean = rectified(x.power, x.mean)
        return self.value(function, x.shape, x, power=power, mean=mean)

    def scale(self, x, factor):
        return self.value("scale", x.shape, x, power=x.power * factor**2,
                          factor=factor)

    def add(self, a, b):
        return self.value("add", a.shape, a, b, mean=a.mean + b.mean,
                          power=a.power + b.power + 2 * a.mean * b.mean)

    def add_to_channels(self, x, row):
        """Adds an element of a row of one matrix to each channel."""
        return self.value("add_to_channels", x.shape, x, row,
                          power=x.power + row.power)

    def softmax(self, x):
        """Of the last dimension. Weights of n equally distributed scores."""
        return self.value("softmax", x.shape, x, power=math.e / x.shape[-1]**2)

    def layer_norm(self, x):
        size = x.shape[-1]
        return self.value("layer_norm", x.shape, x,
                          self.weights([size], 0.1, 1.0), self.bias(size),
                          epsilon=1e-5)

    def group_norm(self, x, groups):
        channels = x.shape[1]
        return self.value("group_norm", x.shape, x,
                          self.weights([channels], 0.1, 1.0),
                          self.bias(channels), groups=groups, epsilon=1e-5)

    def concat(self, a, b, axis):
        shape = list(a.shape)
        shape[axis] += b.shape[axis]
        return self.value("concat", shape, a, b, axis=axis,
                          power=max(a.power, b.power))

    def slice(self, x, axis, start, size):
        shape = list(x.shape)
        shape[axis] = size
        return self.value("slice", shape, x, axis=axis, start=start,
                          power=x.power)

    def transpose(self, x, *permutation):
        return self.value("transpose", [x.shape[p] for p in permutation], x,
                          permutation=permutation, power=x.power)

    def split(self, x, count):
        """Splits the last dimension into `count` parts: one dimension more."""
        return self.value("reshape",
                          [*x.shape[:-1], count, x.shape[-1] // count], x,
                          power=x.power)

    def merge(self, x):
        """Merges the last two dimensions."""
        return self.value("reshape",
                          [*x.shape[:-2], x.shape[-2] * x.shape[-1]], x,
                          power=x.power)
