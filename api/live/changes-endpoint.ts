import { z } from 'zod';
import { EVENT_STREAM, presentStream, type StreamMessage, textOf } from '#api/http/replies/event-stream.ts';
import { type Context, endpoint, on, type Presented } from '#api/surfaces/endpoint.ts';
import { type Followed, followChanges, type LiveTold } from '#application/live/follow-changes.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { LIVE_TOPICS, type LiveTopic } from '#domain/live/live-change.ts';
import { ChangesQuery, changesView } from '#schemas/http/live.ts';
import { iso } from '#schemas/http/time.ts';

/** Maximum time for a message to be read, ms. */
const STALLED_MS = 60_000;
const MAX_ID = 200;
const PRINTABLE = /^[\x21-\x7e]*$/;

interface ChangesRequest {
  readonly topics: readonly LiveTopic[] | undefined;
  readonly from: string | null;
}

/** Any text: an id that no process knows gets a `reset`. */
function lastId(headers: Readonly<Record<string, string | undefined>>): string | null {
  const said = headers['last-event-id'] ?? '';
  if (said.length > MAX_ID || !PRINTABLE.test(said))
    throw invalid('Last-Event-ID', 'expected an event ID from this stream');
  return said === '' ? null : said;
}

function allowedTopics({ caller: { permissions } }: Context): LiveTopic[] {
  const all = Object.entries(LIVE_TOPICS) as [LiveTopic, (typeof LIVE_TOPICS)[LiveTopic]][];
  const allowed = all.filter(([, { permission }]) => permissions.has(permission)).map(([topic]) => topic);
  if (allowed.length === 0)
    throw new Fault(
      'forbidden',
      `Requires one of these permissions: ${[...new Set(all.map(([, one]) => one.permission))].join(', ')}`,
    );
  return allowed;
}

const bye = (reason: string): StreamMessage => ({ event: 'bye', data: { reason } });

const messageOf = (told: LiveTold, { ports: { clock }, service }: Context): StreamMessage => {
  if (told.say === 'bye') return bye(told.why);
  const at = iso(clock.now());
  const { position: id } = told;
  if (told.say === 'hello') return { id, event: 'hello', data: { position: id, version: service.version, at } };
  if (told.say === 'changes') return { id, event: 'changes', data: changesView(told.changes, at) };
  return { id, event: 'reset', data: { reason: 'gap' } };
};

async function* messagesOf({ told }: Followed, context: Context): AsyncGenerator<StreamMessage> {
  for await (const one of told) yield messageOf(one, context);
}

function present(followed: Followed, context: Context): Presented {
  const { ports, service } = context;
  const last = (): string => {
    ports.metrics.count('faultline_live_ended_total', { reason: 'slow' });
    return textOf(bye('slow'));
  };
  const stalled = { mostMs: STALLED_MS, last, stopping: service.stopping };
  return presentStream(messagesOf(followed, context), { close: followed.close, stalled });
}

export const changesStream = endpoint<ChangesRequest, Followed>({
  id: 'live.changes',
  summary: 'Stream live changes (SSE)',
  description:
    'Event names: `hello` (position, version, at) is sent first; `changes` lists changed IDs by topic (up to 200 per kind; `more` counts the rest); `reset` (reason: gap) means the client must reload; `bye` (reason: expired, stopping, slow) is sent last. With `Last-Event-ID`, missed changes or a `reset` are sent first. Each topic requires a permission: `groups`, `events` and `silences` events.read, `topology` cmdb.read, `scans` discovery.read, `pipeline` pipeline.read. Up to 20 streams per user (429) and 500 per process (503).',
  tag: 'Live changes',
  permission: null,
  anyCredential: true,
  takesLong: true,
  alsoFaults: ['forbidden', 'rate-limited', 'unavailable'],
  mounts: on.ops.get('/sse/changes', {
    query: ChangesQuery,
    reply: z.string(),
    replyType: EVENT_STREAM,
    replyHeaders: ['X-Accel-Buffering'],
    read: ({ query, headers }) => ({ topics: query.topics, from: lastId(headers) }),
    present,
  }),
  handle: (asked, context) => {
    const { tenant, caller, ports, signal, service } = context;
    const { topics = allowedTopics(context), from } = asked;
    const recheck = () => context.recheck();
    return followChanges({ tenant, caller, ports, topics, from, signal, stopping: service.stopping, recheck });
  },
});
