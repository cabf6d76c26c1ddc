import { describe, expect, test } from '@jest/globals';
import type { LiveChange } from '#domain/live/live-change.ts';
import { until } from '#test/setup/until.ts';
import { LiveHub, LiveHubs } from './live-hubs.ts';

const change = (id: string): LiveChange => ({ of: 'event', id, count: 1, isNew: false });
const listener = () => {
  const told: string[] = [];
  return {
    told,
    changed: ({ id }: LiveChange) => void told.push(id!),
    missed: () => void told.push('missed'),
    ended: () => void told.push('ended'),
  };
};

describe('A hub of two lanes', () => {
  test('passes over what was told already, lane by lane', () => {
    const hub = new LiveHub('1', [4, 9]);
    const one = listener();
    const listening = hub.listen(null, one);
    hub.add(0, 4, [change('old')]);
    hub.add(0, 5, [change('a')]);
    hub.add(1, 10, [change('b'), change('c')]);
    hub.add(0, 5, [change('again')]);
    expect(one.told).toEqual(['a', 'b', 'c']);
    expect(listening.position()).toBe('1.6.11');
  });

  test('tells a reader that was ahead in another process nothing twice', () => {
    const hub = new LiveHub('1', [4, 9]);
    const one = listener();
    const listening = hub.listen('1.8.10', one);
    expect(listening.isGap).toBe(false);
    for (const number of [5, 6, 7, 8]) hub.add(0, number, [change(`a${number}`)]);
    expect(one.told).toEqual(['a8']);
  });

  test('says when changes are not known, and positions before them are gaps', () => {
    const hub = new LiveHub('1', [4, 9]);
    const [one, other] = [listener(), listener()];
    const before = hub.listen(null, one).position();
    hub.miss([7, 9]);
    hub.add(0, 8, [change('a')]);
    expect(one.told).toEqual(['missed', 'a']);
    expect(hub.listen(before, other).isGap).toBe(true);
  });
});

describe('Hubs', () => {
  const make = () => new LiveHub('1', [-1]);

  test('are kept for a while after the last listener, then go', async () => {
    let emptied = 0;
    const hubs = new LiveHubs(() => {
      emptied += 1;
    }, 30);
    const first = hubs.listen('acme', null, listener(), make);
    const position = first.position();
    first.close();
    expect(hubs.size).toBe(1);
    hubs.of('acme')!.add(0, 0, [change('a')]);
    const one = listener();
    const second = hubs.listen('acme', position, one, make);
    expect([second.isGap, one.told]).toEqual([false, ['a']]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(hubs.size).toBe(1);
    second.close();
    second.close();
    await until(async () => hubs.size === 0);
    expect(emptied).toBe(1);
  });

  test('without listeners are at most a hundred', () => {
    const hubs = new LiveHubs();
    for (let n = 0; n < 150; n++) hubs.listen(`t${n}`, null, listener(), make).close();
    expect(hubs.size).toBe(100);
    expect([hubs.of('t49'), hubs.of('t50')?.listeners]).toEqual([undefined, 0]);
    hubs.end();
    expect(hubs.size).toBe(0);
  });

  test('end with a word to each listener', () => {
    const hubs = new LiveHubs();
    const one = listener();
    const listening = hubs.listen('acme', null, one, make);
    hubs.end();
    listening.close();
    expect([one.told, hubs.size]).toEqual([['ended'], 0]);
  });
});
