import { type EventRow, listEvents } from '#console/api/events.ts';
import type { AddressQuery } from '#console/api/link/address.ts';
import type { Call } from '#console/api/link/call.ts';
import type { CsvField, CsvPage } from '#console/data/csv/csv.ts';

const PAGE = 100;

export const EVENT_FIELDS: readonly CsvField<EventRow>[] = [
  ['Event ID', ({ eventId }) => eventId],
  ['First seen', ({ firstOccurrence }) => firstOccurrence],
  ['Last seen', ({ lastOccurrence }) => lastOccurrence],
  ['Severity', ({ severity }) => severity],
  ['Status', ({ status }) => status],
  ['Title', ({ title }) => title],
  ['Source', ({ source }) => source],
  ['Hostname', ({ hostname }) => hostname],
  ['CI', ({ ciId }) => ciId?.name],
  ['Reported service', ({ service }) => service],
  ['Occurrences', ({ occurrenceCount }) => occurrenceCount],
  ['Group ID', ({ correlationId }) => correlationId],
  ['Assignee', ({ assignedTo, assignedTeam }) => assignedTo?.name ?? assignedTeam?.name],
];

export const eventsFile =
  (asked: AddressQuery) =>
  async (call: Call, cursor: string | undefined): Promise<CsvPage<EventRow>> => {
    const { events, pagination } = await listEvents(call, { ...asked, limit: PAGE, cursor });
    return { rows: events, next: pagination.nextCursor ?? null };
  };
