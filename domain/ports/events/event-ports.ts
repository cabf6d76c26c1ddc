import type { EventAggregates } from './event-aggregates.ts';
import type { EventCounts } from './event-counts.ts';
import type { EventHistory } from './event-history.ts';
import type { EventStore } from './event-store.ts';
import type { EventSummaries } from './event-summaries.ts';
import type { EventSweeps } from './event-sweeps.ts';

/** All ports to stored events. */
export interface EventPorts {
  readonly events: EventStore;
  readonly sweeps: EventSweeps;
  readonly eventCounts: EventCounts;
  readonly eventHistory: EventHistory;
  readonly eventAggregates: EventAggregates;
  readonly eventSummaries: EventSummaries;
}
