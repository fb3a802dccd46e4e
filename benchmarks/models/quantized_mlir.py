"""Operations on bytes, as parts of the writer of MLIR. Images have their
channels last."""

import array

IMAGE = "(n, y, x, c)"


def order_filter(v):
    """The elements and the shape of a filter with its channels last."""
    features, height, width = v.shape[0], *v.shape[-2:]
    depth = v.shape[1] if len(v.shape) == 4 else 1
    inner = depth * height * width
    data = array.array("b", [
        v.data[f * inner + (c * height + y) * width + x]
        for y in range(height) for x in range(width)
        for c in range(depth) for f in range(features)])
    depths = [depth] if len(v.shape) == 4 else []
    return data, [height, width, *depths, features]


class Operations:
    """A method for each kind of operation returns its result, as in Writer."""

    def number(self, value, kind):
        """The name of a constant."""
        text = "%.9e" % value if kind == "f32" else "%d" % value
        return self.emit("arith.constant %s : %s" % (text, kind), (), kind).name

    def filter(self, v):
        return self.constant(*order_filter(v))

    def each(self, inputs, maps, kind, shape, lines):
        """An element-wise operation on pixels; the last line is the result."""
        out = self.empty(shape, kind)
        maps = ["affine_map<%s -> %s>" % (IMAGE, dims)
                for dims in [*maps, IMAGE]]
        kinds = [tensor.type.split("x")[-1].rstrip(">")
                 for tensor in [*inputs, out]]
        names = ["%" + name for name in "abo"[-len(kinds):]]
        if len(kinds) == 2:
            names = ["%a", "%o"]
        body = ["    %%%s = %s" % tuple(line.split(" ", 1)) for line in lines]
        return self.emit(
            "linalg.generic {indexing_maps = [%s], iterator_types = [%s]}\n"
            "    ins(%s : %s) outs(%s : %s) {\n  ^bb0(%s):\n%s\n"
            "    linalg.yield %%%s : %s\n  } -> %s" % (
                ", ".join(maps), ", ".join(['"parallel"'] * 4),
                ", ".join(t.name for t in inputs),
                ", ".join(t.type for t in inputs), out.name, out.type,
                ", ".join(map("%s: %s".__mod__, zip(names, kinds))),
                "\n".join(body), lines[-1].split()[0], kind, out.type),
            shape, kind)

    def to_byte(self, name, zero):
        """Lines that round the f32 of this name to the nearest byte."""
        low, high = (self.number(limit - zero, "f32") for limit in (-128, 127))
        lines = ["low arith.maximumf %%%s, %s : f32" % (name, low),
                 "high arith.minimumf %%low, %s : f32" % high,
                 "even math.roundeven %high : f32",
                 "whole arith.fptosi %even : f32 to i32"]
        whole = "whole"
        if zero:
            lines.append("moved arith.addi %%whole, %s : i32" %
                         self.number(zero, "i32"))
            whole = "moved"
        return lines + ["byte arith.trunci %%%s : i32 to i8" % whole]

    def from_byte(self, v, name, prefix):
        """Lines that compute the number of a byte, and their result."""
        zero, scale = self.number(v.zero, "i32"), self.number(v.scale, "f32")
        return ["%swide arith.extsi %%%s : i8 to i32" % (prefix, name),
                "%sfrom arith.subi %%%swide, %s : i32" % (prefix, prefix, zero),
                "%swhole arith.sitofp %%%sfrom : i32 to f32" % (prefix, prefix),
                "%snumber arith.mulf %%%swhole, %s : f32" % (
                    prefix, prefix, scale)]

    def quantize(self, v, image):
        scale = self.number(v.scale, "f32")
        batch, channels, height, width = v.shape
        return self.each(
            [image], ["(n, c, y, x)"], "i8", [batch, height, width, channels],
            ["q arith.divf %%a, %s : f32" % scale, *self.to_byte("q", v.zero)])

    def dequantize(self, v, image):
        """Channels come first again."""
        last = self.each([image], [IMAGE], "f32", image.shape,
                         self.from_byte(v.inputs[0], "a", "a"))
        out = self.empty(v.shape)
        return self.emit(
            "linalg.transpose ins(%s : %s) outs(%s : %s) "
            "permutation = [0, 3, 1, 2]" % (
                last.name, last.type, out.name, out.type), v.shape)

    def pad_bytes(self, v, image):
        batch, height, width, channels = image.shape
        p = v.padding
        if not p:
            return image
        shape = [batch, height + 2 * p, width + 2 * p, channels]
        zero = self.number(v.inputs[0].zero, "i8")
        result = self.emit(
            "tensor.pad %s low[0, %d, %d, 0] high[0, %d, %d, 0] {\n"
            "  ^bb0(%%i0: index, %%i1: index, %%i2: index, %%i3: index):\n"
            "    tensor.yield %s : i8\n  } : %s to tensor<%s>" % (
                image.name, p, p, p, p, zero, image.type,
                "x".join(map(str, [*shape, "i8"]))), shape, "i8")
        return result

    def quantized_conv(self, v, image, weights, bias,
                       operation="conv_2d_nhwc_hwcf_q"):
        image = self.pad_bytes(v, image)
        shape = [v.shape[0], *v.shape[2:], v.shape[1]]
        zero, none = (self.number(n, "i32") for n in (v.inputs[0].zero, 0))
        out = self.empty(shape, "i32")
        start = self.emit("linalg.fill ins(%s : i32) outs(%s : %s) -> %s" % (
            none, out.name, out.type, out.type), shape, "i32")
        total = self.emit(
            "linalg.%s {dilations = dense<1> : tensor<2xi64>, strides = "
            "dense<%d> : tensor<2xi64>} ins(%s, %s, %s, %s : %s, %s, i32, i32) "
            "outs(%s : %s) -> %s" % (
                operation, v.stride, image.name, weights.name, zero, none,
                image.type, weights.type, start.name, start.type, start.type),
            shape, "i32")
        factor = self.number(v.factor, "f32")
        return self.each(
            [total, bias], [IMAGE, "(c)"], "i8", shape,
            ["sum arith.addi %a, %b : i32",
             "number arith.sitofp %sum : i32 to f32",
             "q arith.mulf %%number, %s : f32" % factor,
             *self.to_byte("q", v.zero)])

    def quantized_depthwise(self, v, *operands):
        return self.quantized_conv(v, *operands,
                                   operation="depthwise_conv_2d_nhwc_hwc_q")

    def quantized_add(self, v, a, b):
        scale = self.number(v.scale, "f32")
        return self.each(
            [a, b], [IMAGE, IMAGE], "i8", a.shape,
            [*self.from_byte(v.inputs[0], "a", "a"),
             *self.from_byte(v.inputs[1], "b", "b"),
             "sum arith.addf %anumber, %bnumber : f32",
             "q arith.divf %%sum, %s : f32" % scale, *self.to_byte("q", v.zero)])
