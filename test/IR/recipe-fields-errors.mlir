// RUN: baco-opt %s --split-input-file --verify-diagnostics

// Rules that hold for a recipe and its steps on any op.

// expected-error @below {{a recipe needs at least one step}}
func.func private @f() attributes {recipe = #baco.recipe<[]>}

// -----

// expected-error @below {{element 2 of the recipe is 3 : i64, which is not a step}}
func.func private @f() attributes {recipe = #baco.recipe<[#baco.hoist<>, 3]>}

// -----

// expected-error @below {{knob 'T' redeclared with another domain}}
// expected-note @below {{first declared as #baco.knob<"T", #baco.ordinal<[4, 8]>>}}
func.func private @f() attributes {recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[4, 8]>>, #baco.knob<"T", #baco.ordinal<[4, 16]>>]>]>}

// -----

// expected-error @below {{knob 'T' redeclared with another default or other weights}}
// expected-note @below {{first declared as #baco.knob<"T", #baco.ordinal<[4, 8]>, default = 4>}}
func.func private @f() attributes {recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[4, 8]>, default = 4>]>, #baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[4, 8]>>]>]>}

// -----

// expected-error @below {{condition "NC < 4" reads 'NC', which is not a knob of the recipe; did you mean 'MC'?}}
func.func private @f() attributes {recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[4, 8]>>]>], where = ["NC < 4"]>}

// -----

// expected-error @below {{condition "registers < 4" reads 'registers', which is not a knob of the recipe}}
func.func private @f() attributes {recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[4, 8]>>]>], where = ["MC < 3" : "why", "registers < 4"]>}

// -----

// expected-error @below {{constraint "MC <": }}
func.func private @f() attributes {recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[4, 8]>>]>], where = ["MC <" : "why"]>}

// -----

