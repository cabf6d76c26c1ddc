import { describe, expect, jest, test } from '@jest/globals';
import { leadWhileSeen } from './seen.ts';

class TestPage extends EventTarget {
  hidden = false;
  show(isSeen: boolean): void {
    this.hidden = !isSeen;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}
const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

const open = (isSeen: boolean, work = ended) => {
  const page = new TestPage();
  page.hidden = !isSeen;
  const end = new AbortController();
  const rounds: AbortSignal[] = [];
  const begun: (() => void)[] = [];
  const led = leadWhileSeen(
    page,
    (signal) => {
      rounds.push(signal);
      begun.shift()?.();
      return work(signal);
    },
    end.signal,
    1,
  );
  const next = () => new Promise<void>((resolve) => void begun.push(resolve));
  return { page, end, rounds, led, next };
};

describe('without locks', () => {
  test('a page that is hidden from the beginning has no stream until it is seen', async () => {
    const { page, end, rounds, led, next } = open(false);
    await Promise.resolve();
    expect(rounds).toHaveLength(0);
    const first = next();
    page.show(true);
    await first;
    end.abort();
    await led;
    expect(rounds.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('it gives its stream up while it is hidden, and has one again', async () => {
    const { page, end, rounds, led, next } = open(true);
    await Promise.resolve();
    const given = ended(rounds[0]!);
    page.show(false);
    await given;
    const second = next();
    page.show(true);
    await second;
    expect(rounds.map(({ aborted }) => aborted)).toEqual([true, false]);
    end.abort();
    await led;
  });

  test('one that was hidden for a moment keeps it', async () => {
    const { page, end, rounds, led } = open(true);
    await Promise.resolve();
    jest.useFakeTimers();
    page.show(false);
    page.show(true);
    jest.advanceTimersByTime(10);
    jest.useRealTimers();
    expect(rounds.map(({ aborted }) => aborted)).toEqual([false]);
    end.abort();
    await led;
  });

  test('a stream that is not allowed is asked for once', async () => {
    const { rounds, led } = open(true, () => Promise.resolve());
    await led;
    expect(rounds).toHaveLength(1);
  });

  test('a hidden page that is left ends', async () => {
    const { end, led, rounds } = open(false);
    end.abort();
    await led;
    expect(rounds).toHaveLength(0);
  });
});
