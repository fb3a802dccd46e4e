// The sum of products of a filter with TAPS coefficients: UNROLL multipliers work
// on as many taps in each cycle, with registers behind them if PIPELINED is 1.

module fir(input clk, input start, input load, input [7:0] sample,
           input [7:0] coefficient, output reg [23:0] result, output reg done);
  parameter TAPS = 16;
  parameter UNROLL = 1;
  parameter PIPELINED = 0;
  localparam CYCLES = TAPS / UNROLL;

  reg [7:0] samples [0:TAPS-1];
  reg [7:0] coefficients [0:TAPS-1];
  integer i;
  // Loading shifts by one tap, working rotates by UNROLL of them.
  always @(posedge clk)
    for (i = 0; i < TAPS; i = i + 1)
      if (load) begin
        samples[i] <= i == 0 ? sample : samples[(i + TAPS - 1) % TAPS];
        coefficients[i] <= i == 0 ? coefficient : coefficients[(i + TAPS - 1) % TAPS];
      end else begin
        samples[i] <= samples[(i + UNROLL) % TAPS];
        coefficients[i] <= coefficients[(i + UNROLL) % TAPS];
      end

  wire [15:0] products [0:UNROLL-1];
  reg [15:0] registers [0:UNROLL-1];
  genvar g;
  generate
    for (g = 0; g < UNROLL; g = g + 1) begin : multipliers
      assign products[g] = samples[g] * coefficients[g];
      always @(posedge clk) registers[g] <= products[g];
    end
  endgenerate

  reg [23:0] partial;
  always @* begin
    partial = 0;
    for (i = 0; i < UNROLL; i = i + 1)
      partial = partial + (PIPELINED ? registers[i] : products[i]);
  end

  reg [23:0] sum;
  reg [7:0] cycle;
  always @(posedge clk)
    if (start || load) begin
      sum <= 0;
      cycle <= 0;
      done <= 0;
    end else if (cycle == CYCLES - 1 + PIPELINED) begin
      result <= sum + partial;
      sum <= 0;
      cycle <= 0;
      done <= 1;
    end else begin
      sum <= sum + partial;
      cycle <= cycle + 1;
      done <= 0;
    end
endmodule
