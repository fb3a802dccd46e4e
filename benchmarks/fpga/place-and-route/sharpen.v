// An unsharp mask along the columns of an image of 18 x 32 bytes, four of which
// are a word: t = x[i] + 2 x[i + 1] + x[i + 2], and then 2 x[i + 1] - t / 4
// from 0 to 255, as in sharpen.mlir.
//
//   COLUMNS  elements of a row in a cycle: `columns`
//   FUSE     both loops are one, and t stays in registers: `fuse`
//   COPY_X   x is copied to memory on the chip first: `copy_x`. A second loop
//            that isn't fused reads x off the chip all the same.
//
// A group is four columns: the words of it arrive while the group before is
// computed, and its result is stored behind them.
module sharpen #(
  parameter COLUMNS = 1, FUSE = 0, COPY_X = 0
) (
  input clk, input start, output reg done,
  output reg request, output reg write, output reg [8:0] address,
  output reg [31:0] wdata, input [31:0] rdata
);
  localparam ROWS = 16, WORDS = 8, STEPS = 4 / COLUMNS;
  localparam SMOOTH_READS = COPY_X ? 0 : 3;
  localparam MASK_READS = !FUSE ? 1 : COPY_X ? 0 : 3;
  localparam SMOOTH_PERIOD = SMOOTH_READS > STEPS ? SMOOTH_READS : STEPS;
  localparam MASK_PERIOD = MASK_READS + 1 > STEPS ? MASK_READS + 1 : STEPS;
  localparam [8:0] X = 0, Z = 256;
  localparam IDLE = 0, FILL_X = 1, SMOOTH = 2, MASK = 3;

  reg [1:0] state = IDLE;
  reg [4:0] i;
  reg [7:0] sent, received, ended;  // words of the copy, or groups of the row
  reg [2:0] phase;
  reg issues;

  // The loops of a state: SMOOTH has the first one of two, MASK the second one
  // or both. Each runs a group every `period` cycles.
  wire loads_rows = state == SMOOTH || FUSE;
  wire is_on_chip = COPY_X && loads_rows;
  wire stores = state == MASK;
  wire [2:0] reads = state == SMOOTH ? SMOOTH_READS : MASK_READS;
  wire [2:0] period = state == SMOOTH ? SMOOTH_PERIOD : MASK_PERIOD;

  // What arrives 12 cycles later, or from the chip in the next one: a word, and
  // the end of a group.
  reg [1:0] tag;
  reg [1:0] line [1:12];
  wire is_near = is_on_chip && state != FILL_X;
  wire [1:0] arrival = is_near ? line[1] : line[12];
  wire arrives = arrival[1], is_last = arrival[0];
  integer n;
  always @(posedge clk) begin
    line[1] <= tag;
    line[2] <= is_near ? 0 : line[1];
    for (n = 3; n <= 12; n = n + 1)
      line[n] <= line[n - 1];
  end

  // The image on the chip, in four banks: row i is in bank i mod 4.
  reg [31:0] stage [0:2];
  reg is_complete;
  wire [31:0] read [0:3];
  wire [4:0] filled = received[7:3];
  genvar b;
  generate
    for (b = 0; b < 4; b = b + 1) begin : bank
      reg [31:0] copy_x [0:63];
      reg [31:0] word;
      wire [1:0] below = b - i[1:0];
      wire [4:0] at = i + below;
      always @(posedge clk) begin
        if (state == FILL_X && arrives && filled[1:0] == b)
          copy_x[{filled[4:2], received[2:0]}] <= rdata;
        word <= copy_x[{at[4:2], received[2:0]}];
      end
      assign read[b] = word;
    end
  endgenerate
  wire [4:0] row = !loads_rows ? i + 1 : phase == 0 ? i : i + 3 - phase;
  wire [1:0] bank1 = i[1:0] + 1, bank2 = i[1:0] + 2;

  // Words of a group, which then move by COLUMNS bytes in each step. Rows i,
  // i + 2 and i + 1 arrive in this order.
  reg [31:0] word0, word1, word2;
  reg [2:0] left;
  always @(posedge clk) begin
    if (arrives) begin
      stage[0] <= stage[1];
      stage[1] <= stage[2];
      stage[2] <= rdata;
    end
    is_complete <= state >= SMOOTH && is_last;
    if (is_complete) begin
      word0 <= is_on_chip ? read[i[1:0]] : stage[0];
      word1 <= is_on_chip ? read[bank1] : stage[2];
      word2 <= is_on_chip ? read[bank2] : stage[1];
      left <= STEPS;
    end else if (left != 0) begin
      word0 <= word0 >> (8 * COLUMNS);
      word1 <= word1 >> (8 * COLUMNS);
      word2 <= word2 >> (8 * COLUMNS);
      left <= left - 1;
    end
    if (state == IDLE)
      left <= 0;
  end

  // The pipeline of six stages; t is stored, or loaded, at the second one.
  reg [6:1] valid;
  reg [16 * COLUMNS - 1:0] smooth [0:ROWS * 32 / COLUMNS - 1];
  reg [16 * COLUMNS - 1:0] read_t;
  wire [16 * COLUMNS - 1:0] all_t;
  reg [8:0] next_t;
  wire [8 * COLUMNS - 1:0] results;
  always @(posedge clk) begin
    valid <= state < SMOOTH ? 0
             : {valid[5:3], valid[2] && stores, valid[1], left != 0};
    if (!FUSE && state == SMOOTH && valid[2])
      smooth[next_t] <= all_t;
    read_t <= smooth[next_t];
    if (state == FILL_X || state == IDLE)
      next_t <= 0;
    else if (state == SMOOTH ? valid[2] : left != 0)
      next_t <= next_t == ROWS * 32 / COLUMNS - 1 ? 0 : next_t + 1;
  end
  genvar c;
  generate
    for (c = 0; c < COLUMNS; c = c + 1) begin : column
      reg [15:0] ends, t;
      reg [7:0] middle, later, result;
      reg signed [15:0] mask, positive;
      always @(posedge clk) begin
        ends <= word0[8 * c +: 8] + word2[8 * c +: 8];
        middle <= word1[8 * c +: 8];
        t <= FUSE || state == SMOOTH ? ends + {middle, 1'b0}
                                     : read_t[16 * c +: 16];
        later <= middle;
        mask <= {later, 1'b0} - (t >> 2);
        positive <= mask[15] ? 0 : mask;
        result <= positive[15:8] != 0 ? 255 : positive;
      end
      assign all_t[16 * c +: 16] = t;
      assign results[8 * c +: 8] = result;
    end
  endgenerate

  // Four results are a word, which waits for its turn at the port.
  reg [31:0] gathered, kept;
  reg [2:0] numGathered;
  reg is_kept;
  wire [31:0] next_gathered = {results, gathered} >> (8 * COLUMNS);
  wire is_full = stores && valid[5] && numGathered == STEPS - 1;
  wire sends = stores && is_kept && phase == reads;
  always @(posedge clk) begin
    if (valid[5]) begin
      gathered <= next_gathered;
      numGathered <= numGathered == STEPS - 1 ? 0 : numGathered + 1;
    end
    if (is_full)
      kept <= next_gathered;
    is_kept <= is_full || is_kept && !sends;
    if (state < SMOOTH) begin
      numGathered <= 0;
      is_kept <= 0;
    end
  end

  // Loops and what is between them run one after another.
  wire ends_group = state == SMOOTH
      ? valid[2] && (next_t + 1) % STEPS == 0 : sends;
  task enter(input [1:0] next);
    begin
      state <= next;
      sent <= 0;
      received <= 0;
      ended <= 0;
      phase <= 0;
      issues <= 1;
    end
  endtask
  always @(posedge clk) begin
    request <= 0;
    write <= 0;
    tag <= 0;
    done <= 0;
    if (state == FILL_X ? arrives : is_last)
      received <= received + 1;
    case (state)
    IDLE:
      if (start) begin
        i <= 0;
        enter(COPY_X ? FILL_X : FUSE ? MASK : SMOOTH);
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
          issues <= sent != (ROWS + 2) * WORDS - 1;
        end
      end
      if (arrives && received == (ROWS + 2) * WORDS - 1)
        enter(FUSE ? MASK : SMOOTH);
    end
    default: begin
      phase <= phase == period - 1 ? 0 : phase + 1;
      if (issues) begin
        request <= phase < reads;
        address <= X + {row, sent[2:0]};
        tag <= {phase < reads,
                is_on_chip ? phase == 0 : phase == reads - 1};
        if (phase == period - 1) begin
          sent <= sent + 1;
          issues <= sent != WORDS - 1;
        end
      end
      if (sends) begin
        request <= 1;
        write <= 1;
        address <= Z + {i, ended[2:0]};
        wdata <= kept;
      end
      if (ends_group) begin
        ended <= ended + 1;
        if (ended == WORDS - 1) begin
          i <= i == ROWS - 1 ? 0 : i + 1;
          done <= i == ROWS - 1 && state == MASK;
          enter(i != ROWS - 1 ? state : state == MASK ? IDLE : MASK);
        end
      end
    end
    endcase
  end
endmodule
