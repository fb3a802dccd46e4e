// RUN: baco-opt %s -split-input-file -verify-diagnostics

module attributes {transform.with_named_sequence} {
transform.named_sequence @negative_operand(%op: !transform.any_op {transform.readonly}) {
  // expected-error @below {{attribute 'operands' failed to satisfy constraint}}
  %copies = transform.baco.gpu_promote %op [0, -1]
    : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @negative_padding(%op: !transform.any_op {transform.readonly}) {
  // expected-error @below {{attribute 'padding' failed to satisfy constraint}}
  %copies = transform.baco.gpu_promote %op [0] {padding = -1}
    : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @no_stage(%op: !transform.any_op {transform.readonly}) {
  // expected-error @below {{attribute 'stages' failed to satisfy constraint}}
  %copies = transform.baco.gpu_promote %op [0] {stages = 0}
    : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @no_width(%op: !transform.any_op {transform.consumed}) {
  // expected-error @below {{attribute 'width' failed to satisfy constraint}}
  transform.baco.gpu_copy %op {width = 0} : !transform.any_op
  transform.yield
}
}
