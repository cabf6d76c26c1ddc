import { strategies } from '#domain/correlation/strategies/strategies.ts';
import {
  correlationChanges,
  correlationHits,
  eventsEnriched,
  eventsIncoming,
  eventsReceipts,
  eventsRejected,
  eventsSaved,
  topologyChanged,
} from './topics.ts';
import type { TopicName } from './values.ts';

/** The topics that each processor reads and writes. */
export interface Flow {
  /** Name of a processor or sink; `api` is any process that serves requests. */
  readonly name: string;
  readonly receives: readonly TopicName[];
  readonly sends: readonly TopicName[];
}

const flow = (name: string, receives: TopicName, ...sends: readonly TopicName[]): Flow => ({
  name,
  receives: [receives],
  sends: [...sends, eventsRejected],
});

/** Flows in reading order. Changes of the topology are published by their writer, and received by all caches. */
export const flows: readonly Flow[] = [
  { name: 'api', receives: [eventsReceipts, topologyChanged], sends: [eventsIncoming, topologyChanged] },
  flow('dedup', eventsIncoming, eventsSaved, eventsReceipts),
  { ...flow('enrich', eventsSaved, correlationHits, eventsEnriched), receives: [eventsSaved, topologyChanged] },
  ...strategies.map(({ name }) => flow(`correlate.${name}`, eventsEnriched, correlationHits)),
  flow('merge', correlationHits, eventsIncoming, correlationChanges, eventsReceipts),
  // Sinks: they request changes from the owner of events like any client.
  flow('analyse', eventsSaved, eventsIncoming),
  flow('analyse.groups', correlationChanges, eventsIncoming),
  flow('notify', eventsSaved),
  flow('notify.groups', correlationChanges),
  flow('search', eventsSaved),
  flow('search.groups', correlationChanges),
  flow('standing', eventsSaved),
  flow('standing.groups', correlationChanges),
  flow('group.members', eventsSaved),
  flow('group.rows', correlationChanges),
];
