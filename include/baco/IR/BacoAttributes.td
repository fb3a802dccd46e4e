//===- BacoAttributes.td - Domains, knobs, constraints -----*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can be chosen and what must hold. The recipe and its steps, which use
// these, are in BacoRecipe.td.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_BACOATTRIBUTES_TD
#define BACO_IR_BACOATTRIBUTES_TD

include "baco/IR/BacoDialect.td"
include "baco/IR/BacoInterfaces.td"

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

class Baco_Domain<string name, string attrMnemonic>
    : Baco_Attr<name, attrMnemonic, [
        DeclareAttrInterfaceMethods<DomainAttrInterface>]> {
  let genVerifyDecl = 1;
}

def OrdinalAttr : Baco_Domain<"Ordinal", "ordinal"> {
  let summary = "a domain: one integer out of an increasing list";
  let description = [{
    The search treats neighboring values as similar; with `log`, by the ratio
    of the values instead of their difference.

    Example: `#baco.ordinal<[8, 16, 32], log>`.
    Verified: at least one value; values strictly increasing; positive if `log`.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "candidate values, increasing">:$values,
    DefaultValuedParameter<"bool", "false", "compare by ratio">:$log);
  let assemblyFormat = "`<` custom<Integers>($values) `` custom<Log>($log) `>`";
}

def IntegerRangeAttr : Baco_Domain<"IntegerRange", "integer"> {
  let summary = "a domain: an integer out of a range";
  let description = [{
    `lower`, `lower + step`, ... up to `upper`. Compared like an ordinal.

    Example: `#baco.integer<1 to 64>`, `#baco.integer<16 to 256 step 16, log>`.
    Verified: `lower` <= `upper`; `step` >= 1; `lower` positive if `log`.
  }];
  let parameters = (ins
    AttrParameter<"int64_t", "the smallest value">:$lower,
    AttrParameter<"int64_t", "no value is larger">:$upper,
    DefaultValuedParameter<"int64_t", "1", "distance of neighbors">:$step,
    DefaultValuedParameter<"bool", "false", "compare by ratio">:$log);
  let assemblyFormat = [{
    `<` $lower `to` $upper (`step` $step^)? `` custom<Log>($log) `>`
  }];
}

def RealRangeAttr : Baco_Domain<"RealRange", "real"> {
  let summary = "a domain: a real number out of a closed range";
  let description = [{
    Example: `#baco.real<0.0 to 1.0>`, `#baco.real<1.0e-3 to 1.0, log>`.
    Verified: bounds finite; `lower` < `upper`; `lower` positive if `log`.
  }];
  let parameters = (ins
    APFloatParameter<"the smallest value">:$lower,
    APFloatParameter<"the largest value">:$upper,
    DefaultValuedParameter<"bool", "false", "compare by ratio">:$log);
  let assemblyFormat = [{
    `<` custom<Double>($lower) `to` custom<Double>($upper) `` custom<Log>($log)
    `>`
  }];
}

def CategoricalAttr : Baco_Domain<"Categorical", "categorical"> {
  let summary = "a domain: one of some values without an order";
  let description = [{
    Values are strings, booleans or integers; any two are equally different.

    Example: `#baco.categorical<["none", "outer"]>`.
    Verified: at least one value; all of one kind; no value twice.
  }];
  let parameters = (ins
    AttrParameter<"::mlir::ArrayAttr", "the values">:$values);
  let assemblyFormat = "`<` $values `>`";
}

def PermutationAttr : Baco_Domain<"Permutation", "permutation"> {
  let summary = "a domain: an order of n loops";
  let description = [{
    An order p is read `p[position] = loop`, the outermost position first. The
    metric says how the search compares two orders: `spearman` (the default:
    squared differences of positions), `kendall` (pairs in another order),
    `hamming` (loops at another place) or `naive` (equal or not).

    Example: `#baco.permutation<3>`, `#baco.permutation<3, kendall>`.
    Verified: 1 <= n <= 20.
  }];
  let parameters = (ins
    AttrParameter<"int64_t", "number of loops">:$count,
    DefaultValuedParameter<"::baco::PermutationMetric",
                           "::baco::PermutationMetric::Spearman",
                           "how orders are compared">:$metric);
  let assemblyFormat = "`<` $count `` custom<Metric>($metric) `>`";
}

//===----------------------------------------------------------------------===//
// Knob, constraint, reorder
//===----------------------------------------------------------------------===//

def KnobAttr : Baco_Attr<"Knob", "knob"> {
  let summary = "a named choice out of a domain";
  let description = [{
    A knob replaces a constant in a recipe. The same knob may be used in several
    places, which then get the same value. Optional are a default (the first
    value of the domain if not given), an expert's weights (one number for
    each value of the domain, larger for values that are more likely to be
    good), and the extent: the trip count of the loop that the value is a tile
    of, from which a search in another shape learns. Without it, it is found
    where a tile step or `parallelize` reads the knob.

    Example:
    `#baco.knob<"MC", #baco.ordinal<[64, 128]>, default = 128, weights = [1.0, 3.0], extent = 512>`.
    Verified: the name is an identifier; the default is in the domain; one
    weight for each value, none negative, not all zero; an extent is positive,
    and the values are numbers.
  }];
  let parameters = (ins
    StringRefParameter<"how expressions call it">:$name,
    AttrParameter<"::baco::DomainAttrInterface", "its values">:$domain,
    OptionalParameter<"::mlir::Attribute",
                      "a value of the domain">:$defaultValue,
    OptionalParameter<"::mlir::DenseF64ArrayAttr", "a prior">:$weights,
    OptionalParameter<"::mlir::IntegerAttr",
                      "what values are tiles of, i64">:$extent);
  let builders = [AttrBuilder<(ins "::llvm::StringRef":$name,
                                   "::baco::DomainAttrInterface":$domain,
                                   "::mlir::Attribute":$defaultValue,
                                   "::mlir::DenseF64ArrayAttr":$weights), [{
    return $_get($_ctxt, name, domain, defaultValue, weights,
                 ::mlir::IntegerAttr());
  }]>];
  let assemblyFormat = [{
    `<` $name `,` $domain ``
        custom<KnobOptions>($defaultValue, $weights, $extent) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The default if there is one, else the first value of the domain.
    ::mlir::Attribute getDefaultOrFirst() const;
  }];
}

