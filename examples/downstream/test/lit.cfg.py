import os

import lit.formats

config.name = "downstream"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["test_exec_root"]

tools = os.environ["BACO_TOOLS_DIR"]
root = os.path.dirname(config.test_source_root)
config.substitutions += [
    ("%kernels", os.path.join(root, "kernels")),
    ("%tuned", os.path.join(root, "tuned")),
    ("%cpu", os.environ["TUNED_CPU"]),
    ("%host", os.environ["TUNED_HOST"]),
    (r"\bbaco-opt\b", os.path.join(tools, "baco-opt")),
    (r"\bbaco-tune-driver\b", os.path.join(tools, "baco-tune-driver")),
    (r"\bFileCheck\b", os.environ["FILECHECK"]),
]
