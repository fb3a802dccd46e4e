// Makes a circuit's port fit on few pins: words move through them bit by bit.
// The registers take the same logic for each variant.
module pins(
  input clk, input start, input data_in, output reg data_out, output reg done,
  output reg request, output reg write, output reg [8:0] address
);
  wire next_done, next_request, next_write;
  wire [8:0] next_address;
  wire [31:0] wdata;
  reg [31:0] rdata, out;
  reg begins;
  `CIRCUIT circuit(
    .clk(clk), .start(begins), .done(next_done), .request(next_request),
    .write(next_write), .address(next_address), .wdata(wdata), .rdata(rdata));
  always @(posedge clk) begin
    begins <= start;
    rdata <= {rdata, data_in};
    out <= next_write ? wdata : out << 1;
    data_out <= out[31];
    done <= next_done;
    request <= next_request;
    write <= next_write;
    address <= next_address;
  end
endmodule
