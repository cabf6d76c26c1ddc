import { z } from 'zod';
import { EVENT_STREAM, presentStream, type StreamMessage } from '#api/http/replies/event-stream.ts';
import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import { invalid } from '#domain/fault.ts';
import { SessionPath } from '#features/analyzer/schemas/infrastructure.ts';
import { followAnalysis, type ToldProgress } from '#features/analyzer/use-cases/infrastructure/follow.ts';
import { STREAM_PAGE } from '#features/analyzer/use-cases/infrastructure/start-analysis.ts';

/** A stream ends after this time; its client reconnects with a credential that is still valid, or is rejected; ms. */
const MAX_MS = 3_600_000;
const NUMBER = /^\d{1,9}$/;

interface Following {
  readonly sessionId: string;
  readonly seen: number;
}

/** The last message that a reconnecting client has seen. */
function seenBy(headers: Readonly<Record<string, string | undefined>>): number {
  const said = headers['last-event-id'] ?? '';
  if (said === '') return 0;
  if (!NUMBER.test(said)) throw invalid('Last-Event-ID', 'expected an event ID from this stream');
  return Number(said);
}

async function* messages(sessionId: string, told: AsyncIterable<ToldProgress>): AsyncGenerator<StreamMessage> {
  yield { data: { type: 'connected', message: 'Connected', sessionId } };
  for await (const { n: id, event } of told) yield { id, data: event };
}

/** Null: all was seen. */
type Followed = AsyncIterable<StreamMessage> | null;

async function open({ sessionId, seen }: Following, context: Context): Promise<Followed> {
  const signal = AbortSignal.any([context.signal, context.service.stopping, AbortSignal.timeout(MAX_MS)]);
  const told = await followAnalysis(context, { sessionId, seen, signal });
  return told === null ? null : messages(sessionId, told);
}

export const progressStream = endpoint<Following, Followed>({
  id: 'infrastructure-analysis.progress',
  summary: 'Stream an infrastructure analysis (SSE)',
  description:
    'Each event is JSON with `type`: connected, progress (step, message, serviceName, category, current, total), complete (totalServices, discoveredAt) or error (error). `Last-Event-ID` resumes after that event; returns 204 once the analysis has ended and all events were sent. The `streamUrl` from the start request requires no other credential.',
  tag: 'AI: business services',
  permission: 'cmdb.read',
  linkPage: STREAM_PAGE,
  takesLong: true,
  mounts: on.ops.get('/sse/business-service-analyzer/infrastructure-analysis/progress/{sessionId}', {
    params: SessionPath,
    query: z.strictObject({ link: z.string().max(2_048).optional().meta({ description: 'Value of a signed link' }) }),
    alsoStatus: [204],
    reply: z.string(),
    replyType: EVENT_STREAM,
    replyHeaders: ['X-Accel-Buffering'],
    read: ({ params, headers }) => ({ sessionId: params.sessionId, seen: seenBy(headers) }),
    present: (followed) => (followed === null ? { status: 204, body: undefined } : presentStream(followed)),
  }),
  handle: open,
});
