"""Writes a convolution with its filter in a resource, aligned to 64 bytes."""
import struct

SHAPE = "3x3x32x32xf32"
weights = [0.25 + i / 65536 for i in range(3 * 3 * 32 * 32)]
print("""
func.func @f(%%x: tensor<1x30x30x32xf32>) -> tensor<1x28x28x32xf32> {
  %%zero = arith.constant 0.0 : f32
  %%w = arith.constant dense_resource<w> : tensor<%s>
  %%e = tensor.empty() : tensor<1x28x28x32xf32>
  %%f = linalg.fill ins(%%zero : f32) outs(%%e : tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32>
  %%c = linalg.conv_2d_nhwc_hwcf ins(%%x, %%w : tensor<1x30x30x32xf32>, tensor<%s>)
    outs(%%f : tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32>
  return %%c : tensor<1x28x28x32xf32>
}
{-#
  dialect_resources: {
    builtin: {
      w: "0x40000000%s"
    }
  }
#-}""" % (SHAPE, SHAPE, struct.pack("<%df" % len(weights), *weights).hex()))
