import type { Event } from './event.ts';

type EventLabel = Pick<Event, 'title' | 'ci' | 'hostname'>;

/** The place, unless the title contains it. */
export const placeBeside = (title: string, place: string | null | undefined): string | null =>
  place == null || title.toLowerCase().includes(place.toLowerCase()) ? null : place;

/** `db-1: Disk full`; a title that names its place stays as it is. */
export const titledAt = (title: string, place: string | null | undefined): string => {
  const beside = placeBeside(title, place);
  return beside === null ? title : `${beside}: ${title}`;
};

/** `Disk is full on db-1`; a title that contains its machine does not repeat it. */
export const titledOn = (title: string, place: string | undefined): string =>
  place === undefined || title.includes(place) ? title : `${title} on ${place}`;

/** Returns the display name of an event: `“Disk is full” on db-1`. */
export const eventWords = ({ title, ci, hostname }: EventLabel): string => {
  const place = ci?.name ?? hostname;
  return titledOn(title, place) === title ? `“${title}”` : `“${title}” on ${place}`;
};

type Assigned = { readonly [Who in 'assignedTo' | 'assignedTeam']?: { readonly name: string } | null | undefined };

/** `Ann`, `Night`, `Ann, Night`; null: unassigned. */
export const assigneeName = ({ assignedTo, assignedTeam }: Assigned): string | null =>
  [assignedTo?.name, assignedTeam?.name].filter((name) => name !== undefined).join(', ') || null;
