import { namesOf } from '#domain/correlation/grouping/group-state.ts';
import { type Event, severityRank } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import { unboundKeys } from '#domain/event/identity/unbound.ts';
import type { EventKey } from '#domain/pipeline/processor.ts';
import { plainWords } from '#domain/plain-words.ts';
import type { DocumentWrite } from '#infra/elasticsearch/cluster/bulk.ts';
import { documentId, type Names } from '#infra/elasticsearch/cluster/names.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { type DocumentAddress, readMany } from './documents.ts';

/** An event as stored: itself, and fields that can only be queried when computed before. */
export interface EventDocument {
  readonly event: Event;
  readonly rank: number;
  /** Absent: it is no change. */
  readonly change?: true;
  /** Names by which an event without a CI may find one later; absent when it has one or is resolved. */
  readonly unbound?: { readonly is: true; readonly host?: string; readonly address?: string };
  /** Title, description and host name; a phrase does not reach from one into the other. */
  readonly text: readonly string[];
  /** Counted fields of events in groups. */
  readonly member?: { readonly superseded?: true; readonly names: readonly string[] };
  /** Set for resolved events only; a reopened one has no resolution time. */
  readonly resolvedAt?: number;
  readonly openMs?: number;
  /** Duration from the first occurrence to the acknowledgment. */
  readonly acknowledgedMs?: number;
  /** The sender's name of the service, else of the application. */
  readonly serviceName?: string;
  /** Host in the form of `canonicalHost`. */
  readonly host?: string;
}

const unboundOf = (event: Event): Pick<EventDocument, 'unbound'> | null => {
  if (event.ci !== null || event.status === 'resolved') return null;
  const { host, address } = unboundKeys(event);
  return { unbound: { ...(host && { host }), ...(address && { address }), is: true } };
};

/** Kind, key and name in one word. */
const memberOf = (event: Event): Pick<EventDocument, 'member'> | null => {
  if (event.correlationId === null) return null;
  const names = namesOf(event).map((name) => JSON.stringify(name));
  return { member: { names, ...(event.supersededBy !== undefined && { superseded: true }) } };
};

const counted = (event: Event): Pick<EventDocument, 'acknowledgedMs' | 'serviceName' | 'host'> => {
  const { acknowledgedAt, firstOccurrence, service, application, hostname } = event;
  const serviceName = service ?? application;
  return {
    ...(acknowledgedAt !== undefined && { acknowledgedMs: acknowledgedAt - firstOccurrence }),
    ...(serviceName !== undefined && { serviceName }),
    ...(hostname && { host: canonicalHost(hostname) }),
  };
};

const textOf = ({ title, description, hostname }: Event): string[] =>
  [title, description, hostname].filter((said) => said !== undefined).map(plainWords);

const toDocument = (event: Event): EventDocument => ({
  event,
  rank: severityRank(event.severity),
  ...(isChange(event) && { change: true }),
  ...unboundOf(event),
  ...memberOf(event),
  text: textOf(event),
  ...(event.status === 'resolved' && event.resolvedAt !== undefined
    ? { resolvedAt: event.resolvedAt, openMs: event.resolvedAt - event.firstOccurrence }
    : {}),
  ...counted(event),
});

/** Returns the location of an event; null for an impossible id. */
export function eventPlace(names: Names, tenant: string, id: string): DocumentAddress | null {
  const index = names.weekly('events', id);
  return index === null ? null : { index, id: documentId(tenant, id) };
}

/** The events that exist, in the order of the keys. */
export async function readEvents({ connection, names }: Store, keys: readonly EventKey[]): Promise<Event[]> {
  const places = keys.map(({ tenant, id }) => eventPlace(names, tenant, id)).filter((place) => place !== null);
  const documents = await readMany<EventDocument>(connection, places, ['event']);
  return documents.filter((document) => document !== undefined).map(({ event }) => event);
}

/** `creates`: false for a change of an event that must be there already. Throws for an id that is no ULID. */
export function eventWrite(names: Names, event: Event, creates: boolean): DocumentWrite {
  const { tenant, id, position } = event;
  const place = eventPlace(names, tenant, id);
  if (place === null) throw new Error(`The id of an event must be a ULID, not ${id}`);
  return {
    ...place,
    family: 'events',
    key: { tenant, id },
    fence: 'gte',
    version: position,
    body: toDocument(event),
    creates,
  };
}
