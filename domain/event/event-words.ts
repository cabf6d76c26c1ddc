import type { Event } from './event.ts';

type Named = Pick<Event, 'title' | 'ci' | 'hostname'>;

/** An event as people call it: `“Disk is full” on db-1`; a title that names its machine says it once. */
export const eventWords = ({ title, ci, hostname }: Named): string => {
  const place = ci?.name ?? hostname;
  return `“${title}”${place === undefined || title.includes(place) ? '' : ` on ${place}`}`;
};
