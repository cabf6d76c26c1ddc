import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Behaviour,
  claimsText,
  type ModelStub,
  openModelStub,
  type Received,
} from '#features/ai/journeys/model-stub.ts';
import { after } from '#infra/system/time.ts';
import { fillInfrastructure } from '#test/setup/known-infrastructure.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

/*
 * Two hundred conversations about a known infrastructure: no answer names an id, a host or a number that its tools have
 * not returned.
 */

const PATH = '/api/chatbot';
const TENANT = 'talks';
const [MINUTE, DAY] = [60_000, 86_400_000];
const SERVICES = 12;

let stub: ModelStub;
/** One answers by rules, one has a model. */
let bare: TestApp;
let modelled: TestApp;
const tokens = new Map<TestApp, string>();
let names: string[] = [];

const furnish = async (app: TestApp): Promise<void> => {
  const token = await app.tenant(TENANT);
  tokens.set(app, token);
  const { estate } = await fillInfrastructure(app.app.ports, TENANT, SERVICES);
  names = estate.cis.map(({ name }) => name);
  await app.send('PUT', '/api/admin/settings/ai', { dailyTokens: 50_000_000 }, { token });
  for (let n = 0; n < 60; n++) {
    app.clock.set(START - (n % 3 === 0 ? n * DAY : n * MINUTE) - MINUTE);
    const severity = ['critical', 'major', 'minor', 'warning', 'info'][n % 5];
    const title = `${['Disk full', 'CPU high', 'Login fails', 'Link down'][n % 4]} on volume${String.fromCharCode(97 + (n % 26))}q`;
    const event = { source: 's', sourceId: `e-${n}`, severity, title, hostname: names[(n * 7) % names.length] };
    await app.send('POST', '/api/events/ingest', event, { token });
  }
  await app.app.idle();
  app.clock.set(START);
};

beforeAll(async () => {
  stub = await openModelStub(after);
  bare = await openTestApp();
  await furnish(bare);
  modelled = await openTestApp({ OPENAI_BASE_URL: stub.url, OPENAI_MODEL: 'stub' });
  await furnish(modelled);
});
afterAll(async () => {
  await bare.stop();
  await modelled.stop();
  await stub.close();
});

/** Begin of a conversation, with the number of the conversation. */
const OPENINGS: readonly ((n: number) => string)[] = [
  (n) => `What is the status of "${host(n)}"?`,
  (n) => `why is "${host(n)}" slow?`,
  (n) => `what depends on "${host(n)}"`,
  (n) => `What does "${host(n)}" need?`,
  (n) => `what happens if "${host(n)}" fails?`,
  (n) => `list ${SEVERITY[n % 5]} events on "${host(n)}" since ${['yesterday', 'monday', '3 hours ago'][n % 3]}`,
  (n) => `how many ${SEVERITY[n % 5]} alerts in the last ${(n % 20) + 2} days`,
  (n) => `how many events ${['today', 'this week', 'last month', 'in the last 36 hours'][n % 4]}?`,
  (n) => `what changed on "${host(n)}" this week?`,
  (n) => `compare "${host(n)}" with "${host(n + 3)}"`,
  () => 'compare events this week with last week',
  (n) => `how is ghost-${n + 700} doing?`,
  (n) => `are there ${n + 4000} problems on phantom${n}.example.org?`,
  (n) => `show me all ${['databases', 'servers', 'switches', 'load balancers'][n % 4]}`,
  (n) => `how many relationships does "${host(n)}" have`,
  () => 'what is going on?',
  (n) => `mean time to resolve in the last ${n + 2} days`,
  (n) => `tell me about number ${n + 5000} and host-x${n}`,
  () => 'help',
  (n) => `is "${host(n)}" related to "${host(n + 1)}"?`,
];
const FOLLOWING = [
  'why?',
  'what depends on it?',
  'how many events did it have last week?',
  'what else fails with it?',
  'and now?',
];
const SEVERITY = ['critical', 'major', 'minor', 'warning', 'info'];
const host = (n: number): string => names[(n * 13) % names.length]!;

