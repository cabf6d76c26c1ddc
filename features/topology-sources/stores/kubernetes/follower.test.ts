import { expect, test } from '@jest/globals';
import { until } from '#test/setup/until.ts';
import { type ApiReply, Follower } from './follower.ts';

/* A server that ends every watch at once is asked less and less often. */

const LIST = JSON.stringify({ metadata: { resourceVersion: '1' }, items: [] });
const BOOKMARK = `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '1' } } })}\n`;
const GONE = `${JSON.stringify({ type: 'ERROR', object: { code: 410 } })}\n`;
async function* of(text: string): AsyncGenerator<Uint8Array> {
  if (text !== '') yield Buffer.from(text);
}

const ATTEMPTS = 9;
test.each<[string, string, () => ApiReply]>([
  ['with nothing', LIST, () => ({ status: 200, body: of('') })],
  ['after the version that is known', LIST, () => ({ status: 200, body: of(BOOKMARK) })],
  ['as its version is forgotten', LIST, () => ({ status: 410, body: of('{}') })],
  ['with an error that its version is forgotten', LIST, () => ({ status: 200, body: of(GONE) })],
  ['and lists nothing', '', () => ({ status: 200, body: of('') })],
])('a watch that ends at once %s', async (_, list, watched) => {
  const asked: number[] = [];
  const end = new AbortController();
  const follower = new Follower<unknown>({
    path: '/api/v1/pods',
    isMetadataOnly: false,
    get: async (path) => {
      const isWatch = path.includes('watch=1');
      if (isWatch === (list !== '')) asked.push(performance.now());
      return isWatch ? watched() : { status: 200, body: of(list) };
    },
    sink: { read: (one) => one, listed: () => undefined, changed: () => undefined },
    version: null,
    signal: end.signal,
    isWanted: () => true,
    retryMs: 1,
  });
  const done = follower.run();
  await until(async () => asked.length >= ATTEMPTS);
  end.abort();
  await done;
  expect((asked[ATTEMPTS - 1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThan(2 ** (ATTEMPTS - 1) - 16);
});
