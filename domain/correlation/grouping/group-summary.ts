import { titledOn } from '#domain/event/event-words.ts';
import type { Impact } from '#domain/topology/topology.ts';

/** Names in one sentence. */
const NAMED = 3;

/** Knowledge about a fault. */
export interface SummaryFacts {
  /** Title of the probable cause; null when none is known. */
  readonly title: string | null;
  /** Name of its CI. */
  readonly ci: string | null;
  /** Members that count. */
  readonly size: number;
  /** CIs that it explains. */
  readonly explained: number;
  readonly services: readonly { readonly name: string; readonly isDown: boolean }[];
  /** CIs that redundancy saves. */
  readonly saved: Impact['protected'];
  /** The cause is not over, or not known. */
  readonly isCauseOn: boolean;
  /** Members that are on. */
  readonly left: number;
}

const listed = (names: readonly string[]): string => {
  const shown = names.slice(0, NAMED);
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
};

const said = (names: readonly string[], one: string, several: string): string[] =>
  names.length === 0 ? [] : [`${listed(names)} ${names.length === 1 ? one : several}`];

/** One more failure, and it is down. */
const isLast = ({ groups }: Impact['protected'][number]): boolean =>
  groups.some(({ surviving, required }) => surviving <= required);

const impacted = ({ explained, isCauseOn }: SummaryFacts): string[] => {
  if (explained === 0) return [];
  if (!isCauseOn) return [explained === 1 ? '1 CI was impacted' : `${explained} CIs were impacted`];
  return [explained === 1 ? '1 CI impacted' : `${explained} CIs impacted`];
};

const leftOf = ({ left, size, isCauseOn }: SummaryFacts): string[] =>
  isCauseOn || left === 0 ? [] : [`${left} of ${size} events ${left === 1 ? 'is' : 'are'} still open`];

/** Returns one sentence of facts alone: the problem, its impact and nearby events. */
export const summaryOf = (facts: SummaryFacts): string => {
  const { title, ci, size, services, saved, isCauseOn } = facts;
  const begin = title === null ? `${size} related events, root cause unknown` : titledOn(title, ci ?? undefined);
  const names = (isDown: boolean) => services.filter((one) => one.isDown === isDown).map(({ name }) => name);
  return [
    isCauseOn ? begin : `${begin} (resolved)`,
    ...impacted(facts),
    ...leftOf(facts),
    ...said(names(true), 'is down', 'are down'),
    ...said(names(false), 'is degraded', 'are degraded'),
    ...said(
      saved.filter(isLast).map(({ name }) => name),
      'has lost redundancy',
      'have lost redundancy',
    ),
  ].join('; ');
};
