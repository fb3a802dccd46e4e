// y[i] += x[i + k] * w[k] for 64 results and 16 taps, whose elements are words.
// The products and sums are those of filter.mlir.
//
//   ROWS    results that are computed at once: `rows`
//   COPY_X  x is copied to memory on the chip first: `copy_x`
//   COPY_W  w is: `copy_w`
//
// An iteration needs one more element of x, and one of w: x moves through a
// window of ROWS elements. Elements that aren't on the chip come by the port,
// 12 cycles after the request, with the tag that went along with it.
module filter #(
  parameter ROWS = 1, COPY_X = 0, COPY_W = 0
) (
  input clk, input start, output reg done,
  output reg request, output reg write, output reg [8:0] address,
  output reg [31:0] wdata, input [31:0] rdata
);
  localparam TAPS = 16, RESULTS = 64, LENGTH = RESULTS + TAPS - 1;
  localparam [8:0] X = 0, W = 128, Y = 192;
  localparam LATENCY = COPY_X && COPY_W ? 1 : 12;
  localparam IDLE = 0, FILL_X = 1, FILL_W = 2, LOAD = 3, RUN = 4, STORE = 5;

  reg [2:0] state = IDLE;
  reg [6:0] i;               // the first result of the block
  reg [6:0] sent, received;  // elements of this state
  reg phase;                 // x is requested before w
  reg issues;                // not all of this state are sent

  // What arrives LATENCY cycles later: an element of x (or of what the state
  // loads), one of w, and the end of an iteration.
  reg [2:0] tag;
  reg [2:0] line [1:12];
  wire [2:0] arrival = state == RUN ? line[LATENCY] : line[12];
  wire arrives_x = arrival[2], arrives_w = arrival[1], steps = arrival[0];
  integer n;
  always @(posedge clk) begin
    line[1] <= tag;
    for (n = 2; n <= 12; n = n + 1)
      line[n] <= line[n - 1];
  end

  // Memory on the chip.
  reg [15:0] copy_x [0:127], copy_w [0:15];
  reg [15:0] read_x, read_w, last_x, last_w;
  always @(posedge clk) begin
    if (state == FILL_X && arrives_x)
      copy_x[received] <= rdata[15:0];
    if (state == FILL_W && arrives_x)
      copy_w[received[3:0]] <= rdata[15:0];
    read_x <= copy_x[i + received];
    read_w <= copy_w[received[4:0] - (ROWS - 1)];
    if (arrives_x)
      last_x <= rdata[15:0];
    if (arrives_w)
      last_w <= rdata[15:0];
  end

  // The pipeline: operands, a product in three cycles, and a sum.
  reg [16 * ROWS - 1:0] window;
  reg [15:0] factor;
  reg [32 * ROWS - 1:0] sums;
  reg stepped, counts, v1, v2, v3;
  reg [4:0] summed;
  always @(posedge clk) begin
    stepped <= state == RUN && steps;
    counts <= received >= ROWS - 1;
    if (stepped)
      window <= {COPY_X ? read_x : last_x, window} >> 16;
    factor <= COPY_W ? read_w : last_w;
    v1 <= stepped && counts;
    v2 <= v1;
    v3 <= v2;
    if (state != RUN)
      summed <= 0;
    else if (v3)
      summed <= summed + 1;
  end
  genvar r;
  generate
    for (r = 0; r < ROWS; r = r + 1) begin : row
      reg signed [15:0] a, b, product;
      always @(posedge clk) begin
        a <= window[16 * r +: 16];
        b <= factor;
        product <= a * b;
      end
    end
  endgenerate
  wire [32 * ROWS - 1:0] next_sums;
  generate
    for (r = 0; r < ROWS; r = r + 1) begin : sum
      assign next_sums[32 * r +: 32] =
          $signed(sums[32 * r +: 32]) + row[r].product;
    end
  endgenerate
  always @(posedge clk)
    if (state == LOAD && arrives_x || state == STORE)
      sums <= {rdata, sums} >> 32;
    else if (v3)
      sums <= next_sums;

  // Loops and what is between them run one after another.
  wire main = sent >= ROWS - 1;
  wire needs_w = !COPY_W && main;
  task enter(input [2:0] next);
    begin
      state <= next;
      sent <= 0;
      received <= 0;
      issues <= 1;
      phase <= 0;
    end
  endtask
  task load(input [8:0] from, input [6:0] count, input [2:0] next);
    begin
      if (issues) begin
        request <= 1;
        address <= from + sent;
        tag <= 3'b100;
        sent <= sent + 1;
        issues <= sent != count - 1;
      end
      if (arrives_x) begin
        received <= received + 1;
        if (received == count - 1)
          enter(next);
      end
    end
  endtask
  always @(posedge clk) begin
    request <= 0;
    write <= 0;
    tag <= 0;
    done <= 0;
    case (state)
    IDLE:
      if (start) begin
        i <= 0;
        enter(COPY_X ? FILL_X : COPY_W ? FILL_W : LOAD);
      end
    FILL_X: load(X, LENGTH, COPY_W ? FILL_W : LOAD);
    FILL_W: load(W, TAPS, LOAD);
    LOAD: load(Y + i, ROWS, RUN);
    RUN: begin
      if (issues) begin
        request <= !COPY_X || needs_w;
        address <= !COPY_X && !phase ? X + i + sent : W + sent - (ROWS - 1);
        if (!COPY_X && needs_w && !phase) begin
          tag <= 3'b100;
          phase <= 1;
        end else begin
          tag <= {!COPY_X && !phase, needs_w, 1'b1};
          phase <= 0;
          sent <= sent + 1;
          issues <= sent != TAPS + ROWS - 2;
        end
      end
      if (steps)
        received <= received + 1;
      if (v3 && summed == TAPS - 1)
        enter(STORE);
    end
    STORE: begin
      request <= 1;
      write <= 1;
      address <= Y + i + sent;
      wdata <= sums[31:0];
      sent <= sent + 1;
      if (sent == ROWS - 1) begin
        i <= i + ROWS;
        done <= i == RESULTS - ROWS;
        enter(i == RESULTS - ROWS ? IDLE : LOAD);
      end
    end
    endcase
  end
endmodule
