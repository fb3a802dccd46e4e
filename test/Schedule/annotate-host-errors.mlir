// RUN: not baco-opt %s --baco-annotate="host=l4=1" 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not baco-opt %s --baco-annotate="host=l1=48K" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not baco-opt %s --baco-annotate="host=vector-bytes=48" 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not baco-opt %s --baco-annotate="host=vector-registers=4" 2>&1 | FileCheck %s --check-prefix=RANGE

// KEY: unknown key 'l4'; there are cpu, vector-bytes, vector-registers, l1, l2, l3, threads and dot-products
// NUMBER: l1 must be a number of 1 to 1099511627776, but is '48K'
// POWER: vector-bytes must be a power of two, but is 48
// RANGE: vector-registers must be a number of 8 to 1024, but is '4'
module {}
