"""From loops in Python's syntax to a function of affine loops.

Statements assign to elements (`c[i] += a[i] * b[i]`) or to scalars, which loops
then carry as iter_args. Subscripts are affine, or read an array. Conditions
compare affine expressions. Types are those of MLIR: `c: f32[64][64]`.
"""

import ast

FLOAT = {"f16", "bf16", "f32", "f64"}
WIDTH = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64,
         "i8": 8, "i16": 16, "i32": 32, "i64": 64}
OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
CALLS = {"exp": "math.exp", "sqrt": "math.sqrt", "tanh": "math.tanh",
         "log": "math.log", "abs": "math.absf"}


class Translator:
    def __init__(self, arrays):
        self.arrays = {}
        for declaration in arrays.split():
            name, type = declaration.split(":")
            element, *extents = type.replace("]", "").split("[")
            self.arrays[name] = (element, extents)
        self.lines, self.count = [], 0
        # Scalars: name to (value, type); loops around: their variables.
        self.scalars, self.loops = {}, []

    def emit(self, text):
        self.lines.append("  " * (len(self.loops) + 1) + text)

    def value(self, text):
        self.count += 1
        self.emit(f"%{self.count} = {text}")
        return f"%{self.count}"

    def memref(self, name):
        element, extents = self.arrays[name]
        return f"memref<{''.join(e + 'x' for e in extents)}{element}>"

    def affine(self, node):
        """The text of an affine expression, or None if it is none."""
        if isinstance(node, ast.Constant):
            return str(node.value)
        if isinstance(node, ast.Name):
            return f"%{node.id}" if node.id in self.loops else None
        if isinstance(node, ast.UnaryOp):
            inner = self.affine(node.operand)
            return None if inner is None else f"-({inner})"
        if isinstance(node, ast.BinOp):
            sides = self.affine(node.left), self.affine(node.right)
            sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*",
                    ast.FloorDiv: "floordiv", ast.Mod: "mod"}[type(node.op)]
            return None if None in sides else f"({sides[0]} {sign} {sides[1]})"
        return None

    def place(self, node):
        """The array, the subscripts and the dialect of an element."""
        subscripts = []
        while isinstance(node, ast.Subscript):
            subscripts.insert(0, node.slice)
            node = node.value
        texts = [self.affine(s) for s in subscripts]
        if None not in texts:
            return node.id, ", ".join(texts), "affine"
        return node.id, ", ".join(self.index(s) for s in subscripts), "memref"

    def index(self, node):
        text = self.affine(node)
        if text is not None:
            return self.value(f"affine.apply affine_map<({', '.join('%s' % v for v in self.loops)}) -> ({text.replace('%', '')})>({', '.join('%' + v for v in self.loops)})")
        value, type = self.expression(node, "i32")
        return self.value(f"arith.index_cast {value} : {type} to index")

    def expression(self, node, wanted):
        """The value of an expression and its type; `wanted` for constants."""
        if isinstance(node, ast.Constant):
            literal = f"{float(node.value):e}" if wanted in FLOAT else node.value
            return self.value(f"arith.constant {literal} : {wanted}"), wanted
        if isinstance(node, ast.Name):
            return self.scalars[node.id]
        if isinstance(node, ast.Subscript):
            name, subscripts, dialect = self.place(node)
            load = f"{dialect}.load %{name}[{subscripts}] : {self.memref(name)}"
            return self.value(load), self.arrays[name][0]
        if isinstance(node, ast.Call):
            return self.call(node, wanted)
        left, type = self.expression(node.left, wanted)
        right, _ = self.expression(node.right, type)
        kind = OPERATORS[node.op.__class__]
        suffix = "f" if type in FLOAT else "si" if kind == "div" else "i"
        return self.value(f"arith.{kind}{suffix} {left}, {right} : {type}"), type

    def call(self, node, wanted):
        name = node.func.id
        if name in WIDTH:
            value, type = self.expression(node.args[0], name)
            wider = WIDTH[name] > WIDTH[type]
            if type in FLOAT:
                cast = "extf" if wider else "truncf"
            else:
                cast = ("sitofp" if name in FLOAT else
                        "extsi" if wider else "trunci")
            return self.value(f"arith.{cast} {value} : {type} to {name}"), name
        values = []
        for argument in node.args:
            value, wanted = self.expression(argument, wanted)
            values.append(value)
        if name in ("max", "min", "umax", "umin"):
            kind = name.lstrip("u") + (
                "imumf" if wanted in FLOAT else
                "ui" if name[0] == "u" else "si")
            return self.value(f"arith.{kind} {', '.join(values)} : {wanted}"), wanted
        return self.value(f"{CALLS[name]} {values[0]} : {wanted}"), wanted

    def statement(self, node):
        if isinstance(node, ast.For):
            return self.loop(node)
        if isinstance(node, ast.If):
            return self.condition(node)
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        is_element = isinstance(target, ast.Subscript)
        if is_element:
            root = target
            while isinstance(root, ast.Subscript):
                root = root.value
            type = self.arrays[root.id][0]
        else:
            type = self.scalars.get(target.id, (None, self.default))[1]
        right = node.value
        if isinstance(node, ast.AugAssign):
            right = ast.BinOp(target, node.op, node.value)
        value, type = self.expression(right, type)
        if not is_element:
            self.scalars[target.id] = (value, type)
            return
        name, subscripts, dialect = self.place(target)
        self.emit(f"{dialect}.store {value}, %{name}[{subscripts}] : "
                  f"{self.memref(name)}")

    def bound(self, node, which):
        """A bound: a number, or a maximum or minimum of affine expressions."""
        text = self.affine(node)
        if text is None:
            parts = ", ".join(self.affine(a) for a in node.args)
        elif isinstance(node, ast.Constant):
            return text
        else:
            parts = text
        names = ", ".join(self.loops)
        uses = ", ".join("%" + v for v in self.loops)
        return f"{which} affine_map<({names}) -> ({parts.replace('%', '')})>({uses})"

    def loop(self, node):
        bounds = node.iter.args
        if len(bounds) == 1:
            bounds = [ast.Constant(0)] + bounds
        low = self.bound(bounds[0], "max")
        high = self.bound(bounds[1], "min")
        step = f" step {bounds[2].value}" if len(bounds) > 2 else ""
        assigned = [n.id for n in ast.walk(node)
                    if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        carried = [n for n in self.scalars if n in assigned]
        head = f"affine.for %{node.target.id} = {low} to {high}{step}"
        before = dict(self.scalars)
        if carried:
            inits, types = [], []
            for name in carried:
                value, type = self.scalars[name]
                self.count += 1
                inits.append(f"%{self.count} = {value}")
                self.scalars[name] = (f"%{self.count}", type)
                types.append(type)
            head += f" iter_args({', '.join(inits)}) -> ({', '.join(types)})"
            self.count += 1
            result = f"%{self.count}"
            head = f"{result}:{len(carried)} = {head}"
        self.emit(head + " {")
        self.loops.append(node.target.id)
        for inner in node.body:
            self.statement(inner)
        if carried:
            values = ", ".join(self.scalars[n][0] for n in carried)
            self.emit(f"affine.yield {values} : {', '.join(types)}")
        self.loops.pop()
        self.emit("}")
        self.scalars = before
        for position, name in enumerate(carried):
            self.scalars[name] = (f"{result}#{position}", types[position])

    def condition(self, node):
        test = node.test
        left, right = self.affine(test.left), self.affine(test.comparators[0])
        kind = type(test.ops[0])
        text = {ast.Lt: f"{right} - {left} - 1 >= 0",
                ast.LtE: f"{right} - {left} >= 0",
                ast.Gt: f"{left} - {right} - 1 >= 0",
                ast.Eq: f"{left} - {right} == 0"}[kind].replace("%", "")
        uses = ", ".join("%" + v for v in self.loops)
        self.emit(f"affine.if affine_set<({', '.join(self.loops)}) : ({text})>({uses}) {{")
        for inner in node.body:
            self.statement(inner)
        self.emit("}")

    def function(self, source, name="kernel"):
        self.default = next(iter(self.arrays.values()))[0]
        for node in ast.parse(source).body:
            self.statement(node)
        arguments = ", ".join(f"%{n}: {self.memref(n)}" for n in self.arrays)
        body = "\n".join(self.lines)
        return f"func.func @{name}({arguments}) {{\n{body}\n  return\n}}\n"


def translate(arrays, source):
    """A function of these arrays, such as "a:f32[8] b:f32[8]"."""
    return Translator(arrays).function(source)
