import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isThere } from '#test/setup/is-there.ts';
import { START, type TestApp } from '#test/setup/test-app.ts';

/** The ids of one incident: a switch is down, and the database below it. */
export interface Scene {
  readonly switch: string;
  readonly database: string;
  readonly cause: string;
  readonly effect: string;
  readonly group: string;
}

/** The incident in the tenant of this token. */
export const furnish = async (app: TestApp, token: string, title = 'Link down'): Promise<Scene> => {
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await app.send(method, path, body, { token });
    if (reply.status > 299) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const top = await send('POST', '/v1/cmdb/ci', { name: 'sw-1', type: 'switch' });
  const below = await send('POST', '/v1/cmdb/ci', { name: 'db-1', type: 'database' });
  await send('POST', '/v1/cmdb/relationships', { type: 'depends_on', source_ci: below.id, target_ci: top.id });
  const components = [{ ci_id: below.id, role: 'database' }];
  if (isThere('services.create')) await send('POST', '/v1/services', { name: 'Shop', components });
  const event = { source: 'test', sourceId: '1', severity: 'critical', timestamp: START };
  const cause = await send('POST', '/api/events/ingest', { ...event, title, hostname: 'sw-1' });
  const effect = await send('POST', '/api/events/ingest', { ...event, title: 'Queries blocked', hostname: 'db-1' });
  await app.app.idle();
  const { event: shown } = await send('GET', `/api/events/${effect.eventId}`);
  return {
    switch: top.id,
    database: below.id,
    cause: cause.eventId,
    effect: effect.eventId,
    group: shown.correlationId,
  };
};

/** A call of a tool, and the endpoint without which there is no such tool. */
export interface ToolCall {
  readonly name: string;
  readonly endpoint: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly isWriting?: true;
}

/** Each tool once, about the scene. */
export const callsAbout = (scene: Scene): readonly ToolCall[] =>
  (
    [
      { name: 'list_groups', endpoint: 'chat.ask', input: {} },
      { name: 'get_group', endpoint: 'chat.ask', input: { group: scene.group } },
      { name: 'explain', endpoint: 'chat.ask', input: { event: scene.cause, other: scene.effect } },
      { name: 'who', endpoint: 'chat.ask', input: { group: scene.group } },
      { name: 'investigate', endpoint: 'events.group-investigate', input: { group: scene.group } },
      { name: 'find_events', endpoint: 'chat.ask', input: { ci: 'db-1' } },
      { name: 'find_similar', endpoint: 'chat.ask', input: { event: scene.cause } },
      { name: 'find_cis', endpoint: 'chat.ask', input: { search: 'db' } },
      { name: 'get_ci_details', endpoint: 'chat.ask', input: { ci: 'db-1' } },
      { name: 'search_relationships', endpoint: 'chat.ask', input: { source: 'db-1' } },
      { name: 'get_neighbourhood', endpoint: 'chat.ask', input: { ci: 'sw-1' } },
      { name: 'path', endpoint: 'chat.ask', input: { from: 'db-1', to: scene.switch } },
      { name: 'impact_of', endpoint: 'chat.ask', input: { ci: 'SW-1' } },
      { name: 'what_changed', endpoint: 'chat.ask', input: { ci: scene.switch } },
      { name: 'when_safe', endpoint: 'chat.ask', input: { ci: 'db-1' } },
      { name: 'search_records', endpoint: 'chat.ask', input: { text: 'database' } },
      { name: 'list_silences', endpoint: 'chat.ask', input: { ci: 'db-1' } },
      { name: 'on_call', endpoint: 'chat.ask', input: {} },
      { name: 'service_health', endpoint: 'chat.ask', input: {} },
      {
        name: 'analytics_query',
        endpoint: 'chat.ask',
        input: { metric: 'events', group_by: 'severity', time_range: '24h' },
      },
      { name: 'get_context', endpoint: 'chat.ask', input: {} },
      { name: 'assess_change', endpoint: 'changes.analyze', input: { ci: 'sw-1', change: 'restart' } },
      { name: 'planned_changes', endpoint: 'changes.analyze', input: {} },
      { name: 'ask', endpoint: 'chat.ask', input: { question: 'what is the status of db-1?' } },
      {
        name: 'acknowledge_group',
        endpoint: 'events.groups-acknowledge',
        input: { group: scene.group, note: 'on it' },
        isWriting: true,
      },
      {
        name: 'note_group',
        endpoint: 'events.group-notes',
        input: { group: scene.group, text: 'cable ordered' },
        isWriting: true,
      },
      {
        name: 'silence',
        endpoint: 'events.silences.create',
        input: { reason: 'maintenance', minutes: 30, ci: 'db-1' },
        isWriting: true,
      },
    ] as const
  ).filter(({ endpoint }) => isThere(endpoint));

const ERAS = {
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  '2025-06-18': { supportedProtocolVersions: ['2025-06-18'] },
};
export type McpEra = keyof typeof ERAS;

/** A client as assistants have it. */
export const openMcp = async (url: string, token: string, era: McpEra = '2026-07-28'): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1.0.0' }, ERAS[era]);
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  return client;
};

/** The text of an answer. */
export const textOf = ({ content }: { readonly content: unknown }): string =>
  (content as readonly { readonly text: string }[]).map(({ text }) => text).join('\n');
