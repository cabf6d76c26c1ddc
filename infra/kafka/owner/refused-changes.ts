/** Changes of a batch that the store refused, in the form that a dead letter stores and that can be saved again. */

import type { EventKey, EventPart } from '#domain/pipeline/processor.ts';
import type { Changes, PipelineStore } from '#domain/ports/pipeline-store.ts';

type Lists = { readonly [Family in keyof Changes]?: readonly unknown[] };

/** Only the documents of this key; of each event which parts were changed, as a list. */
export const refusedChanges = (changes: Changes, { tenant, id }: EventKey): { readonly refused: Lists } => {
  const isIt = (of: string, one: string): boolean => of === tenant && one === id;
  const lists: Required<Lists> = {
    events: changes.events
      .filter(({ event }) => isIt(event.tenant, event.id))
      .map(({ event, parts }) => ({ event, parts: [...parts] })),
    recoveries: changes.recoveries.filter((one) => isIt(one.tenant, one.conditionId)),
    deliveries: changes.deliveries.filter((one) => isIt(one.tenant, one.id)),
    enriched: changes.enriched.filter(({ arrival }) => isIt(arrival.tenant, arrival.eventId)),
    decisions: changes.decisions.filter((one) => isIt(one.tenant, one.eventId)),
    groups: changes.groups.filter((one) => isIt(one.tenant, one.id)),
    records: (changes.records ?? []).filter((one) => isIt(one.tenant, one.id)),
  };
  return { refused: Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) };
};

type DeadLetterChanges = Omit<Partial<Changes>, 'events'> & {
  readonly events?: readonly { readonly event: Changes['events'][number]['event']; readonly parts: EventPart[] }[];
};

/** Null for letters that do not hold all that was refused. */
const changesIn = (record: unknown): Changes | null => {
  const { refused } = (record ?? {}) as { readonly refused?: DeadLetterChanges | null };
  if (refused === undefined || refused === null) return null;
  const {
    events = [],
    recoveries = [],
    deliveries = [],
    enriched = [],
    decisions = [],
    groups = [],
    records = [],
  } = refused;
  const whole = events.map(({ event, parts }) => ({ event, parts: new Set(parts) }));
  return { events: whole, recoveries, deliveries, enriched, decisions, groups, records };
};

/** True if a letter contains changes that can be saved. */
export const holdsRefused = (record: unknown): boolean => changesIn(record) !== null;

/** Implements `Operations.saveAgain`: newer documents in the store stay unchanged. */
export const saveRefused = async (
  store: Pick<PipelineStore, 'save'>,
  record: unknown,
): Promise<'saved' | 'kept' | null> => {
  const changes = changesIn(record);
  if (changes === null) return null;
  return (await store.save(changes)).furtherOn.length === 0 ? 'saved' : 'kept';
};
