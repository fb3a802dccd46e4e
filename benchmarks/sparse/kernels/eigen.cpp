// Products by Eigen, with the operands of csr.c.

#include <cstdint>

// Eigen has template parameters of the macros' names.
using Element = T;
enum : int64_t {
  numRows = ROWS,
  numColumns = COLUMNS,
#ifdef N
  numRight = N,
#else
  numRight = 1,
#endif
};
#undef T
#undef N
#undef ROWS
#undef COLUMNS

#include <eigen3/Eigen/Dense>
#include <eigen3/Eigen/Sparse>

using Sparse =
    Eigen::Map<const Eigen::SparseMatrix<Element, Eigen::RowMajor, int32_t>>;
using Vector = Eigen::Matrix<Element, Eigen::Dynamic, 1>;
using Dense =
    Eigen::Matrix<Element, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

static Sparse mapSparse(void **operands) {
  auto *positions = static_cast<const int32_t *>(operands[0]);
  return Sparse(numRows, numColumns, positions[numRows], positions,
                static_cast<const int32_t *>(operands[1]),
                static_cast<const Element *>(operands[2]));
}

static const Element *right(void **operands) {
  return static_cast<const Element *>(operands[3]);
}

static Element *output(void **operands) {
  return static_cast<Element *>(operands[4]);
}

extern "C" void kernel_spmv(void **operands) {
  Eigen::Map<Vector>(output(operands), numRows).noalias() =
      mapSparse(operands) *
      Eigen::Map<const Vector>(right(operands), numColumns);
}

extern "C" void kernel_spmm(void **operands) {
  Eigen::Map<Dense>(output(operands), numRows, numRight).noalias() =
      mapSparse(operands) *
      Eigen::Map<const Dense>(right(operands), numColumns, numRight);
}
