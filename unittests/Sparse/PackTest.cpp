//===- PackTest.cpp - Packing tensors -------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallMatrix.h"
#include "baco/Sparse/Storage.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::sparse;

static std::string list(const IndexArray &array) {
  std::string text;
  for (size_t i = 0; i < array.size(); ++i)
    text += (i ? " " : "") + std::to_string(array[i]);
  return text;
}

static std::string packed(std::string_view name) {
  Result<PackedTensor> tensor = pack(makeMatrix(), *namedFormat(name, 2));
  if (!tensor)
    return tensor.error().message;
  std::string text;
  for (const PackedLevel &level : tensor->levels)
    text += "[" + list(level.positions) + "|" + list(level.coordinates) + "] ";
  for (double value : tensor->values)
    text += std::to_string(static_cast<int>(value)) + ",";
  return text;
}

TEST(PackTest, PacksNamedFormats) {
  EXPECT_EQ(packed("csr"), "[|] [0 2 2 3|0 1 3] 1,2,5,");
  EXPECT_EQ(packed("csc"), "[|] [0 1 2 2 3|0 0 2] 1,2,5,");
  EXPECT_EQ(packed("dcsr"), "[0 2|0 2] [0 2 3|0 1 3] 1,2,5,");
  EXPECT_EQ(packed("dcsc"), "[0 3|0 1 3] [0 1 2 3|0 0 2] 1,2,5,");
  EXPECT_EQ(packed("csf"), packed("dcsr"));
  EXPECT_EQ(packed("coo"), "[0 3|0 0 2] [|0 1 3] 1,2,5,");
  EXPECT_EQ(packed("dense"), "[|] [|] 1,2,0,0,0,0,0,0,0,0,0,5,");
  EXPECT_FALSE(namedFormat("csr", 3));
  EXPECT_FALSE(namedFormat("bsr", 2));
  EXPECT_EQ(packed("dense-csf"), packed("csr"));
  EXPECT_EQ(*namedFormat("dense-dense-dense", 3), *namedFormat("dense", 3));
  EXPECT_FALSE(namedFormat("dense-csf", 1));
  EXPECT_FALSE(namedFormat("dense-csr", 2));
}

TEST(PackTest, WidthsThatAreTooSmallAreErrors) {
  // 257 entries in 256 columns.
  Result<TensorBuilder> builder = TensorBuilder::create({2, 256});
  for (int64_t i = 0; i < 256; ++i)
    builder->add(std::vector<int64_t>{0, i}, 1);
  builder->add(std::vector<int64_t>{1, 0}, 1);
  CoordinateTensor tensor = std::move(*builder).finish();
  StorageFormat format = *namedFormat("csr", 2);
  format.coordinateWidth = 8;
  format.positionWidth = 16;
  Result<PackedTensor> packed = pack(tensor, format);
  ASSERT_TRUE(packed) << packed.error().message;
  EXPECT_EQ(packed->byteSize(4), 257u * (1 + 4) + 3u * 2);
  format.positionWidth = 8;
  EXPECT_EQ(pack(tensor, format).error().message,
            "level 1 has 257 positions, which 8 bits of 'posWidth' don't hold");
  format = *namedFormat("csc", 2);
  format.coordinateWidth = 8;
  EXPECT_TRUE(pack(tensor, format));
  Result<TensorBuilder> wider = TensorBuilder::create({2, 257});
  format = *namedFormat("csr", 2);
  format.coordinateWidth = 8;
  EXPECT_EQ(pack(std::move(*wider).finish(), format).error().message,
            "level 1 has coordinates up to 256, which 8 bits of 'crdWidth' "
            "don't hold");
}
