// Runs a circuit with memory off the chip: each cycle takes a request, and what
// is read arrives 12 cycles later. Prints the cycles and the memory at the end.
`timescale 1ns / 1ns
module testbench;
  reg clk = 0, start = 0;
  wire done, request, write;
  wire [8:0] address;
  wire [31:0] wdata;
  reg [31:0] memory [0:511];
  reg [31:0] line [1:12];
  integer cycles = 0, n;

  `CIRCUIT circuit(
    .clk(clk), .start(start), .done(done), .request(request), .write(write),
    .address(address), .wdata(wdata), .rdata(line[12]));

  always #1 clk = !clk;
  always @(posedge clk) begin
    line[1] <= request && !write ? memory[address] : 32'bx;
    for (n = 2; n <= 12; n = n + 1)
      line[n] <= line[n - 1];
    if (request && write)
      memory[address] <= wdata;
    cycles <= cycles + 1;
    if (cycles > 100000) begin
      $display("no end after 100000 cycles");
      $finish;
    end
  end
  initial begin
    $readmemh("before.hex", memory);
    repeat (20) @(negedge clk);
    start = 1;
    cycles = 0;
    @(negedge clk) start = 0;
    while (!done)
      @(negedge clk);
    $display("cycles %0d", cycles);
    // The last store is in memory one cycle later.
    @(negedge clk);
    for (n = 0; n < 512; n = n + 1)
      $display("%h", memory[n]);
    $finish;
  end
endmodule
