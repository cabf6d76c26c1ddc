import type { Event } from '#domain/event/event.ts';
import { copyFields, sameFields } from '#domain/event/field-functions.ts';
import { type ChangedPart, EVENT_FIELDS, fieldsOf } from '#domain/event/fields.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';

const sameTally = sameFields(fieldsOf('tally'));
const sameState = sameFields(fieldsOf('state'));
const sameSaid = sameFields(fieldsOf('said'));
const sameAssigned = sameFields(fieldsOf('assigned'));

const covers = (parts: ReadonlySet<EventPart>, before: Event, after: Event): boolean =>
  (parts.has('tally') || sameTally(before, after)) &&
  (parts.has('state') || sameState(before, after)) &&
  (parts.has('said') || sameSaid(before, after)) &&
  (parts.has('assigned') || sameAssigned(before, after));

const CHANGED: readonly ChangedPart[] = ['tally', 'state', 'said', 'assigned'];

/** The event as its row stands when no more than `parts` of `after` is written. */
export function asWritten(parts: ReadonlySet<EventPart>, before: Event, after: Event): Event {
  if (covers(parts, before, after)) return after;
  const unwritten = new Set<string>(CHANGED.filter((part) => !parts.has(part)));
  const isWritten = (name: string): boolean => !unwritten.has(EVENT_FIELDS[name as keyof Event]);
  return Object.fromEntries([
    ...Object.entries(after).filter(([name]) => isWritten(name)),
    ...Object.entries(before).filter(([name, value]) => !isWritten(name) && value !== undefined),
  ]) as unknown as Event;
}

/** Lays the changes of a further occurrence over the event that is there. */
export const takeActivity: (event: Event, after: Event) => void = copyFields(fieldsOf('tally', 'fence'));
