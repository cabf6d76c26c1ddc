import type { Event } from './event.ts';

type Named = Pick<Event, 'title' | 'ci' | 'hostname'>;

/** `Disk is full on db-1`; a title that names its machine says it once. */
export const titledOn = (title: string, place: string | undefined): string =>
  place === undefined || title.includes(place) ? title : `${title} on ${place}`;

/** An event as people call it: `“Disk is full” on db-1`. */
export const eventWords = ({ title, ci, hostname }: Named): string => {
  const place = ci?.name ?? hostname;
  return titledOn(title, place) === title ? `“${title}”` : `“${title}” on ${place}`;
};
