import { type EventRow, listEvents } from '#console/api/events.ts';
import type { AddressQuery } from '#console/api/link/address.ts';
import type { Call } from '#console/api/link/call.ts';
import type { CsvField, CsvPage } from '#console/data/csv/csv.ts';
import { assigneeName } from '#domain/event/event-words.ts';

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
  ['Service', ({ service }) => service],
  ['Occurrences', ({ occurrenceCount }) => occurrenceCount],
  ['Group ID', ({ correlationId }) => correlationId],
  ['Assignee', assigneeName],
];

export const eventsFile =
  (asked: AddressQuery) =>
  async (call: Call, cursor: string | undefined): Promise<CsvPage<EventRow>> => {
    const { events, pagination } = await listEvents(call, { ...asked, limit: PAGE, cursor });
    return { data: events, pagination };
  };
