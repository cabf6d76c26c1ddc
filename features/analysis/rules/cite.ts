import type { Fact } from '#domain/ai/evidence.ts';
import { type CiRef, type Event, eventIdOf } from '#domain/event/event.ts';
import { clipped } from '#domain/text.ts';
import type { PackBuilder } from '#features/ai/rules/pack.ts';
import type { GroupFacts } from './case.ts';

/** Destination of evidence. */
type Evidence = Pick<PackBuilder, 'add'>;

const LABEL = 120;
const QUOTED = 80;

/** Returns the name that users know for the subject of an event. */
export const subjectOf = ({ ci, hostname, ipAddress, service }: Event): string =>
  clipped(ci?.name ?? hostname ?? ipAddress ?? service ?? 'no host', QUOTED);

export const quoted = (event: Event): string => `"${clipped(event.title, QUOTED)}" on ${subjectOf(event)}`;

export const minuteOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const text = (name: string, value: string | undefined): Fact[] =>
  value === undefined ? [] : [{ name, value: clipped(value, 300), isFreeText: true }];

const eventFacts = (event: Event): Fact[] => [
  { name: 'title', value: clipped(event.title, 300), isFreeText: true },
  { name: 'severity', value: event.severity },
  { name: 'status', value: event.status },
  { name: 'time', value: minuteOf(event.timestamp) },
  { name: 'subject', value: subjectOf(event), isFreeText: true },
  ...text('resolution notes', event.resolutionNotes),
  ...text('resolved by', event.resolvedBy?.name),
  ...(event.resolvedAt === undefined ? [] : [{ name: 'resolved at', value: minuteOf(event.resolvedAt) }]),
];

/** Puts what a sentence speaks of into the pack; each answers the aliases. */
export const citeEvent = (pack: Evidence, event: Event, facts: readonly Fact[] = []): string[] => {
  const id = eventIdOf(event.id);
  const alias = pack.add({
    kind: 'event',
    id,
    label: clipped(event.title, LABEL),
    facts: [...eventFacts(event), ...facts],
  });
  return alias === null ? [] : [alias];
};

export const citeCi = (pack: Evidence, ci: CiRef | null): string[] => {
  if (ci === null) return [];
  const facts: Fact[] = [
    { name: 'name', value: ci.name, isFreeText: true },
    { name: 'type', value: ci.type },
  ];
  const alias = pack.add({ kind: 'ci', id: ci.id, label: clipped(ci.name, LABEL), facts });
  return alias === null ? [] : [alias];
};

export const citeGroup = (pack: Evidence, { id, size, candidate }: GroupFacts): string[] => {
  const facts: Fact[] = [
    { name: 'events', value: size },
    { name: 'CIs explained by the root-cause candidate', value: candidate?.explains.length ?? 0 },
  ];
  const alias = pack.add({ kind: 'group', id, label: id, facts });
  return alias === null ? [] : [alias];
};
