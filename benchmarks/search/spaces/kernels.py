"""The spaces that record.py records: parameters, constraints, and C.

A kernel is `void name(const float *a, const float *b, float *out)`. Constraints
are written as in a scenario: numexpr, in which `order_i2` is the position of
element 2 of `order`. They are Python too.
"""


def ordinal(values, log=False):
    parameter = {"parameter_type": "ordinal", "values": values}
    return parameter | ({"transform": "log"} if log else {})


def categorical(values):
    return {"parameter_type": "categorical", "values": values}


def permutation(size):
    return {"parameter_type": "permutation", "values": [size],
            "parametrization": "spearman"}


class Contraction:
    """A triangular contraction: the order of its loops, and how they are cut.

    out[i, j] = sum over l <= k of a[i, k, l] * b[k, l, j]
    """

    name = "triangular_contraction"
    title = ("out[i, j] = the sum over l <= k of a[i, k, l] * b[k, l, j]; i < 32, "
             "j < 64, k < 24")
    I, J, K = 32, 64, 24
    sizes = (I * K * K, K * K * J, I * J)
    has_hidden_constraints = False
    parameters = {
        "order": permutation(4),  # of i, j, k, l
        "tile_i": ordinal([4, 8, 16, 32], log=True),
        "tile_j": ordinal([8, 16, 32, 64], log=True),
        "unroll": ordinal([1, 2, 4, 8], log=True),
        "vectorize": ordinal([0, 1]),
    }
    # Where l ends depends on k. No tile is shorter than what is unrolled.
    constraints = [("order", "order_i2 < order_i3"),
                   ("unroll", "unroll <= tile_i"),
                   ("unroll", "(vectorize == 0) | (unroll * 8 <= tile_j)")]

    statement = ("out[i * %d + j] += a[(i * %d + k) * %d + l] * "
                 "b[(k * %d + l) * %d + j];" % (J, K, K, K, J))

    @classmethod
    def reference(cls):
        return """
  for (int i = 0; i < %d; ++i)
    for (int j = 0; j < %d; ++j) {
      out[i * %d + j] = 0;
      for (int k = 0; k < %d; ++k)
        for (int l = 0; l <= k; ++l)
          %s
    }""" % (cls.I, cls.J, cls.J, cls.K, cls.statement)

    @classmethod
    def kernel(cls, order, tile_i, tile_j, unroll, vectorize):
        loops = ["for (int i = ii; i < ii + %d; ++i)" % tile_i,
                 "for (int j = jj; j < jj + %d; ++j)" % tile_j,
                 "for (int k = 0; k < %d; ++k)" % cls.K,
                 "for (int l = 0; l <= k; ++l)"]
        nest = [loops[loop] for loop in order]
        nest.insert(3, "_Pragma(\"clang loop vectorize(%s) unroll_count(%d)\")"
                    % ("enable" if vectorize else "disable", unroll))
        return """
  for (int n = 0; n < %d; ++n)
    out[n] = 0;
  for (int ii = 0; ii < %d; ii += %d)
    for (int jj = 0; jj < %d; jj += %d)
      %s
        %s""" % (cls.sizes[2], cls.I, tile_i, cls.J, tile_j,
                 "\n      ".join(nest), cls.statement)


class Stencil:
    """Nine points of a grid: tiles, vectors, rows at a time, copies on the stack.

    Hidden constraints: a store that is said to be aligned and isn't crashes, and
    so does a copy that is larger than the stack.
    """

    name = "stencil"
    title = ("out[y, x] = the sum over dy, dx < 3 of b[dy, dx] * a[y + dy, x + "
             "dx]; y < 128, x < 512; on a stack of 32 KiB")
    H, W = 128, 512
    S = W + 16  # the distance between rows of a
    sizes = ((H + 2) * S, 9, H * W)
    has_hidden_constraints = True
    parameters = {
        "tile_x": ordinal([16, 20, 32, 40, 64, 72, 128, 256], log=True),
        "tile_y": ordinal([1, 2, 4, 8, 16, 32], log=True),
        "vector": ordinal([1, 4, 8, 16], log=True),
        "rows": ordinal([1, 2, 4], log=True),
        "stores": categorical(["aligned", "unaligned"]),
        "copy": ordinal([0, 1]),
    }
    constraints = [("rows", "tile_y % rows == 0")]

    @classmethod
    def reference(cls):
        return """
  for (int y = 0; y < %d; ++y)
    for (int x = 0; x < %d; ++x) {
      out[y * %d + x] = 0;
      for (int p = 0; p < 9; ++p)
        out[y * %d + x] += b[p] * a[(y + p / 3) * %d + x + p %% 3];
    }""" % (cls.H, cls.W, cls.W, cls.W, cls.S)

    @staticmethod
    def block(rows, load, store):
        """Computes some rows of one column (of vectors), then stores them."""
        lines = []
        for row in range(rows):
            terms = ["b[%d] * %s" % (3 * dy + dx, load % (row + dy, dx))
                     for dy in range(3) for dx in range(3)]
            lines.append("v r%d = %s;" % (row, " + ".join(terms)))
        lines += [store % (row, row) for row in range(rows)]
        return "\n          ".join(lines)

    @classmethod
    def kernel(cls, tile_x, tile_y, vector, rows, stores, copy):
        columns = tile_x + 2
        if copy:
            source, stride = "in + (y - yy) * %d + x - xx" % columns, columns
            target, pitch = "tile + (y - yy) * %d + x - xx" % tile_x, tile_x
        else:
            source, stride = "a + y * %d + x" % cls.S, cls.S
            target, pitch = "out + y * %d + x" % cls.W, cls.W
        bytes_ = 4 * vector if stores == "aligned" else 4
        loads = "*(const %%s *)(source + %%%%d * %d + %%%%d)" % stride
        puts = "*(%%s *)(target + %%%%d * %d) = r%%%%d;" % pitch
        inner = """
      typedef float wide __attribute__((vector_size(%d), aligned(4)));
      typedef float kept __attribute__((vector_size(%d), aligned(%d)));
      for (int y = yy; y < yy + %d; y += %d) {
        int x = xx;
        for (; x + %d <= end; x += %d) {
          typedef wide v;
          const float *source = %s;
          float *target = %s;
          %s
        }
        for (; x < end; ++x) {
          typedef float v;
          const float *source = %s;
          float *target = %s;
          %s
        }
      }""" % (4 * vector, 4 * vector, bytes_, tile_y, rows, vector, vector,
              source, target,
              cls.block(rows, loads % "wide", puts % "kept"),
              source, target,
              cls.block(rows, loads % "float", puts % "float"))
        if copy:
            inner = """
      _Alignas(64) float in[%d], tile[%d];
      for (int y = 0; y < %d; ++y)
        memcpy(in + y * %d, a + (yy + y) * %d + xx, 4 * (end - xx + 2));
      %s
      for (int y = 0; y < %d; ++y)
        memcpy(out + (yy + y) * %d + xx, tile + y * %d, 4 * (end - xx));""" % (
                (tile_y + 2) * columns, tile_y * tile_x, tile_y + 2, columns,
                cls.S, inner.strip(), tile_y, cls.W, tile_x)
        return """
  for (int yy = 0; yy < %d; yy += %d)
    for (int xx = 0; xx < %d; xx += %d) {
      int end = xx + %d < %d ? xx + %d : %d;
      %s
    }""" % (cls.H, tile_y, cls.W, tile_x, tile_x, cls.W, tile_x, cls.W,
            inner.strip())


SPACES = [Contraction, Stencil]
