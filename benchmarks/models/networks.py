"""The networks: each a function of the seed and of whether it shall be small,
the same layers with few channels on few pixels or tokens."""

import graph

HEADS = 12


def image(g, is_small):
    return g.input(1, 3, 64, 64) if is_small else g.input(1, 3, 224, 224)


def classify(g, x, classes):
    g.results = [g.linear(g.average_pool(x), classes)]


def basic_block(g, x, channels, stride):
    y = g.map("relu", g.conv(x, channels, 3, stride))
    y = g.conv(y, channels, 3)
    if x.shape != y.shape:
        x = g.conv(x, channels, 1, stride)
    return g.map("relu", g.add(y, x))


def bottleneck(g, x, channels, stride):
    y = g.map("relu", g.conv(x, channels, 1))
    y = g.map("relu", g.conv(y, channels, 3, stride))
    y = g.conv(y, 4 * channels, 1)
    if x.shape != y.shape:
        x = g.conv(x, 4 * channels, 1, stride)
    return g.map("relu", g.add(y, x))


def resnet(g, is_small, block, counts):
    """He et al., Deep Residual Learning for Image Recognition, 2016. Batch
    norms are folded into the convolutions."""
    share = 8 if is_small else 1
    x = g.map("relu", g.conv(image(g, is_small), 64 // share, 7, 2))
    x = g.max_pool(x, 3, 2)
    for stage, count in enumerate(counts):
        for i in range(count):
            x = block(g, x, 64 * 2**stage // share, 2 if stage and not i else 1)
    classify(g, x, 1000 // share)


def resnet18(g, is_small):
    resnet(g, is_small, basic_block, [2, 2, 2, 2])


def resnet50(g, is_small):
    resnet(g, is_small, bottleneck, [3, 4, 6, 3])


# Of MobileNetV2: expansion, channels, blocks, stride.
INVERTED_RESIDUALS = (
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
    (6, 160, 3, 2), (6, 320, 1, 1))


def mobilenetv2(g, is_small):
    """Sandler et al., MobileNetV2: Inverted Residuals and Linear Bottlenecks,
    2018, table 2."""
    share = 8 if is_small else 1
    x = g.map("relu6", g.conv(image(g, is_small), 32 // share, 3, 2))
    for expansion, channels, count, stride in INVERTED_RESIDUALS:
        for i in range(count):
            y = x
            if expansion > 1:
                y = g.map("relu6", g.conv(y, expansion * x.shape[1], 1))
            y = g.map("relu6", g.depthwise(y, 3, 1 if i else stride))
            y = g.conv(y, channels // share, 1)
            x = g.add(x, y) if x.shape == y.shape else y
    classify(g, g.map("relu6", g.conv(x, 1280 // share, 1)), 1000 // share)


def mobilenetv2_int8(g, is_small):
    """MobileNetV2 with its convolutions and sums in bytes: Jacob et al.,
    Quantization and Training of Neural Networks for Efficient
    Integer-Arithmetic-Only Inference, 2018."""
    share = 8 if is_small else 1
    x = g.quantized_conv(g.quantize(image(g, is_small)), 32 // share, 3, 2)
    for expansion, channels, count, stride in INVERTED_RESIDUALS:
        for i in range(count):
            y = x
            if expansion > 1:
                y = g.quantized_conv(y, expansion * x.shape[1], 1)
            y = g.quantized_depthwise(y, 3, 1 if i else stride)
            y = g.quantized_conv(y, channels // share, 1, is_bounded=False)
            x = g.quantized_add(x, y) if x.shape == y.shape else y
    x = g.quantized_conv(x, 1280 // share, 1)
    classify(g, g.dequantize(x), 1000 // share)
    # ONNX Runtime's fused sums round some bytes to the other neighbor (without
    # its optimizations they don't), and the layers behind amplify that.
    g.tolerance = 0.1


def split_heads(g, x):
    return g.transpose(g.split(x, HEADS), 1, 0, 2)


def attend(g, queries, keys, values):
    """Attention of [heads, tokens, features] to a row of each token."""
    scores = g.scale(g.batch_matmul(queries, keys, is_transposed=True),
                     queries.shape[2]**-0.5)
    heads = g.batch_matmul(g.softmax(scores), values)
    return g.merge(g.transpose(heads, 1, 0, 2))


def bert_layer(g, is_small):
    """An encoder layer of BERT-base on 128 tokens: Devlin et al., BERT:
    Pre-training of Deep Bidirectional Transformers, 2019."""
    tokens, size = (8, 96) if is_small else (128, 768)
    x = g.input(tokens, size)
    queries, keys, values = (split_heads(g, g.linear(x, size))
                             for _ in range(3))
    attended = g.linear(attend(g, queries, keys, values), size)
    x = g.layer_norm(g.add(x, attended))
    inner = g.map("gelu", g.linear(x, 4 * size))
    g.results = [g.layer_norm(g.add(x, g.linear(inner, size)))]


def gpt2_step(g, is_small):
    """The next token through two blocks of GPT-2 small, whose caches hold keys
    and values of 127 tokens before: Radford et al., Language Models are
    Unsupervised Multitask Learners, 2019."""
    past, size = (7, 96) if is_small else (127, 768)
    x = g.input(1, size)
    cached = [g.input(HEADS, past, size // HEADS) for _ in range(4)]
    caches = []
    for block in range(2):
        projected = g.linear(g.layer_norm(x), 3 * size)
        queries, keys, values = (
            split_heads(g, g.slice(projected, 1, i * size, size))
            for i in range(3))
        keys = g.concat(cached[2 * block], keys, 1)
        values = g.concat(cached[2 * block + 1], values, 1)
        caches += [keys, values]
        x = g.add(x, g.linear(attend(g, queries, keys, values), size))
        inner = g.map("gelu_tanh", g.linear(g.layer_norm(x), 4 * size))
        x = g.add(x, g.linear(inner, size))
    g.results = [x, *caches]


def unet_block(g, is_small):
    """The first residual block after a skip connection in the denoiser of
    Stable Diffusion 1, on a quarter of its pixels: Rombach et al.,
    High-Resolution Image Synthesis with Latent Diffusion Models, 2022."""
    channels, pixels, groups = (40, 8, 4) if is_small else (320, 32, 32)
    x, skipped = (g.input(1, channels, pixels, pixels) for _ in range(2))
    time = g.input(1, 4 * channels)
    x = g.concat(x, skipped, 1)
    y = g.conv(g.map("silu", g.group_norm(x, groups)), channels, 3)
    y = g.add_to_channels(y, g.linear(g.map("silu", time), channels))
    y = g.conv(g.map("silu", g.group_norm(y, groups)), channels, 3)
    g.results = [g.add(g.conv(x, channels, 1), y)]


NETWORKS = {"resnet18": resnet18, "resnet50": resnet50,
            "mobilenetv2": mobilenetv2,
            "mobilenetv2-int8": mobilenetv2_int8, "bert-layer": bert_layer,
            "gpt2-step": gpt2_step, "unet-block": unet_block}


def make(name, is_small, seed):
    g = graph.Graph(seed)
    NETWORKS[name](g, is_small)
    return g