def ConstraintAttr : Baco_Attr<"Constraint", "constraint"> {
  let summary = "a condition over knobs that every configuration must meet";
  let description = [{
    The expression is in baco's language (`docs/Expressions.md`); the reason is
    printed to users. An `advisory` constraint is a heuristic: the best
    configuration may violate it; a search with `ignore-advisory` ignores it.

    Example: `#baco.constraint<"MC % MR == 0", "tiles of MR fill a block">`,
    `#baco.constraint<"MC * KC <= 131072", "A's block fits L2", advisory>`.
    Verified: the expression parses and reads at least one knob.
  }];
  let parameters = (ins
    StringRefParameter<"the condition">:$expression,
    StringRefParameter<"why it must hold; may be empty">:$reason,
    DefaultValuedParameter<"bool", "false", "left out by `ignore-advisory`">:$advisory);
  let assemblyFormat = [{
    `<` $expression `` custom<ReasonAndAdvisory>($reason, $advisory) `>`
  }];
  let genVerifyDecl = 1;
}

def ReorderAttr : Baco_Attr<"Reorder", "reorder"> {
  let summary = "binds an attribute to a list reordered by a knob";
  let description = [{
    Used in `baco.bind` where an order of n loops must be written as an order of
    all iterators. With p the value of the knob, a permutation of n, the
    attribute becomes the list whose first n elements are `list[p[0]]`, ...,
    `list[p[n-1]]`, followed by the others as they are.

    Example: `baco.bind = {interchange = #baco.reorder<"order", [0, 2, 1]>}`
    with `order = [1, 0]` sets `interchange = [2, 0, 1]`.
    Verified: the name is an identifier; the list is a permutation.
  }];
  let parameters = (ins
    StringRefParameter<"name of the knob">:$knob,
    ArrayRefParameter<"int64_t", "what is reordered">:$list);
  let assemblyFormat = "`<` $knob `,` custom<Integers>($list) `>`";
  let genVerifyDecl = 1;
}

#endif // BACO_IR_BACOATTRIBUTES_TD
