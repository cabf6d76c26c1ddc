import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';

const program = (then: string) => `
  const { getPriority } = require('node:os');
  const { parentPort } = require('node:worker_threads');
  import(${JSON.stringify(new URL('./thread-priority.ts', import.meta.url).href)}).then(({ letOthersGoFirst, takeWhatIsLeft }) => {
    ${then}
    parentPort.postMessage(getPriority());
  });`;
const priorityIn = (then: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(program(then), { eval: true });
    worker.once('message', resolve);
    worker.once('error', reject);
  });

test('a thread that lets others go first, or takes what they leave, takes nobody along', async () => {
  const before = getPriority();
  const [behind, last] = process.platform === 'linux' ? [before + 5, 19] : [before, before];
  expect(await priorityIn('letOthersGoFirst();')).toBe(behind);
  expect(await priorityIn('takeWhatIsLeft();')).toBe(last);
  expect([getPriority(), await priorityIn('')]).toEqual([before, before]);
});
