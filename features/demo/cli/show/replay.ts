import type { Client } from '#cli/client/client.ts';
import type { EventReply, EventsReply, GroupReply, GroupsReply, TakenReply } from '#cli/client/replies.ts';
import { itemAt } from '#domain/assert.ts';
import type { Payload, Truth } from '#features/demo/rules/traffic.ts';
import { pause } from '#infra/wait.ts';
import type { Sample } from './score.ts';

/** Event id → the generator's truth about its item. */
export type Sent = ReadonlyMap<string, Truth>;

/** Posts every payload to its monitor's webhook, one after the other: a tenant's order matters. */
export const sendAll = async (client: Client, payloads: readonly Payload[], step: () => void): Promise<Sent> => {
  const sent = new Map<string, Truth>();
  for (const { source, body, truths } of payloads) {
    const { results } = await client.post<TakenReply>(`/api/events/webhook/${source}`, body);
    results.forEach(({ eventId, status }, at) => {
      if (eventId !== null && status === 'created') sent.set(eventId, itemAt(truths, at));
    });
    step();
  }
  return sent;
};

export interface ReplayOutcome {
  readonly events: readonly EventReply[];
  readonly groups: readonly GroupReply[];
}

const PAGE = 100;
const READINGS = 40;
const BETWEEN_MS = 250;

const allEvents = async (client: Client): Promise<EventReply[]> => {
  const events: EventReply[] = [];
  let cursor = '';
  do {
    const page = await client.get<EventsReply>(`/api/events?status=all&sortOrder=asc&limit=${PAGE}${cursor}`);
    events.push(...page.events);
    cursor = page.pagination.nextCursor ? `&cursor=${encodeURIComponent(page.pagination.nextCursor)}` : '';
  } while (cursor !== '');
  return events;
};

const allGroups = async (client: Client): Promise<GroupReply[]> => {
  const groups: GroupReply[] = [];
  for (let page = 1; ; page++) {
    const read = await client.get<GroupsReply>(
      `/api/events/groups?sortBy=first&sortOrder=asc&limit=${PAGE}&page=${page}`,
    );
    groups.push(...read.groups);
    if (read.groups.length < PAGE) return groups;
  }
};

const shapeOf = ({ events, groups }: ReplayOutcome): string =>
  JSON.stringify([events.map(({ correlationId }) => correlationId), groups.map(({ eventCount }) => eventCount)]);

/** The groups of the server. They are decided a moment after events are answered: reads until two readings agree. */
export const readOutcome = async (client: Client): Promise<ReplayOutcome> => {
  const read = async (): Promise<ReplayOutcome> => ({
    events: await allEvents(client),
    groups: await allGroups(client),
  });
  let before = await read();
  for (let reading = 1; reading < READINGS; reading++) {
    const now = await read();
    if (shapeOf(now) === shapeOf(before)) return now;
    before = now;
    await pause(BETWEEN_MS);
  }
  return before;
};

/** Every event beside its truth. */
export const judgedOf = ({ events }: ReplayOutcome, sent: Sent, ordinaryUntil: number): Sample[] =>
  events.flatMap(({ eventId, correlationId }) => {
    const truth = sent.get(eventId);
    if (!truth) return [];
    const { incident, isCause, at } = truth;
    return [{ eventId, incident, isCause, isEarly: at < ordinaryUntil, group: correlationId }];
  });

export const rootsOf = ({ groups }: ReplayOutcome): Map<string, string> =>
  new Map(
    groups.flatMap(({ correlationId, rootCauseCandidate: root }) => (root ? [[correlationId, root.eventId]] : [])),
  );
