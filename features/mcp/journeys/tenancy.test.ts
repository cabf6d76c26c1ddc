import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { appOfTests } from '#test/setup/of-tests.ts';
import { callsAbout, furnish, openMcp, type Scene, textOf } from './scene.ts';

/* Two tenants with the same incident: what belongs to one answers the other exactly like what does not exist. */

const UNKNOWN: Scene = {
  switch: '01M7YWBDXTWDA6R21CQ905J7YR',
  database: '01M7YWBDXTWDA6R21CQ905J7YS',
  cause: 'EVT-01M7YWBDXTWDA6R21CQ905J7YQ',
  effect: 'EVT-01M7YWBDXTWDA6R21CQ905J7YV',
  group: 'COR-1763629200000-zzzzzz',
};

const app = appOfTests();
let client: Client;
let ours: Scene;
let theirs: Scene;
beforeAll(async () => {
  const [token, other] = [await app.tenant('mcp-ours'), await app.tenant('mcp-theirs')];
  ours = await furnish(app, token);
  theirs = await furnish(app, other);
  client = await openMcp(app.url, token);
});
afterAll(() => client.close());

const ask = async (name: string, input: Readonly<Record<string, unknown>>) => {
  const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: { ...input } });
  return JSON.stringify({ isError, text: textOf({ content }), structuredContent });
};
const leaks = (answer: string, given: string): string[] =>
  Object.values(theirs).filter((id: string) => !given.includes(id) && answer.includes(id));

type IdPlace = readonly [
  tool: string,
  input: string,
  more: Readonly<Record<string, unknown>>,
  kinds: readonly (keyof Scene)[],
];
/** Every input of a tool that may name something of a tenant: kinds are keys of a scene. */
const PLACES: readonly IdPlace[] = [
  ['list_groups', 'ci', {}, ['switch', 'database']],
  ['list_groups', 'search', {}, ['group', 'cause']],
  ['list_groups', 'service', {}, ['group']],
  ['list_groups', 'host', {}, ['switch']],
  ['get_group', 'group', {}, ['group', 'cause']],
  ['who', 'group', {}, ['group', 'cause']],
  ['who', 'ci', {}, ['switch', 'database']],
  ['list_silences', 'ci', {}, ['switch', 'database']],
  ['search_records', 'ci', { text: 'database' }, ['switch', 'database']],
  ['investigate', 'group', {}, ['group', 'cause']],
  ['explain', 'event', { other: 'ours' }, ['cause', 'effect']],
  ['explain', 'other', { event: 'ours' }, ['cause', 'effect']],
  ['find_events', 'ci', {}, ['switch', 'database']],
  ['find_events', 'group', {}, ['group']],
  ['find_events', 'search', {}, ['cause']],
  ['find_events', 'host', {}, ['switch']],
  ['find_events', 'service', {}, ['group']],
  ['find_similar', 'event', {}, ['cause', 'effect']],
  ['find_cis', 'search', {}, ['switch', 'database']],
  ['get_ci_details', 'ci', {}, ['switch', 'database']],
  ['search_relationships', 'source', {}, ['switch', 'database']],
  ['search_relationships', 'target', {}, ['switch', 'database']],
  ['get_neighbourhood', 'ci', {}, ['switch', 'database']],
  ['path', 'from', { to: 'sw-1' }, ['switch', 'database']],
  ['path', 'to', { from: 'sw-1' }, ['switch', 'database']],
  ['impact_of', 'ci', {}, ['switch', 'database']],
  ['what_changed', 'ci', {}, ['switch', 'database']],
  ['when_safe', 'ci', {}, ['switch', 'database']],
  ['service_health', 'search', {}, ['database']],
  ['analytics_query', 'ci', { metric: 'events' }, ['switch', 'database']],
  ['analytics_query', 'service', { metric: 'events' }, ['group']],
  ['assess_change', 'ci', { change: 'restart' }, ['switch', 'database']],
  ['ask', 'ci', { question: 'what is its status?' }, ['switch', 'database']],
  ['acknowledge_group', 'group', {}, ['group', 'cause']],
  ['note_group', 'group', { text: 'x' }, ['group']],
  ['silence', 'ci', { reason: 'x', minutes: 5 }, ['switch', 'database']],
  ['silence', 'below', { reason: 'x', minutes: 5 }, ['switch', 'database']],
];

const there = () => new Set(callsAbout(ours).map(({ name }) => name));

test('every tool has such a case, or takes nothing that names something', async () => {
  const { tools } = await client.listTools();
  const cased = new Set(PLACES.map(([name]) => name));
  const naming = tools.filter(({ inputSchema }) =>
    Object.keys(inputSchema.properties ?? {}).some((one) => one !== 'limit'),
  );
  expect(naming.map(({ name }) => name).filter((name) => !cased.has(name))).toEqual([]);
});

test('whatever is read belongs to the tenant that asks', async () => {
  for (const { name, input, isWriting } of callsAbout(ours))
    if (!isWriting) expect([name, leaks(await ask(name, input), '')]).toEqual([name, []]);
});

test.each(PLACES)('%s: %s of another tenant is like one that does not exist', async (name, place, more, kinds) => {
  if (!there().has(name)) return;
  for (const kind of kinds) {
    const input = Object.fromEntries(
      Object.entries(more).map(([key, value]) => [key, value === 'ours' ? ours.effect : value]),
    );
    const foreign = await ask(name, { ...input, [place]: theirs[kind] });
    const unknown = await ask(name, { ...input, [place]: UNKNOWN[kind] });
    expect(foreign.replaceAll(theirs[kind], '<given>')).toBe(unknown.replaceAll(UNKNOWN[kind], '<given>'));
    expect(leaks(foreign, theirs[kind])).toEqual([]);
  }
});
