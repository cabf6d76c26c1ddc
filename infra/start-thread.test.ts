import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { startThread } from './start-thread.ts';

const own = [...process.execArgv];
afterEach(() => {
  process.execArgv = own;
});

test('a thread starts in a process that has options of its own, as those of npm start', async () => {
  process.execArgv = [...own, '--v8-pool-size=0', '--disable-warning=TimeoutNegativeWarning'];
  const code = `import { parentPort } from 'node:worker_threads'; parentPort.postMessage(process.execArgv)`;
  const thread = startThread(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {});
  const [options] = (await once(thread, 'message')) as [string[]];
  expect(options).toContain('--disable-warning=TimeoutNegativeWarning');
  expect(options).not.toContain('--v8-pool-size=0');
});
