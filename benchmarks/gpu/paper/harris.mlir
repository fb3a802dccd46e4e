// Harris of the BaCO paper: corners of 1024 x 1024 elements in f32, computed in one
// kernel. The knobs, their values and their constraints are those of the paper: a
// block has tiles of tileY x tileX elements, of which a thread has vec at once; gs0
// and gs1 are the threads of the grid, ls0 and ls1 those of a block, along rows and
// columns. Beyond the paper's, tiles must divide the image. The default is small.
// Reduced by: s/1024x1024xf32/32x32xf32/g; s/1028x1028/36x36/g
#p = #baco.ordinal<[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], log>
#tile = #baco.ordinal<[1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 66, 68, 70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 118, 120, 122, 124, 126, 128, 130, 132, 134, 136, 138, 140, 142, 144, 146, 148, 150, 152, 154, 156, 158, 160, 162, 164, 166, 168, 170, 172, 174, 176, 178, 180, 182, 184, 186, 188, 190, 192, 194, 196, 198, 200, 202, 204, 206, 208, 210, 212, 214, 216, 218, 220, 222, 224, 226, 228, 230, 232, 234, 236, 238, 240, 242, 244, 246, 248, 250, 252, 254, 256, 258, 260, 262, 264, 266, 268, 270, 272, 274, 276, 278, 280, 282, 284, 286, 288, 290, 292, 294, 296, 298, 300, 302, 304, 306, 308, 310, 312, 314, 316, 318, 320, 322, 324, 326, 328, 330, 332, 334, 336, 338, 340, 342, 344, 346, 348, 350, 352, 354, 356, 358, 360, 362, 364, 366, 368, 370, 372, 374, 376, 378, 380, 382, 384, 386, 388, 390, 392, 394, 396, 398, 400, 402, 404, 406, 408, 410, 412, 414, 416, 418, 420, 422, 424, 426, 428, 430, 432, 434, 436, 438, 440, 442, 444, 446, 448, 450, 452, 454, 456, 458, 460, 462, 464, 466, 468, 470, 472, 474, 476, 478, 480, 482, 484, 486, 488, 490, 492, 494, 496, 498, 500, 502, 504, 506, 508, 510, 512, 514, 516, 518, 520, 522, 524, 526, 528, 530, 532, 534, 536, 538, 540, 542, 544, 546, 548, 550, 552, 554, 556, 558, 560, 562, 564, 566, 568, 570, 572, 574, 576, 578, 580, 582, 584, 586, 588, 590, 592, 594, 596, 598, 600, 602, 604, 606, 608, 610, 612, 614, 616, 618, 620, 622, 624, 626, 628, 630, 632, 634, 636, 638, 640, 642, 644, 646, 648, 650, 652, 654, 656, 658, 660, 662, 664, 666, 668, 670, 672, 674, 676, 678, 680, 682, 684, 686, 688, 690, 692, 694, 696, 698, 700, 702, 704, 706, 708, 710, 712, 714, 716, 718, 720, 722, 724, 726, 728, 730, 732, 734, 736, 738, 740, 742, 744, 746, 748, 750, 752, 754, 756, 758, 760, 762, 764, 766, 768, 770, 772, 774, 776, 778, 780, 782, 784, 786, 788, 790, 792, 794, 796, 798, 800, 802, 804, 806, 808, 810, 812, 814, 816, 818, 820, 822, 824, 826, 828, 830, 832, 834, 836, 838, 840, 842, 844, 846, 848, 850, 852, 854, 856, 858, 860, 862, 864, 866, 868, 870, 872, 874, 876, 878, 880, 882, 884, 886, 888, 890, 892, 894, 896, 898, 900, 902, 904, 906, 908, 910, 912, 914, 916, 918, 920, 922, 924, 926, 928, 930, 932, 934, 936, 938, 940, 942, 944, 946, 948, 950, 952, 954, 956, 958, 960, 962, 964, 966, 968, 970, 972, 974, 976, 978, 980, 982, 984, 986, 988, 990, 992, 994, 996, 998, 1000, 1002, 1004, 1006, 1008, 1010, 1012, 1014, 1016, 1018, 1020, 1022, 1024], log>
#tileX = #baco.knob<"tileX", #tile, default = 16>
#tileY = #baco.knob<"tileY", #tile, default = 4>
#vec = #baco.knob<"vec", #baco.ordinal<[2, 4], log>>
#ls0 = #baco.knob<"ls0", #p, default = 8>
#ls1 = #baco.knob<"ls1", #p, default = 4>
#gs0 = #baco.knob<"gs0", #p, default = 256>
#gs1 = #baco.knob<"gs1", #p, default = 256>
func.func @harris(%x: memref<1028x1028xf32>, %y: memref<1024x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %kappa = arith.constant 0.04 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"],
    baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#tileY, #tileX], global = [#gs1, #gs0],
                       local = [#ls1, #ls0]>,
      #baco.gpu_threads<sizes = [1, #vec], local = [#ls1, #ls0]>],
      where = ["tileX * tileY <= 1024" : "a tile is in shared memory",
               "divides(vec, tileX + 4)" : "rows with their halo are vectors"]>}
    outs(%y : memref<1024x1024xf32>) {
  ^bb0(%before: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    // Sums over 3 x 3 neighbors of products of gradients.
    %sums:3 = scf.for %di = %c0 to %c3 step %c1
        iter_args(%xx0 = %zero, %xy0 = %zero, %yy0 = %zero) -> (f32, f32, f32) {
      %row:3 = scf.for %dj = %c0 to %c3 step %c1
          iter_args(%xx1 = %xx0, %xy1 = %xy0, %yy1 = %yy0) -> (f32, f32, f32) {
        %i0 = arith.addi %i, %di : index
        %i1 = arith.addi %i0, %c1 : index
        %i2 = arith.addi %i0, %c2 : index
        %j0 = arith.addi %j, %dj : index
        %j1 = arith.addi %j0, %c1 : index
        %j2 = arith.addi %j0, %c2 : index
        %x00 = memref.load %x[%i0, %j0] : memref<1028x1028xf32>
        %x01 = memref.load %x[%i0, %j1] : memref<1028x1028xf32>
        %x02 = memref.load %x[%i0, %j2] : memref<1028x1028xf32>
        %x10 = memref.load %x[%i1, %j0] : memref<1028x1028xf32>
        %x12 = memref.load %x[%i1, %j2] : memref<1028x1028xf32>
        %x20 = memref.load %x[%i2, %j0] : memref<1028x1028xf32>
        %x21 = memref.load %x[%i2, %j1] : memref<1028x1028xf32>
        %x22 = memref.load %x[%i2, %j2] : memref<1028x1028xf32>
        %gx0 = arith.mulf %x12, %two : f32
        %gx1 = arith.addf %x02, %gx0 : f32
        %gx2 = arith.addf %gx1, %x22 : f32
        %gx3 = arith.mulf %x10, %two : f32
        %gx4 = arith.addf %x00, %gx3 : f32
        %gx5 = arith.addf %gx4, %x20 : f32
        %gx = arith.subf %gx2, %gx5 : f32
        %gy0 = arith.mulf %x21, %two : f32
        %gy1 = arith.addf %x20, %gy0 : f32
        %gy2 = arith.addf %gy1, %x22 : f32
        %gy3 = arith.mulf %x01, %two : f32
        %gy4 = arith.addf %x00, %gy3 : f32
        %gy5 = arith.addf %gy4, %x02 : f32
        %gy = arith.subf %gy2, %gy5 : f32
        %xxp = arith.mulf %gx, %gx : f32
        %xx = arith.addf %xx1, %xxp : f32
        %xyp = arith.mulf %gx, %gy : f32
        %xy = arith.addf %xy1, %xyp : f32
        %yyp = arith.mulf %gy, %gy : f32
        %yy = arith.addf %yy1, %yyp : f32
        scf.yield %xx, %xy, %yy : f32, f32, f32
      }
      scf.yield %row#0, %row#1, %row#2 : f32, f32, f32
    }
    %d0 = arith.mulf %sums#0, %sums#2 : f32
    %d1 = arith.mulf %sums#1, %sums#1 : f32
    %det = arith.subf %d0, %d1 : f32
    %trace = arith.addf %sums#0, %sums#2 : f32
    %squared = arith.mulf %trace, %trace : f32
    %scaled = arith.mulf %squared, %kappa : f32
    %corner = arith.subf %det, %scaled : f32
    linalg.yield %corner : f32
  }
  return
}
