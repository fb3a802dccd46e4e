// Runs a network in ONNX Runtime, as caller.c runs programs. Operands are in a
// file as caller.c writes it: the inputs, and the results behind them.
//
//   node onnx-runtime.js MODEL THREADS OPERANDS write FILE
//   node onnx-runtime.js MODEL THREADS OPERANDS time SECONDS CLOCK
//
// The first one writes the operands after an execution, the second one prints
// the median time of an execution in ns; CLOCK is cpu or wall.

const fs = require('fs');
const runtime = require('onnxruntime-node');

const allocate = (metadata) => metadata.map(({shape}) => {
  const count = shape.reduce((a, b) => a * b, 1);
  return new runtime.Tensor('float32', new Float32Array(count), shape);
});

const named = (names, tensors) =>
    Object.fromEntries(names.map((name, i) => [name, tensors[i]]));

const bytes = ({data}) =>
    Buffer.from(data.buffer, data.byteOffset, data.byteLength);

const clocks = {
  cpu: () => {
    const {user, system} = process.cpuUsage();
    return 1e3 * (user + system);
  },
  wall: () => Number(process.hrtime.bigint()),
};

async function main(model, threads, operands, command, ...options) {
  const session = await runtime.InferenceSession.create(model, {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    intraOpNumThreads: Number(threads),
    interOpNumThreads: 1,
  });
  const inputs = allocate(session.inputMetadata);
  const results = allocate(session.outputMetadata);
  const file = fs.openSync(operands);
  for (const tensor of inputs)
    fs.readSync(file, bytes(tensor));
  const feeds = named(session.inputNames, inputs);
  const fetches = named(session.outputNames, results);
  const call = () => session.run(feeds, fetches);
  await call();
  if (command === 'write') {
    const written = [...inputs, ...results].map(bytes);
    fs.writeFileSync(options[0], Buffer.concat(written));
    return;
  }
  const [seconds, clock] = options;
  const now = clocks[clock];
  const samples = [];
  const begin = now();
  await call();
  const once = now() - begin;
  // The clock of the CPU counts in microseconds.
  const count = Math.max(1, Math.ceil(1e6 / (once + 10)));
  const end = now() + 1e9 * seconds;
  do {
    const start = now();
    for (let i = 0; i < count; ++i)
      await call();
    samples.push((now() - start) / count);
  } while (now() < end || samples.length < 3);
  samples.sort((a, b) => a - b);
  console.log(samples[samples.length >> 1].toFixed(1));
}

main(...process.argv.slice(2));
