import { expect, test } from '@jest/globals';
import type { Event, Status } from '#domain/event/event.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { SinkEventBody } from '#domain/ports/sink.ts';
import { notify } from './sinks.ts';

const ID = '01M7YWBDXTWDA6R21CQ905J7YQ';

/** The event as the last of these records left it; a record may leave several entries. */
const eventAfter = (...records: readonly (readonly Status[])[]): Event => {
  const history = records.flatMap((all, position) => all.map((to) => ({ to, position })));
  return { id: ID, status: history.at(-1)!.to, history, position: records.length - 1 } as unknown as Event;
};
const told = (...records: readonly (readonly Status[])[]) => {
  const event = eventAfter(...records);
  const happened = records.length === 1 ? 'created' : 'changed';
  const before = records.at(-2)?.at(-1);
  const isSame = before === undefined || before === event.status;
  return notify.told({ happened, event, ...(!isSame && { previousStatus: before }) } as unknown as Saved);
};

const CREATED: SinkEventBody = { happened: 'created', id: ID };
const LATER: SinkEventBody = { ...CREATED, wasSuppressed: true };
const since = (previousStatus: Status): SinkEventBody => ({ happened: 'status', id: ID, previousStatus });

test.each<readonly [string, SinkEventBody | null, readonly (readonly Status[])[]]>([
  ['a new event', CREATED, [['open']]],
  ['one that recovered before it was reported', CREATED, [['resolved']]],
  ['one that comes while it is suppressed', null, [['suppressed']]],
  ['the same when another silence takes it over', null, [['suppressed'], ['suppressed']]],
  ['when it recovers meanwhile', null, [['suppressed'], ['resolved']]],
  ['when what fires still is open again', LATER, [['suppressed'], ['open']]],
  ['when it became worse first, in the same record', LATER, [['suppressed'], ['suppressed', 'open']]],
  ['when a person takes it', LATER, [['suppressed'], ['acknowledged']]],
  ['when it is reopened after it had recovered', LATER, [['suppressed'], ['resolved'], ['open']]],
  ['when it recovers after it was open', since('open'), [['suppressed'], ['open'], ['resolved']]],
  ['what was known before it was suppressed', since('open'), [['open'], ['suppressed']]],
  ['when that is open again', since('suppressed'), [['open'], ['suppressed'], ['open']]],
  ['when that recovers', since('suppressed'), [['open'], ['suppressed'], ['resolved']]],
  ['a repeat', null, [['open'], ['open']]],
])('%s: webhooks are told so', (_what, expected, records) => {
  expect(told(...records)).toEqual(expected);
});
