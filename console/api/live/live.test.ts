import { afterEach, expect, test } from '@jest/globals';
import type { Channel } from '#console/api/session/messages.ts';
import type { TopicChanges } from './changes.ts';
import { type Live, type LiveMessageData, openLive } from './live.ts';
import type { LiveState } from './reader.ts';

const open: Live[] = [];
afterEach(() => {
  for (const live of open.splice(0)) live.close();
});
const settled = async (): Promise<void> => {
  for (let i = 0; i < 5; i += 1) await Promise.resolve();
};

const LIVE: LiveState = { kind: 'live', asOf: 1, retryAt: null, version: '1.0' };
const CHANGES: TopicChanges = new Map([['groups', new Set(['G1'])]]);

/** Tabs of one browser: one lock, one channel. */
const openBrowser = () => {
  const ears = new Set<(message: LiveMessageData) => void>();
  const queue: (() => void)[] = [];
  let isHeld = false;
  const streams: { show: (state: LiveState) => void; tell: (changes: TopicChanges) => void }[] = [];

  const lead = async (work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> => {
    if (isHeld) await new Promise<void>((resolve) => queue.push(resolve));
    if (signal.aborted) return queue.shift()?.();
    isHeld = true;
    await work(signal);
    isHeld = false;
    queue.shift()?.();
  };
  const tab = (): Live => {
    const own = new Set<(message: LiveMessageData) => void>();
    const channel: Channel<LiveMessageData> = {
      post: (message) => {
        for (const ear of ears) if (!own.has(ear)) ear(message);
      },
      listen: (listener) => {
        ears.add(listener);
        own.add(listener);
        return () => ears.delete(listener);
      },
    };
    const live = openLive({
      channel,
      lead,
      read(show, tell, signal) {
        streams.push({ show, tell });
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    });
    open.push(live);
    return live;
  };
  return { tab, streams };
};

test('eight tabs have one stream, and each is told the same', async () => {
  const { tab, streams } = openBrowser();
  const tabs = Array.from({ length: 8 }, tab);
  const heard = tabs.map((live) => {
    const changes: unknown[] = [];
    live.on('groups', (changed) => changes.push(changed));
    return changes;
  });
  await settled();
  streams[0]?.show(LIVE);
  streams[0]?.tell(CHANGES);
  expect(streams).toHaveLength(1);
  expect(tabs.map((live) => live.state())).toEqual(tabs.map(() => LIVE));
  expect(heard).toEqual(tabs.map(() => [new Set(['G1'])]));
});

test('a tab that comes later learns the state, and only its topics', async () => {
  const { tab, streams } = openBrowser();
  tab();
  await settled();
  streams[0]?.show(LIVE);
  const late = tab();
  expect(late.state()).toEqual(LIVE);
  const heard: unknown[] = [];
  late.on('events', (changed) => heard.push(changed));
  streams[0]?.tell(CHANGES);
  expect(heard).toEqual([]);
});

test('when the tab that reads is closed, another one reads', async () => {
  const { tab, streams } = openBrowser();
  const [first, second] = [tab(), tab()];
  await settled();
  first.close();
  await settled();
  expect(streams).toHaveLength(2);
  streams[1]?.show(LIVE);
  expect(second.state()).toEqual(LIVE);
});