const textOf = ({ messages }: Received): string => messages.map(({ content }) => content).join('\n');
const aliasesIn = (request: Received): string[] => [
  ...new Set([...textOf(request).matchAll(/^([ECRGSQ]\d{1,2}) /gm)].map(([, alias]) => alias!)),
];
const quotedIn = (request: Received): string | undefined => /QUESTION [^\n]*?"([^"]+)"/.exec(textOf(request))?.[1];
const ask = (name: string, parameters: object) => ({ name, arguments: JSON.stringify(parameters) });
const first = (request: Received, letter: string): string =>
  aliasesIn(request).find((alias) => alias.startsWith(letter)) ?? aliasesIn(request)[0] ?? 'Q1';

/** Looks the named CI up, once. */
const looking = (request: Received) => {
  if (!textOf(request).includes('none yet')) return [];
  const name = quotedIn(request);
  if (name === undefined)
    return [ask('search-events', {}), ask('analytics-query', { metric: 'events', timeRange: '7d' })];
  return [ask('get-ci-details', { ciId: name }), ask('search-events', { ciId: name, timeRange: 'last 9 days' })];
};

const INVENTED = [
  'mars-77',
  'pluto.example.net',
  '10.66.77.88',
  'EVT-01ARZ3NDEKTSV4RRFFQ69G5FAV',
  '48151',
  '62342.5',
  'Zorblax',
];
const invention = (at: number): string => INVENTED[at % INVENTED.length]!;
let turn = 0;

