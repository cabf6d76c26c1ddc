import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const RUN = `
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { countBuffersWithHeap } from '#infra/system/buffers-in-heap.ts';
if (process.argv[1] === 'counted') countBuffersWithHeap();
let major = 0;
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) major += 1;
}).observe({ entryTypes: ['gc'] });
const held = Array.from({ length: 500_000 }, (_, i) => ({ i, pair: [i, i] }));
const buffers = [];
for (let i = 0; i < 1_000; i += 1) {
  buffers[i % 10] = Buffer.alloc(1024 * 1024, 1);
  if (i % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
}
await new Promise((resolve) => setTimeout(resolve, 100));
console.log(held.length && major);
`;

const majorCollections = async (how: string): Promise<number> => {
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', RUN, how];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  return Number(stdout);
};

test('buffers that come and go do not have all of the heap collected again and again', async () => {
  const [usual, counted] = await Promise.all(['usual', 'counted'].map(majorCollections));
  expect(usual).toBeGreaterThan(5);
  expect(counted).toBeLessThan(usual! / 2);
}, 30_000);