// expected-error @below {{a tile size must be at least 0, but is -4}}
func.func private @f() attributes {step = #baco.tile<sizes = [0, -4]>}

// -----

// expected-error @below {{a tile size must be an integer or a knob, but is "4"}}
func.func private @f() attributes {step = #baco.tile<sizes = ["4"]>}

// -----

// expected-error @below {{knob 'T': a tile size must not be negative, but its domain has -1}}
func.func private @f() attributes {step = #baco.tile<sizes = [#baco.knob<"T", #baco.integer<-1 to 4>>]>}

// -----

// expected-error @below {{knob 'T': a tile size must be an integer, but its domain is #baco.categorical<["a"]>}}
func.func private @f() attributes {step = #baco.tile<sizes = [#baco.knob<"T", #baco.categorical<["a"]>>]>}

// -----

// expected-error @below {{a tile step must make at least one loop, but all sizes are 0}}
func.func private @f() attributes {step = #baco.tile<sizes = [0, 0]>}

// -----

// expected-error @below {{order [0, 2] must hold each of 0 to its length - 1 once}}
func.func private @f() attributes {step = #baco.tile<sizes = [4, 4], order = [0, 2]>}

// -----

// expected-error @below {{order [0, 1, 2] is for 3 elements, but there are 2}}
func.func private @f() attributes {step = #baco.tile<sizes = [4, 0, 4], order = [0, 1, 2]>}

// -----

// expected-error @below {{an order must be a list of integers or a knob, but is "outer"}}
func.func private @f() attributes {step = #baco.tile<sizes = [4, 4], order = "outer">}

// -----

// expected-error @below {{knob 'order' orders 3 elements, but there are 2}}
func.func private @f() attributes {step = #baco.tile<sizes = [4, 0, 4], order = #baco.knob<"order", #baco.permutation<3>>>}

// -----

// expected-error @below {{knob 'order': an order needs a permutation domain, but has #baco.ordinal<[1]>}}
func.func private @f() attributes {step = #baco.tile<sizes = [4, 4], order = #baco.knob<"order", #baco.ordinal<[1]>>>}

// -----

// expected-error @below {{order [1] must hold each of 0 to its length - 1 once}}
func.func private @f() attributes {step = #baco.interchange<order = [1]>}

// -----

// expected-error @below {{a promote step needs at least one operand}}
func.func private @f() attributes {step = #baco.promote<operands = []>}

// -----

// expected-error @below {{operand index -1 is negative}}
func.func private @f() attributes {step = #baco.promote<operands = [-1]>}

// -----

// expected-error @below {{operand 1 is promoted twice}}
func.func private @f() attributes {step = #baco.promote<operands = [1, 0, 1]>}

// -----

// expected-error @below {{the alignment must be a power of two, but is 48}}
func.func private @f() attributes {step = #baco.promote<operands = [0], alignment = 48>}

// -----

// expected-error @below {{the vector length of copies must be at least 1, but is 0}}
func.func private @f() attributes {step = #baco.vectorize<copy_length = 0>}

// -----

// expected-error @below {{a step 'llvm' sets no option; write for example {opt_level = 0}}}
func.func private @f() attributes {step = #baco.llvm<{}>}

// -----

// expected-error @below {{there is no target option 'level'; known are 'opt_level', 'codegen_level'}}
func.func private @f() attributes {step = #baco.llvm<{level = 1}>}

// -----

// expected-error @below {{the knob of target option 'opt_level' must be called 'llvm.opt_level', but is called 'O'}}
func.func private @f() attributes {step = #baco.llvm<{opt_level = #baco.knob<"O", #baco.ordinal<[0, 3]>>}>}

// -----

// expected-error @below {{target option 'interleave_count' must be 1, 2, 4, 8 or 16, but is 6 : i64}}
func.func private @f() attributes {step = #baco.llvm<{interleave_count = #baco.knob<"llvm.interleave_count", #baco.ordinal<[4, 6]>>}>}

// -----

// expected-error @below {{1 remainders given for 2 sizes}}
func.func private @f() attributes {step = #baco.tile<sizes = [4, 4], remainders = ["split"]>}

// -----

// expected-error @below {{a remainder must be "exact", "split" or "balance", but is "cut"}}
func.func private @f() attributes {step = #baco.tile<sizes = [4], remainders = ["cut"]>}

// -----

// expected-error @below {{a remainder must be "exact", "split" or "balance", but is 4}}
func.func private @f() attributes {step = #baco.tile<sizes = [4], remainders = [4]>}

// -----

// expected-error @below {{a remainder of "balance" is given where the size is 0}}
func.func private @f() attributes {step = #baco.tile<sizes = [4, 0], remainders = ["exact", "balance"]>}

// -----

// expected-error @below {{the largest tile of the rest is -1, but must not be negative}}
func.func private @f() attributes {step = #baco.tile<sizes = [4], remainders = ["split"], rest = -1>}

// -----

// expected-error @below {{'rest' is given, but no remainder is "split"}}
func.func private @f() attributes {step = #baco.tile<sizes = [4], remainders = ["balance"], rest = 2>}

// -----

// expected-error @below {{knob 'T': size must be an integer, but its domain is #baco.categorical}}
func.func private @f() attributes {step = #baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"T", #baco.categorical<["a", "b"]>>>}

// -----

// expected-error @below {{knob 'T': size must be an integer, but its domain is #baco.permutation}}
func.func private @f() attributes {step = #baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"T", #baco.permutation<3>>>}

// -----

// expected-error @below {{knob 'T': an order needs a permutation domain, but has #baco.ordinal}}
func.func private @f() attributes {step = #baco.loop_permute<order = #baco.knob<"T", #baco.ordinal<[1, 2]>>>}

// -----

// expected-error @below {{names "TT", which is not a knob of the recipe}}
func.func private @f() attributes {recipe = #baco.recipe<[#baco.loop_tile<statement = 0, loop = 1, size = "TT">]>}

// -----

// expected-error @below {{names "foo", which is not a knob of the recipe}}
func.func private @f() attributes {recipe = #baco.recipe<[#baco.loop_auto<fusion = "foo">]>}

// -----

// expected-error @below {{names "TK", which is not a knob of the recipe; did you mean "TJ"?}}
func.func private @f() attributes {recipe = #baco.recipe<[#baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"TJ", #baco.ordinal<[4, 8]>>>, #baco.loop_split<statement = 0, loop = 1, condition = "L1 mod 2 = 0 and L1 >= p0 + TK">]>}

// -----

// expected-error @below {{knob 'T': size must be at least 0, but -4 is among its values}}
func.func private @f() attributes {step = #baco.loop_tile<statement = 0, loop = 1, size = #baco.knob<"T", #baco.integer<-4 to 4>>>}

// -----

// expected-error @below {{knob 'C': a list needs a permutation domain, but has #baco.ordinal}}
func.func private @f() attributes {step = #baco.loop_skew<statement = 0, loop = 2, coefficients = #baco.knob<"C", #baco.ordinal<[1, 2]>>>}

// -----

// expected-error @below {{a loop can't be scaled by 0}}
func.func private @f() attributes {step = #baco.loop_scale<statement = 0, loop = 1, factor = #baco.knob<"F", #baco.ordinal<[-1, 0, 1]>>>}

// -----

// expected-error @below {{a loop can't be scaled by 0}}
func.func private @f() attributes {step = #baco.loop_scale<statement = 0, loop = 1, factor = 0>}

// -----

// expected-error @below {{a parallelize step needs either 'sizes' or 'threads'}}
func.func private @f() attributes {step = #baco.parallelize<>}

// -----

// expected-error @below {{a parallelize step needs either 'sizes' or 'threads'}}
func.func private @f() attributes {step = #baco.parallelize<sizes = [4], threads = [4]>}

// -----

// expected-error @below {{a number of threads must be at least 0, but is -4}}
func.func private @f() attributes {step = #baco.parallelize<threads = [-4]>}

// -----

// expected-error @below {{a recipe of loop commands must be for 1 nest or more, but is for 0}}
func.func private @f() attributes {recipe = #baco.recipe<[#baco.loop_vectorize<statement = 0, loop = 1, width = 8>], nests = 0>}

// -----

// expected-error @below {{a recipe of steps must be for 1 op, but is for 2}}
func.func private @f() attributes {recipe = #baco.recipe<[#baco.hoist<>], nests = 2>}

// -----

// expected-error @below {{'enabled' must be 0, 1, or a knob over these, but is "on"}}
func.func private @f() attributes {step = #baco.promote<operands = [0], enabled = "on">}

// -----

// expected-error @below {{'enabled' must be 0, 1, or a knob over these, but is -1 : i64}}
func.func private @f() attributes {step = #baco.hoist<enabled = -1>}

// -----

// expected-error @below {{'enabled' must be 0, 1, or a knob over these, but is #baco.knob<"V", #baco.ordinal<[1, 2]>>}}
func.func private @f() attributes {step = #baco.vectorize<enabled = #baco.knob<"V", #baco.ordinal<[1, 2]>>>}

// -----

// expected-error @below {{'copy_length' is given, but 'enabled' may be 0; the lowering then makes the copies}}
func.func private @f() attributes {step = #baco.vectorize<copy_length = 8, enabled = #baco.knob<"V", #baco.ordinal<[0, 1]>>>}

// -----

// expected-error @below {{element 3 of the recipe is #baco.hoist<>, but follows a loop command; a recipe can't mix steps and loop commands}}
func.func private @f() attributes {recipe = #baco.recipe<[#baco.bufferize<>, #baco.loop_unroll<statement = 0, loop = 1, factor = 2>, #baco.hoist<>]>}

// -----

// expected-error @below {{all entries are 0, so that the step does nothing}}
func.func private @f() attributes {step = #baco.parallelize<sizes = [0, 0]>}
