import { expect, test } from '@jest/globals';
import { type ApiReply, Follower } from './follower.ts';

/* A server that ends every watch at once is asked less and less often. */

const LIST = JSON.stringify({ metadata: { resourceVersion: '1' }, items: [] });
const BOOKMARK = `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '1' } } })}\n`;
const GONE = `${JSON.stringify({ type: 'ERROR', object: { code: 410 } })}\n`;
async function* of(text: string): AsyncGenerator<Uint8Array> {
  if (text !== '') yield Buffer.from(text);
}

const DOUBLING = [1, 2, 4, 8, 16, 32];
const MAX_REQUESTS = 40;

/** Returns the pauses, ms, up to a number of them or of requests. */
async function pausesOf(list: string, watched: (requests: number) => ApiReply, now: () => number): Promise<number[]> {
  const pauses: number[] = [];
  let requests = 0;
  await new Follower<unknown>({
    path: '/api/v1/pods',
    isMetadataOnly: false,
    get: async (path) => {
      requests += 1;
      return path.includes('watch=1') ? watched(requests) : { status: 200, body: of(list) };
    },
    sink: { read: (one) => one, listed: () => undefined, changed: () => undefined },
    version: null,
    signal: new AbortController().signal,
    isWanted: () => pauses.length < DOUBLING.length && requests < MAX_REQUESTS,
    retryMs: 1,
    now,
    pause: async (ms) => void pauses.push(ms),
  }).run();
  return pauses;
}

test.each<[string, string, () => ApiReply]>([
  ['with nothing', LIST, () => ({ status: 200, body: of('') })],
  ['after the version that is known', LIST, () => ({ status: 200, body: of(BOOKMARK) })],
  ['as its version is forgotten', LIST, () => ({ status: 410, body: of('{}') })],
  ['with an error that its version is forgotten', LIST, () => ({ status: 200, body: of(GONE) })],
  ['and lists nothing', '', () => ({ status: 200, body: of('') })],
])('a watch that ends at once %s', async (_, list, watched) => {
  expect(await pausesOf(list, watched, () => 0)).toEqual(DOUBLING);
});

test('a watch that was open for a while ends the pauses', async () => {
  let time = 0;
  // Fails four times; from then on, each watch is quiet for two minutes.
  const watched = (requests: number): ApiReply => {
    if (requests <= 5) return { status: 503, body: of('') };
    return { status: 200, body: quiet() };
  };
  async function* quiet(): AsyncGenerator<Uint8Array> {
    time += 120_000;
    yield* of('');
  }
  expect(await pausesOf(LIST, watched, () => time)).toEqual([1, 2, 4, 8]);
});
