import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CallProblem } from '#console/api/link/problem.ts';
import { EVERYTHING, type TopicChanges } from './changes.ts';
import { type LiveState, readLive } from './reader.ts';
import { type Ended, readStream, type StreamNews } from './stream.ts';

type Tell = (told: StreamNews, position: string | null) => void;
/** Behavior of one connection: sends something, then ends, breaks, or stays until it is cut. */
type Connection = (tell: Tell, signal: AbortSignal) => Promise<Ended>;

const HELLO: StreamNews = { kind: 'hello', version: '1.0', at: '2026-11-23T09:00:00Z' };
const stays: Connection = (_, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const greets: Connection = (tell, signal) => {
  tell(HELLO, 'p1');
  return stays(tell, signal);
};
const breaks: Connection = () => Promise.reject(new Error('connection refused'));

const watched = (connections: readonly Connection[], renews = true) => {
  const left = [...connections];
  const positions: (string | null)[] = [];
  const states: LiveState[] = [];
  const told: TopicChanges[] = [];
  const end = new AbortController();
  const done = readLive(
    {
      connect(position, signal, tell) {
        positions.push(position);
        return (left.shift() ?? breaks)(tell, signal);
      },
      renew: async () => renews,
      now: () => jest.now(),
      setServerTime: () => undefined,
      show: (state) => states.push(state),
      tell: (changes) => told.push(changes),
    },
    end.signal,
  );
  const kind = () => states.at(-1)?.kind ?? 'connecting';
  return { positions, states, told, kind, end: () => end.abort(), done };
};

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('a stream', () => {
  test('that greets is live, and everything read before it is read once more', async () => {
    const { kind, told, states, end, done } = watched([greets]);
    await pass(0);
    expect([kind(), states.at(-1)?.version, told]).toEqual(['live', '1.0', [EVERYTHING]]);
    end();
    await done;
  });

  test('that says nothing for 5 s is replaced by a read every 10 s', async () => {
    const { kind, told, end } = watched([stays]);
    await pass(4_999);
    expect(kind()).toBe('connecting');
    await pass(2);
    expect(kind()).toBe('polling');
    await pass(30_000);
    expect(told).toEqual([EVERYTHING, EVERYTHING, EVERYTHING]);
    end();
  });

  test('that is cut goes on where it was, and is stale only after 4 s', async () => {
    const cut: Connection = async (tell) => {
      tell(HELLO, 'p1');
      tell({ kind: 'changes', changes: new Map() }, 'p2');
      return 'ended';
    };
    const { kind, positions, end } = watched([cut, greets]);
    await pass(501);
    expect([kind(), positions]).toEqual(['live', [null, 'p2']]);
    await pass(20_000);
    expect(kind()).toBe('live');
    end();
  });

  test('that stays away is stale after 4 s, is tried at least every 4 s, and says when', async () => {
    const cut: Connection = async (tell) => {
      tell(HELLO, 'p1');
      return 'ended';
    };
    const { kind, positions, states, told, end } = watched([cut]);
    await pass(3_900);
    expect(kind()).toBe('live');
    await pass(200);
    expect(kind()).toBe('stale');
    const before = positions.length;
    await pass(20_000);
    expect(positions.length - before).toBeGreaterThanOrEqual(5);
    expect(states.at(-1)?.retryAt).toBeGreaterThan(jest.now() - 1);
    // Read by polling meanwhile: once at the first hello, twice in 20 s.
    expect(told).toHaveLength(3);
    end();
  });

  test('that is silent for 35 s is cut and made anew', async () => {
    const { positions, end } = watched([greets, greets]);
    await pass(34_000);
    expect(positions).toHaveLength(1);
    await pass(2_000);
    expect(positions).toEqual([null, 'p1']);
    end();
  });

  test('whose token ended is made anew at once with another one', async () => {
    const refused: Connection = async () => 'refused';
    const { kind, positions, end } = watched([refused, greets]);
    await pass(1);
    expect([kind(), positions.length]).toEqual(['live', 2]);
    end();
  });

  test('that is not allowed is off and not tried again', async () => {
    const { kind, positions, done } = watched([async () => 'forbidden']);
    await done;
    await pass(60_000);
    expect([kind(), positions.length]).toEqual(['off', 1]);
  });

  test.each([
    [20_000, 20_000],
    [500_000, 60_000],
    [null, 500],
  ])('that is refused for %s ms is tried again after %d ms, and pages are read meanwhile', async (asked, wait) => {
    const refused: Connection = () => Promise.reject(new CallProblem('too many', { status: 429, retryAfterMs: asked }));
    const { kind, positions, states, told, end } = watched([refused, greets]);
    const began = jest.now();
    await pass(wait - 1);
    expect([positions.length, states.at(-1)?.retryAt]).toEqual([1, began + wait]);
    expect([kind(), told.length]).toEqual(
      asked === null ? ['connecting', 0] : ['polling', Math.floor((wait - 1) / 10_000)],
    );
    await pass(1);
    expect([kind(), positions.length]).toEqual(['live', 2]);
    end();
  });
});

describe('an answer that is no stream', () => {
  const answered = (status: number, headers: Record<string, string> = {}) =>
    readStream({
      address: '/sse/changes',
      token: 't',
      tenant: null,
      position: null,
      signal: new AbortController().signal,
      fetch: async () => new Response('', { status, headers }),
      now: () => 0,
      tell: () => undefined,
    });

  test.each([
    [429, { 'retry-after': '20' }, 20_000],
    [503, { 'retry-after': 'Thu, 01 Jan 1970 00:00:30 GMT' }, 30_000],
    [503, {}, null],
    [500, {}, null],
  ])('%d with %j says how long to wait', async (status, headers, retryAfterMs) => {
    await expect(answered(status, headers)).rejects.toMatchObject({ status, retryAfterMs });
  });

  test.each([
    [401, 'refused'],
    [403, 'forbidden'],
  ])('%d is %s', async (status, ended) => {
    expect(await answered(status)).toBe(ended);
  });
});

describe('what one connection says', () => {
  const hello = 'id: 1.5\nevent: hello\ndata: {"version":"0.2.0","at":"2026-11-23T09:00:00Z"}\n\n';
  const read = async (...parts: readonly string[]) => {
    const told: (readonly [StreamNews, string | null])[] = [];
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        for (const part of parts) stream.enqueue(new TextEncoder().encode(part));
        stream.close();
      },
    });
    const ended = await readStream({
      address: '/sse/changes',
      token: 't',
      tenant: null,
      position: null,
      signal: new AbortController().signal,
      fetch: async () => new Response(body),
      now: () => 0,
      tell: (news, at) => told.push([news, at]),
    });
    return { ended, told };
  };

  test.each([
    ['expired', 'refused'],
    ['stopping', 'ended'],
    ['slow', 'ended'],
  ])('a good-bye as it is %s means: %s', async (reason, expected) => {
    const { ended, told } = await read(hello, `event: bye\ndata: {"reason":"${reason}"}\n\n`);
    expect([ended, told.map(([{ kind }, at]) => [kind, at])]).toEqual([expected, [['hello', '1.5']]]);
  });

  test('changes, cut anywhere, keep their position; a gap is everything, and a comment says that it lives', async () => {
    const text = 'id: 1.6\nevent: changes\ndata: {"groups":{"ids":["COR-ä"],"more":0}}\n\n';
    const { told } = await read(hello, ...text, ': alive\n\n', 'id: 1.9\nevent: reset\ndata: {"reason":"gap"}\n\n');
    expect(told).toEqual([
      [{ kind: 'hello', version: '0.2.0', at: '2026-11-23T09:00:00Z' }, '1.5'],
      [{ kind: 'changes', changes: new Map([['groups', new Set(['COR-ä'])]]) }, '1.6'],
      [{ kind: 'alive' }, null],
      [{ kind: 'changes', changes: EVERYTHING }, '1.9'],
    ]);
  });
});
