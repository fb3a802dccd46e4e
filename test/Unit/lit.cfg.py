# The GoogleTest programs, run by lit.

import lit.formats

config.name = "BACO-Unit"
config.suffixes = []
config.test_source_root = config.baco_unittests_dir
config.test_exec_root = config.baco_unittests_dir
config.test_format = lit.formats.GoogleTest(".", "Tests")
