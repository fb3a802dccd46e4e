#!/usr/bin/env python3
"""Writes a network with random weights as linalg on tensors, and as ONNX."""

import argparse
import sys

import mlir_writer
import networks
import onnx_writer


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=networks.NETWORKS)
    parser.add_argument("--small", action="store_true",
                        help="the same layers at tiny sizes")
    parser.add_argument("--seed", type=int, default=1,
                        help="of the weights (1)")
    parser.add_argument("--mlir", help="writes this file")
    parser.add_argument("--onnx", help="writes this file, of opset 17")
    options = parser.parse_args()
    if not options.mlir and not options.onnx:
        parser.error("name a file to write: --mlir=FILE or --onnx=FILE")
    network = networks.make(options.name, options.small, options.seed)
    if options.mlir:
        mlir_writer.write(network, options.mlir)
    if options.onnx:
        onnx_writer.write(network, options.onnx)
    return 0


if __name__ == "__main__":
    sys.exit(main())
