import type { Event } from './event.ts';

type EventLabel = Pick<Event, 'title' | 'ci' | 'hostname'>;

/** `Disk is full on db-1`; a title that contains its machine does not repeat it. */
export const titledOn = (title: string, place: string | undefined): string =>
  place === undefined || title.includes(place) ? title : `${title} on ${place}`;

/** Returns the display name of an event: `“Disk is full” on db-1`. */
export const eventWords = ({ title, ci, hostname }: EventLabel): string => {
  const place = ci?.name ?? hostname;
  return titledOn(title, place) === title ? `“${title}”` : `“${title}” on ${place}`;
};
