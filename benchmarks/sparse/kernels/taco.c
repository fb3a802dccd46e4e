// Passes operands to the function `compute` in TACO_SOURCE, which TACO's tool
// has generated. They are those of csr.c and csf.c. The kernel's name is a
// macro. TACO doesn't read formats and ranks at run time.

// The first extent, and the imaginary unit of complex.h.
#pragma push_macro("I")
#include TACO_SOURCE
#pragma pop_macro("I")

// A tensor with its first value in an operand. The levels after the first
// begin with positions and coordinates in the first operands, if the tensor is
// sparse; else TACO doesn't look.
#define LEVEL(n) (uint8_t **)(operands + 2 * (n - 1))
#define TENSOR(operand, ...)                                                   \
  &(taco_tensor_t) {                                                           \
    .dimensions = (int32_t[]){__VA_ARGS__},                                    \
    .indices = (uint8_t **[]){0, LEVEL(1), LEVEL(2), LEVEL(3)},                \
    .vals = operands[operand]                                                  \
  }

#if defined(spmv)
void kernel_spmv(void **operands) {
  compute(TENSOR(4, ROWS), TENSOR(2, ROWS, COLUMNS), TENSOR(3, COLUMNS));
}
#elif defined(spmm)
void kernel_spmm(void **operands) {
  compute(TENSOR(4, ROWS, N), TENSOR(2, ROWS, COLUMNS), TENSOR(3, COLUMNS, N));
}
#elif defined(sddmm)
// The result has the pattern of the operand.
void kernel_sddmm(void **operands) {
  compute(TENSOR(5, ROWS, COLUMNS), TENSOR(2, ROWS, COLUMNS),
          TENSOR(3, ROWS, N), TENSOR(4, COLUMNS, N));
}
#elif defined(ttv)
void kernel_ttv(void **operands) {
  compute(TENSOR(6, I, J), TENSOR(4, I, J, K), TENSOR(5, K));
}
#elif defined(mttkrp)
void kernel_mttkrp(void **operands) {
  compute(TENSOR(10, I, N), TENSOR(6, I, K, L, M), TENSOR(7, K, N),
          TENSOR(8, L, N), TENSOR(9, M, N));
}
#endif
