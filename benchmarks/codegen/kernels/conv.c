//===- conv.c - Convolution in C ------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// O += I * K without padding; I is NHWC with N = 1, K is HWCF. The window has R
// rows and columns, and moves by S. Some orders of the loops; those with f
// inside can be vectorized well.

// As it is defined.
void kernel_hwfyxc(void **arguments) {
  T(*restrict I)[IW][C] = arguments[0];
  T(*restrict K)[R][C][F] = arguments[1];
  T(*restrict O)[W][F] = arguments[2];
  for (int h = 0; h < H; ++h)
    for (int w = 0; w < W; ++w)
      for (int f = 0; f < F; ++f)
        for (int y = 0; y < R; ++y)
          for (int x = 0; x < R; ++x)
            for (int c = 0; c < C; ++c)
              O[h][w][f] += I[S * h + y][S * w + x][c] * K[y][x][c][f];
}

// Pixel by pixel.
void kernel_hwyxcf(void **arguments) {
  T(*restrict I)[IW][C] = arguments[0];
  T(*restrict K)[R][C][F] = arguments[1];
  T(*restrict O)[W][F] = arguments[2];
  for (int h = 0; h < H; ++h)
    for (int w = 0; w < W; ++w)
      for (int y = 0; y < R; ++y)
        for (int x = 0; x < R; ++x)
          for (int c = 0; c < C; ++c)
            for (int f = 0; f < F; ++f)
              O[h][w][f] += I[S * h + y][S * w + x][c] * K[y][x][c][f];
}

// A row of pixels for each point of the filter.
void kernel_hyxwcf(void **arguments) {
  T(*restrict I)[IW][C] = arguments[0];
  T(*restrict K)[R][C][F] = arguments[1];
  T(*restrict O)[W][F] = arguments[2];
  for (int h = 0; h < H; ++h)
    for (int y = 0; y < R; ++y)
      for (int x = 0; x < R; ++x)
        for (int w = 0; w < W; ++w)
          for (int c = 0; c < C; ++c)
            for (int f = 0; f < F; ++f)
              O[h][w][f] += I[S * h + y][S * w + x][c] * K[y][x][c][f];
}

// An image for each point of the filter.
void kernel_yxhwcf(void **arguments) {
  T(*restrict I)[IW][C] = arguments[0];
  T(*restrict K)[R][C][F] = arguments[1];
  T(*restrict O)[W][F] = arguments[2];
  for (int y = 0; y < R; ++y)
    for (int x = 0; x < R; ++x)
      for (int h = 0; h < H; ++h)
        for (int w = 0; w < W; ++w)
          for (int c = 0; c < C; ++c)
            for (int f = 0; f < F; ++f)
              O[h][w][f] += I[S * h + y][S * w + x][c] * K[y][x][c][f];
}

// A row of pixels for each row of the filter's matrix.
void kernel_hyxcwf(void **arguments) {
  T(*restrict I)[IW][C] = arguments[0];
  T(*restrict K)[R][C][F] = arguments[1];
  T(*restrict O)[W][F] = arguments[2];
  for (int h = 0; h < H; ++h)
    for (int y = 0; y < R; ++y)
      for (int x = 0; x < R; ++x)
        for (int c = 0; c < C; ++c)
          for (int w = 0; w < W; ++w)
            for (int f = 0; f < F; ++f)
              O[h][w][f] += I[S * h + y][S * w + x][c] * K[y][x][c][f];
}

// A filter for each channel: K is HWC.
void kernel_depthwise(void **arguments) {
  T(*restrict I)[IW][C] = arguments[0];
  T(*restrict K)[R][C] = arguments[1];
  T(*restrict O)[W][C] = arguments[2];
  for (int h = 0; h < H; ++h)
    for (int w = 0; w < W; ++w)
      for (int y = 0; y < R; ++y)
        for (int x = 0; x < R; ++x)
          for (int c = 0; c < C; ++c)
            O[h][w][c] += I[S * h + y][S * w + x][c] * K[y][x][c];
}