/** Models of different manners. */
const MANNERS: readonly Behaviour[] = [
  {
    calls: looking,
    say: (request) =>
      claimsText(
        [`${first(request, 'E')} was reported`, first(request, 'E')],
        ['Its status is active', first(request, 'C')],
      ),
  },
  {
    // Invents names and numbers, and cites existing ones.
    calls: looking,
    say: (request) =>
      claimsText(
        [`The fault is on ${invention(turn++)}`, first(request, 'C')],
        [`There were ${invention(turn++)} events`, first(request, 'E')],
        [`${invention(turn++)} depends on ${invention(turn)}`, first(request, 'Q'), first(request, 'C')],
      ),
  },
  {
    // Looks up invented ids, and cites its own words as evidence.
    calls: () => [
      ask('search-cis', { name: invention(turn), type: invention(turn + 1) }),
      ask('search-events', { timeRange: 'last 4242 hours' }),
    ],
    say: (request) =>
      claimsText(
        [`${invention(turn)} is down`, first(request, 'Q')],
        [`In the last 4242 hours ${invention(turn + 4)} events came`, first(request, 'Q'), first(request, 'E')],
      ),
  },
  {
    // Repeats the question as its answer.
    say: (request) => {
      const asked = /QUESTION ([^\n]*)/.exec(textOf(request))?.[1] ?? '';
      return claimsText([asked.replace(/[^\w."-]/g, ' ').slice(0, 250), first(request, 'C'), first(request, 'Q')]);
    },
  },
  {
    // Follows orders in foreign texts, with unknown tools.
    calls: () => [ask('delete-ci', { ciId: 'C1' }), ask('resolve-events', { all: true }), ask('search-events', {})],
    say: (request) =>
      claimsText(['All 48151 events were resolved by admin-9, see https://evil.example/x', first(request, 'E')]),
  },
];

interface Answered {
  readonly response: string;
  readonly generatedBy: 'rules' | 'model';
  readonly toolCalls: readonly {
    readonly result: readonly object[];
    readonly total: number;
    readonly params: object;
  }[];
  readonly citations: readonly { readonly kind: string; readonly id: string }[];
}

/**
 * Words with digits, marks or capitals inside, and plain numbers, which a reader would understand as names, ids or
 * figures.
 */
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}._:@/-]*[\p{L}\p{N}])?/gu;
const isFigure = (word: string): boolean => /^\d+(?:\.\d+)?$/.test(word);
const isName = (word: string): boolean => /\d/.test(word) || /[._:@/-]/.test(word);
const figuresIn = (text: string): number[] =>
  [...text.matchAll(/(?<![\w.:-])\d+(?:\.\d+)?(?![\w:-]|\.\d)/g)].map(([figure]) => Number(figure));
/** Numbers of rows as they are, and those in their texts. */
const numbersOf = (value: unknown): number[] => {
  if (typeof value === 'number') return [value];
  if (typeof value === 'string') return figuresIn(value);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : [];
};
/** Times, ages and differences that code adds to statements of a model. */
const RECKONED = /\d{4}-\d\d-\d\d \d\d:\d\d UTC|(?<![\w.:-])\d+[dhms](?: \d+[hms])?(?![\w-])/g;
/** Rules compute counts, times and ages of what they read, so only names and ids have to be among the results. */
const COMPUTED = /(?<![\w.:-])[\d.,:]+(?:[dhms]|th|nd|st|rd)?(?![\w-]|[.:]\w)/g;
const rounds = (figure: number, said: number): boolean =>
  Math.abs(figure - said) < 1e-9 || Number(figure.toPrecision(3)) === said || Math.round(figure * 100) === said;

/**
 * Returns the claims of an answer that its tools have not returned. Rules may repeat the question: `"x" is called by
 * nothing`.
 */
function unfounded({ response, generatedBy, toolCalls }: Answered, message: string): string[] {
  const returned = toolCalls.map(({ result, total }) => [result, total, result.length]);
  const ranges = toolCalls.filter(isOfRules).map(({ params }) => params);
  const all = generatedBy === 'rules' ? [returned, message, ranges] : [returned];
  // Of long lists a reply has the first rows; an answer may name any CI of them.
  const isCut = generatedBy === 'rules' && toolCalls.some(({ result, total }) => total > result.length);
  const source = JSON.stringify([all, isCut ? names : []]).toLowerCase();
  const figures = numbersOf(all);
  const said = response.replaceAll(generatedBy === 'rules' ? COMPUTED : RECKONED, '').match(WORD) ?? [];
  const words = said.filter((word) => {
    if (isFigure(word)) return !figures.some((figure) => rounds(figure, Number(word)));
    const isKnown = names.some((name) => name.toLowerCase() === word.toLowerCase()) || INVENTED.includes(word);
    return (isName(word) || isKnown) && !source.includes(word.toLowerCase());
  });
  return [...words, ...names.filter((name) => response.includes(name) && !source.includes(name.toLowerCase()))];
}
/** Ranges that rules have reckoned. */
const isOfRules = ({ params }: { readonly params: object }): boolean =>
  / to /.test(String((params as { timeRange?: string }).timeRange));

const talk = async (app: TestApp, n: number): Promise<number> => {
  const conversationId = `talk-${n}`;
  const messages = [OPENINGS[n % OPENINGS.length]!(n), FOLLOWING[n % FOLLOWING.length]!];
  let byModel = 0;
  for (const [i, message] of messages.entries()) {
    const sent = { message, conversationId };
    const { status, body } = await app.send('POST', PATH, sent, { token: tokens.get(app)! });
    expect([message, status]).toEqual([message, 200]);
    expect([messages.slice(0, i + 1), body.response, unfounded(body, message)]).toEqual([
      expect.anything(),
      body.response,
      [],
    ]);
    const returned = JSON.stringify(body.toolCalls);
    for (const { kind, id } of (body as Answered).citations)
      if (kind !== 'query' && kind !== 'record') expect([kind, id, returned.includes(id)]).toEqual([kind, id, true]);
    if (body.generatedBy === 'model') byModel += 1;
  }
  return byModel;
};

describe('by rules', () => {
  test.each(Array.from({ length: 100 }, (_, n) => n))('conversation %i', async (n) => {
    expect(await talk(bare, n)).toBe(0);
  });
});

describe('with a model', () => {
  let byModel = 0;
  test.each(Array.from({ length: 100 }, (_, n) => n))('conversation %i', async (n) => {
    stub.plays(MANNERS[Math.floor(n / OPENINGS.length) % MANNERS.length]!);
    turn = n;
    byModel += await talk(modelled, n);
    expect(stub.tooLarge()).toEqual([]);
  });
  test('of which a good part is in its words', () => {
    expect(byModel).toBeGreaterThan(20);
  });
});

test('the check sees what is made up', () => {
  const row = { result: [{ name: 'web-1', openEvents: 3 }], total: 1, params: { name: 'mars-77' } };
  const said = (response: string) =>
    unfounded({ response, generatedBy: 'model', toolCalls: [row], citations: [] }, 'mars-77?');
  expect(said('web-1 has 3 open events.')).toEqual([]);
  expect(said('mars-77 has 48151 open events at 10.66.77.88.')).toEqual(['mars-77', '48151', '10.66.77.88']);
});
