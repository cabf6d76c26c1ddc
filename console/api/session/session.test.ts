import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Board, Channel, Locked, NewGrant, SessionMessage } from './messages.ts';
import { openSession, type Session } from './session.ts';
import type { SignIn } from './sign-in.ts';

const open: Session[] = [];
afterEach(() => {
  for (const session of open.splice(0)) session.close();
  jest.useRealTimers();
});

/** Tabs of one browser: messages of one reach the others, `lateMs` later; work under a lock is done in turn. */
const openBrowser = (lateMs = 0) => {
  const deliver = (act: () => void): void => {
    if (lateMs === 0) act();
    else setTimeout(act, lateMs);
  };
  const shown = new Map<object, number>();
  const boardOf = (): Board => {
    const tab = {};
    return {
      show: async (generation) => void (generation === null ? shown.delete(tab) : shown.set(tab, generation)),
      greatest: async () => Math.max(0, ...shown.values()),
    };
  };
  const ears = new Set<(message: SessionMessage) => void>();
  let last: Promise<unknown> = Promise.resolve();
  const locked: Locked = (_, work) => {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  };
  const channelOf = (): Channel<SessionMessage> => {
    const own = new Set<(message: SessionMessage) => void>();
    return {
      post: (message) => {
        for (const ear of ears) if (!own.has(ear)) deliver(() => ear(message));
      },
      listen: (listener) => {
        ears.add(listener);
        own.add(listener);
        return () => ears.delete(listener);
      },
    };
  };
  return { locked, channelOf, boardOf };
};

/** A server whose cookie is valid for this number of renewals. */
const openServer = (renewals: number) => {
  const asked: string[] = [];
  const grant = (token: string, renews = true): NewGrant => ({ token, expiresAt: 900_000, renews });
  let left = renewals;
  const signIn: SignIn = {
    async enter(credentials) {
      asked.push('enter');
      return 'token' in credentials ? grant(credentials.token, false) : grant('t0');
    },
    async renew() {
      asked.push('renew');
      left -= 1;
      return left < 0 ? null : grant(`t${asked.length}`);
    },
    async leave() {
      asked.push('leave');
      return null;
    },
  };
  return { asked, signIn };
};

const opened = (browser: ReturnType<typeof openBrowser>, signIn: SignIn) => {
  const forgotten: string[] = [];
  const session = openSession({
    signIn,
    channel: browser.channelOf(),
    locked: browser.locked,
    board: browser.boardOf(),
    now: () => 0,
    forget: () => forgotten.push('forgotten'),
  });
  open.push(session);
  return { session, forgotten };
};

describe('a page that starts', () => {
  test.each([
    [1, 'in', 't1'],
    [0, 'out', null],
  ] as const)('with a cookie for %d renewals is %s', async (renewals, state, token) => {
    const { session } = opened(openBrowser(), openServer(renewals).signIn);
    expect(session.state()).toBe('starting');
    await session.start();
    expect([session.state(), session.token()]).toEqual([state, token]);
  });
});

test('eight tabs renew once, and all have the same token', async () => {
  const browser = openBrowser();
  const { signIn, asked } = openServer(10);
  const tabs = Array.from({ length: 8 }, () => opened(browser, signIn).session);
  await tabs[0]?.start();
  const before = tabs[0]?.token() ?? null;
  await Promise.all(tabs.map((tab) => tab.renew(before)));
  expect(asked).toEqual(['renew', 'renew']);
  expect(new Set(tabs.map((tab) => tab.token()))).toEqual(new Set(['t2']));
});

describe('messages that come after the lock', () => {
  test('make no tab renew a second time', async () => {
    const browser = openBrowser(20);
    const { signIn, asked } = openServer(20);
    const tabs = Array.from({ length: 8 }, () => opened(browser, signIn).session);
    await tabs[0]?.start();
    await Promise.all(tabs.slice(1).map((tab) => tab.start()));
    const before = new Set(tabs.map((tab) => tab.token()));
    await Promise.all(tabs.map((tab) => tab.renew('t1')));
    expect([before, new Set(tabs.map((tab) => tab.token()))]).toEqual([new Set(['t1']), new Set(['t2'])]);
    expect(asked).toEqual(['renew', 'renew']);
  });

  test('that never come are waited for 2 s, no longer', async () => {
    jest.useFakeTimers();
    const browser = openBrowser();
    const { signIn, asked } = openServer(20);
    const { session } = opened(browser, signIn);
    await browser.boardOf().show(7);
    const started = session.start();
    await jest.advanceTimersByTimeAsync(1_999);
    expect(asked).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await started;
    expect([asked, session.token()]).toEqual([['renew'], 't1']);
  });

  test('and tell of an older token are not heeded', async () => {
    const browser = openBrowser();
    const { session } = opened(browser, openServer(20).signIn);
    await session.signIn({ username: 'ada', password: 'x' });
    const old = { token: 'old', expiresAt: 900_000, renews: true, generation: 1 };
    browser.channelOf().post({ kind: 'granted', grant: { ...old, generation: 2 } });
    expect(session.token()).toBe('old');
    await session.renew('old');
    browser.channelOf().post({ kind: 'granted', grant: { ...old, generation: 2 } });
    expect(session.token()).toBe('t2');
  });
});

test('a token is renewed at 80 % of its life without being asked', async () => {
  jest.useFakeTimers();
  const { signIn, asked } = openServer(10);
  const { session } = opened(openBrowser(), signIn);
  await session.signIn({ username: 'ada', password: 'x' });
  await jest.advanceTimersByTimeAsync(719_000);
  expect(asked).toEqual(['enter']);
  await jest.advanceTimersByTimeAsync(2_000);
  expect([asked, session.token()]).toEqual([['enter', 'renew'], 't2']);
});

describe('the end of a sign-in', () => {
  test('that the server says keeps the page and waits for a person', async () => {
    const { session } = opened(openBrowser(), openServer(0).signIn);
    await session.signIn({ username: 'ada', password: 'x' });
    expect(await session.renew('t0')).toBe(false);
    expect(session.state()).toBe('lost');
    const waited = session.signedIn();
    await session.signIn({ username: 'ada', password: 'x' });
    await waited;
    expect(session.state()).toBe('in');
  });

  test('that a person wants ends it in all tabs, which forget what they knew', async () => {
    const browser = openBrowser();
    const { signIn, asked } = openServer(10);
    const [one, two] = [opened(browser, signIn), opened(browser, signIn)];
    await one.session.start();
    await one.session.signOut();
    expect(asked).toEqual(['renew', 'leave']);
    expect([one, two].map(({ session, forgotten }) => [session.state(), session.token(), forgotten])).toEqual([
      ['out', null, ['forgotten']],
      ['out', null, ['forgotten']],
    ]);
  });
});

test('a token of the API is neither told to other tabs nor renewed', async () => {
  const browser = openBrowser();
  const { signIn, asked } = openServer(10);
  const [one, two] = [opened(browser, signIn).session, opened(browser, signIn).session];
  await one.signIn({ token: 'flt_x' });
  expect([one.token(), two.token()]).toEqual(['flt_x', null]);
  expect(await one.renew('flt_x')).toBe(false);
  expect([asked, one.state()]).toEqual([['enter'], 'lost']);
});

test('a server that cannot be reached ends nothing', async () => {
  const { signIn } = openServer(1);
  const { session } = opened(openBrowser(), { ...signIn, renew: async () => 'unreachable' });
  await session.signIn({ username: 'ada', password: 'x' });
  expect(await session.renew('t0')).toBe(false);
  expect([session.state(), session.token()]).toEqual(['in', 't0']);
});
