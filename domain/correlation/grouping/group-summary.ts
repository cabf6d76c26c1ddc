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

/** One sentence of facts alone: what is wrong, what fails behind it, and what is close to it. */
export const summaryOf = ({ title, ci, size, explained, services, saved }: SummaryFacts): string => {
  const begin =
    title === null ? `${size} events belong together; their cause is not known` : titledOn(title, ci ?? undefined);
  const names = (isDown: boolean) => services.filter((one) => one.isDown === isDown).map(({ name }) => name);
  return [
    begin,
    ...(explained === 0 ? [] : [explained === 1 ? '1 CI behind it fails' : `${explained} CIs behind it fail`]),
    ...said(names(true), 'is down', 'are down'),
    ...said(names(false), 'is degraded', 'are degraded'),
    ...said(
      saved.filter(isLast).map(({ name }) => name),
      'has no redundancy left',
      'have no redundancy left',
    ),
  ].join('; ');
};
