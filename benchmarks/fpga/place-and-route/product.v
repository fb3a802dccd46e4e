// y[i] += a[i][j] * x[j] for 16 rows of 32 bytes, four of which are a word. The
// products and sums are those of product.mlir.
//
//   ROWS     rows that are computed at once: `rows`
//   COLUMNS  products of a row in a cycle: `columns`
//   COPY_X   x is copied to memory on the chip first: `copy_x`
//
// A group is four columns: a word of each row, and one of x, which arrive while
// the group before is computed.
module product #(
  parameter ROWS = 1, COLUMNS = 1, COPY_X = 0
) (
  input clk, input start, output reg done,
  output reg request, output reg write, output reg [8:0] address,
  output reg [31:0] wdata, input [31:0] rdata
);
  localparam WORDS = 8, STEPS = 4 / COLUMNS, LEVELS = COLUMNS / 2;
  localparam READS = ROWS + (COPY_X ? 0 : 1);
  localparam PERIOD = READS > STEPS ? READS : STEPS;
  localparam [8:0] A = 0, X = 128, Y = 192;
  localparam IDLE = 0, FILL_X = 1, LOAD = 2, RUN = 3, STORE = 4;

  reg [2:0] state = IDLE;
  reg [4:0] i;               // the first row of the block
  reg [3:0] sent, received;  // words of this state, or groups of a block
  reg [2:0] phase;
  reg issues;

  // What arrives 12 cycles later: a word, and the last one of a group.
  reg [1:0] tag;
  reg [1:0] line [1:12];
  wire arrives = line[12][1], is_last = line[12][0];
  integer n;
  always @(posedge clk) begin
    line[1] <= tag;
    for (n = 2; n <= 12; n = n + 1)
      line[n] <= line[n - 1];
  end

  reg [31:0] copy_x [0:WORDS - 1];
  reg [31:0] read_x;
  always @(posedge clk) begin
    if (state == FILL_X && arrives)
      copy_x[received[2:0]] <= rdata;
    read_x <= copy_x[received[2:0]];
  end

  // Words of a group, which then move by COLUMNS bytes in each step.
  reg [32 * READS - 1:0] stage;
  reg [31:0] factors;
  reg is_complete;
  reg [2:0] left;
  integer q;
  reg [32 * ROWS - 1:0] words;
  always @(posedge clk) begin
    if (arrives)
      stage <= {rdata, stage} >> 32;
    is_complete <= state == RUN && arrives && is_last;
    if (is_complete) begin
      words <= stage;
      factors <= COPY_X ? read_x : stage[32 * READS - 1 -: 32];
      left <= STEPS;
    end else if (left != 0) begin
      for (q = 0; q < ROWS; q = q + 1)
        words[32 * q +: 32] <= words[32 * q +: 32] >> (8 * COLUMNS);
      factors <= factors >> (8 * COLUMNS);
      left <= left - 1;
    end else
      left <= 0;
    if (state == IDLE)
      left <= 0;
  end

  // Products, and trees of sums with a register for each level.
  genvar r, c;
  wire signed [17:0] sum [0:ROWS - 1];
  generate
    for (r = 0; r < ROWS; r = r + 1) begin : row
      wire signed [15:0] product [0:COLUMNS - 1];
      for (c = 0; c < COLUMNS; c = c + 1) begin : column
        reg signed [7:0] a, b;
        // Else yosys 0.23 puts the sum behind it in the DSP, and loses a term.
        (* keep *) reg signed [15:0] result;
        always @(posedge clk) begin
          a <= words[32 * r + 8 * c +: 8];
          b <= factors[8 * c +: 8];
          result <= a * b;
        end
        assign product[c] = result;
      end
      if (COLUMNS == 1)
        assign sum[r] = product[0];
      else begin : tree
        reg signed [16:0] pair [0:LEVELS - 1];
        for (c = 0; c < COLUMNS / 2; c = c + 1) begin : column
          always @(posedge clk)
            pair[c] <= product[2 * c] + product[2 * c + 1];
        end
        if (COLUMNS == 2)
          assign sum[r] = pair[0];
        else begin : top
          reg signed [17:0] all;
          always @(posedge clk)
            all <= pair[0] + pair[1];
          assign sum[r] = all;
        end
      end
    end
  endgenerate

  reg [2 + LEVELS:1] valid;
  wire is_summed = valid[2 + LEVELS];
  reg [5:0] summed;
  reg [32 * ROWS - 1:0] sums;
  wire [32 * ROWS - 1:0] next_sums;
  generate
    for (r = 0; r < ROWS; r = r + 1) begin : add
      assign next_sums[32 * r +: 32] = $signed(sums[32 * r +: 32]) + sum[r];
    end
  endgenerate
  always @(posedge clk) begin
    valid <= {valid, left != 0};
    if (state != RUN) begin
      valid <= 0;
      summed <= 0;
    end else if (is_summed)
      summed <= summed + 1;
    if (state == LOAD && arrives || state == STORE)
      sums <= {rdata, sums} >> 32;
    else if (is_summed)
      sums <= next_sums;
  end

  // Loops and what is between them run one after another.
  task enter(input [2:0] next);
    begin
      state <= next;
      sent <= 0;
      received <= 0;
      phase <= 0;
      issues <= 1;
    end
  endtask
  always @(posedge clk) begin
    request <= 0;
    write <= 0;
    tag <= 0;
    done <= 0;
    if (arrives && (state != RUN || is_last))
      received <= received + 1;
    case (state)
    IDLE:
      if (start) begin
        i <= 0;
        enter(COPY_X ? FILL_X : LOAD);
      end
    // The copy's loop moves a byte in a cycle.
    FILL_X: begin
      if (issues) begin
        request <= phase == 0;
        address <= X + sent;
        tag <= {phase == 0, 1'b0};
        phase <= phase == 3 ? 0 : phase + 1;
        if (phase == 3) begin
          sent <= sent + 1;
          issues <= sent != WORDS - 1;
        end
      end
      if (arrives && received == WORDS - 1)
        enter(LOAD);
    end
    LOAD: begin
      if (issues) begin
        request <= 1;
        address <= Y + i + sent;
        tag <= 2'b10;
        sent <= sent + 1;
        issues <= sent != ROWS - 1;
      end
      if (arrives && received == ROWS - 1)
        enter(RUN);
    end
    RUN: begin
      if (issues) begin
        request <= phase < READS;
        address <= phase < ROWS ? A + {i + phase, sent[2:0]} : X + sent;
        tag <= {phase < READS, phase == READS - 1};
        phase <= phase == PERIOD - 1 ? 0 : phase + 1;
        if (phase == PERIOD - 1) begin
          sent <= sent + 1;
          issues <= sent != WORDS - 1;
        end
      end
      if (is_summed && summed == WORDS * STEPS - 1)
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
        done <= i == 16 - ROWS;
        enter(i == 16 - ROWS ? IDLE : LOAD);
      end
    end
    endcase
  end
endmodule
