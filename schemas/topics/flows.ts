import { strategies } from '#domain/correlation/strategies.ts';
import {
  correlationChanges,
  correlationHits,
  eventsEnriched,
  eventsIncoming,
  eventsReceipts,
  eventsRejected,
  eventsSaved,
} from './topics.ts';
import type { TopicName } from './values.ts';

/** Who reads and writes which topic. */
export interface Flow {
  /** Name of a processor; `api` is whoever takes requests. */
  readonly name: string;
  readonly receives: readonly TopicName[];
  readonly sends: readonly TopicName[];
}

const flow = (name: string, receives: TopicName, ...sends: readonly TopicName[]): Flow => ({
  ...{ name, receives: [receives], sends: [...sends, eventsRejected] },
});

/** In reading order. */
export const flows: readonly Flow[] = [
  { name: 'api', receives: [eventsReceipts], sends: [eventsIncoming] },
  flow('dedup', eventsIncoming, eventsSaved, eventsReceipts),
  flow('enrich', eventsSaved, correlationHits, eventsEnriched),
  ...strategies.map(({ name }) => flow(`correlate.${name}`, eventsEnriched, correlationHits)),
  flow('merge', correlationHits, eventsIncoming, correlationChanges, eventsReceipts),
];
