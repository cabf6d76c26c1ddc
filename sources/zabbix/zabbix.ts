/** Zabbix: a webhook media type that posts macros as JSON (inbound body "agent-based monitor"). */

import { z } from 'zod';
import type { MonitorAction } from '#domain/event/draft.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { body, HOST, type SourceCard, seconds, TOKEN_PLACE, text, titleOf } from '../kit/card.ts';
import { hostAddressAmong } from '../kit/hosts.ts';
import {
  type About,
  type AlertReading,
  bodiesOf,
  change,
  ignore,
  open,
  readEach,
  type StatusChange,
  unknownState,
  update,
} from '../kit/items.ts';
import { belongingOf, type Labels, labelsOf, NO_LABELS } from '../kit/labels.ts';
import { type Rated, rate, type Scale, type SeverityTable } from '../kit/severity.ts';
import { anything, fields, macro, plainKeys } from '../kit/shapes.ts';
import type { Delivered, InboundSettings, MonitorSource } from '../kit/source.ts';
import { toldBy } from '../kit/state-words.ts';
import { first, joined, parsedJson } from '../kit/text.ts';
import { timeOf } from '../kit/time.ts';

const card: SourceCard = {
  body: body(
    'ZabbixNotification',
    {
      event_id: text,
      trigger_id: text,
      trigger_name: text,
      trigger_description: text,
      hostname: text,
      host_ip: text,
      severity: text,
      event_value: text,
      event_update_status: text,
      event_tags: text,
      timestamp: z.union([z.number(), z.string()]).optional(),
    },
    {
      event_id: '88012',
      trigger_id: '19033',
      trigger_name: 'Free disk space is less than 20% on volume /var',
      hostname: 'files-01',
      severity: '3',
      event_value: '1',
      timestamp: '1795261097',
    },
  ),
  carries: 'header',
  snippets: (_, base) => [
    {
      title: 'Global macros (import infra/deploy/zabbix/media-faultline.yaml first)',
      language: 'text',
      text: `{$FAULTLINE.URL}    ${base}\n{$FAULTLINE.TOKEN}  ${TOKEN_PLACE}`,
    },
  ],
  test: (test) => ({
    event_id: test.serial,
    trigger_id: test.serial,
    trigger_name: titleOf(test),
    trigger_description: test.what,
    hostname: HOST,
    severity: '1',
    event_value: '1',
    event_update_status: '0',
    timestamp: String(seconds(test)),
  }),
  byHand: true,
};

const NAME = 'zabbix';

const SEVERITIES: SeverityTable = { 0: 'info', 1: 'info', 2: 'warning', 3: 'minor', 4: 'major', 5: 'critical' };
const SCALE: Scale = { source: NAME, table: SEVERITIES, fallback: 'warning' };
/**
 * {EVENT.SOURCE} of events that Zabbix cannot evaluate (items, triggers, discovery rules): such events have no
 * severity.
 */
const INTERNAL = '3';
const NAMES = ['not classified', 'information', 'warning', 'average', 'high', 'disaster'];

/** Shape after `plainKeys`: our names, those of the macros, and those of older media types. */
const shape = z.object({
  ...fields(
    macro,
    'eventid problemid triggerid triggername eventname name alertsubject subject triggerdescription triggerdesc eventdescription alertmessage message hostname hosthost host hostvisiblename hostip hostconn hostdns ip ipaddress severity nseverity eventnseverity eventseverity triggernseverity triggerseverity eventvalue triggervalue eventstatus status triggerstatus eventupdatestatus updatestatus eventupdate eventupdateaction updateaction eventupdatemessage updatemessage ackmessage eventackstatus ackstatus eventack acknowledged eventsource timestamp eventtimestamp eventdate eventtime date time clock recoverytimestamp eventrecoverytimestamp eventrecoverydate eventrecoverytime eventupdatetimestamp eventupdatedate eventupdatetime recoveryeventid eventrecoveryid causeeventid eventcauseid symptoms eventsymptoms',
  ),
  eventtags: anything,
  eventtagsjson: anything,
  tags: anything,
  ...fields(
    macro,
    'operationaldata operationdata eventopdata opdata triggeropdata userfullname username author hostgroup triggerhostgroupname itemkey triggerurl',
  ),
});
type AlertBody = z.output<typeof shape>;

const tagsIn = (sent: unknown): Labels =>
  labelsOf(typeof sent === 'string' ? (parsedJson(sent) ?? macro.parse(sent)) : sent);

const tagsOf = (said: AlertBody): Labels =>
  [said.eventtagsjson, said.eventtags, said.tags].map(tagsIn).find((tags) => tags.tags.length > 0) ?? NO_LABELS;

/** Digit 0–5 of a number or a name; undefined when it is neither. */
function levelOf(sent: string): string | undefined {
  if (/^[0-5](?:\.0+)?$/.test(sent)) return sent.charAt(0);
  const level = NAMES.indexOf(sent.toLowerCase().replace(/[_\s-]+/g, ' '));
  return level < 0 ? undefined : String(level);
}

function ratedOf(said: AlertBody, settings: InboundSettings): Rated {
  const all = [
    said.severity,
    said.eventnseverity,
    said.nseverity,
    said.eventseverity,
    said.triggernseverity,
    said.triggerseverity,
  ].filter((one) => one !== undefined);
  // Names may be changed in Zabbix; the number beside such a name defines its meaning.
  const sent = all.find((one) => levelOf(one) !== undefined) ?? all[0];
  if (sent === undefined && said.eventsource === INTERNAL) return rate(SCALE, undefined, settings);
  const level = sent === undefined ? undefined : levelOf(sent);
  // Names may be in another language, too: the tenant may define their meaning.
  if (sent !== undefined && level === undefined && /\p{L}/u.test(sent)) return rate(SCALE, sent, settings);
  if (sent === undefined || level === undefined)
    throw invalid('severity', `expected 0 to 5 or ${NAMES.join(', ')}, got ${sent?.slice(0, 60) ?? 'nothing'}`);
  return { ...rate(SCALE, sent, settings, [level, NAMES[Number(level)] ?? level]), word: sent };
}

/** Returns a date and a time in two macros, or any sent form of timestamp. */
const momentOf = (stamps: readonly (string | undefined)[], date: string | undefined, clock: string | undefined) =>
  first(...stamps.map(timeOf), timeOf(joined([date, clock], ' ')));
const startOf = (said: AlertBody) =>
  momentOf([said.timestamp, said.eventtimestamp, said.clock], said.eventdate ?? said.date, said.eventtime ?? said.time);
const endOf = (said: AlertBody) =>
  first(
    momentOf([said.recoverytimestamp, said.eventrecoverytimestamp], said.eventrecoverydate, said.eventrecoverytime),
    // The time of the problem itself does not contain its end.
    timeOf(said.timestamp),
  );
const updateOf = (said: AlertBody) => momentOf([said.eventupdatetimestamp], said.eventupdatedate, said.eventupdatetime);

type ZabbixState = 'problem' | 'over' | { readonly word: string };

/** {EVENT.VALUE} before {EVENT.STATUS}; the plain body has neither and is a problem (docs/specification.md §17). */
function stateOf(said: AlertBody): ZabbixState {
  const sent = first(said.eventvalue, said.eventstatus, said.triggerstatus, said.status, said.triggervalue);
  if (sent === undefined || sent === '1') return 'problem';
  const told = sent === '0' ? 'over' : toldBy(sent);
  return told === 'over' || told === 'problem' ? told : { word: sent };
}

const yes = (word: string | undefined): boolean => /^(?:yes|1|true|acknowledged)$/i.test(word ?? '');

function aboutOf(said: AlertBody): About {
  const id =
    first(said.eventid, said.problemid) ?? (said.triggerid === undefined ? undefined : `trigger-${said.triggerid}`);
  if (id === undefined) throw invalid('event_id', 'expected {EVENT.ID}');
  return { source: NAME, sourceId: id };
}

/** Returns {HOST.NAME} or other names of the host; the first is the name shown. */
const hostsOf = (said: AlertBody) => [said.hostname, said.hosthost, said.host, said.hostvisiblename, said.hostdns];

function complaint(said: AlertBody, settings: InboundSettings, item: unknown): AlertReading {
  const tags = tagsOf(said);
  const cause = first(said.causeeventid, said.eventcauseid);
  const opdata = first(said.operationaldata, said.operationdata, said.eventopdata, said.opdata, said.triggeropdata);
  return {
    ...aboutOf(said),
    rated: ratedOf(said, settings),
    title:
      first(said.triggername, said.eventname, said.name, said.alertsubject, said.subject) ??
      // A title without words is compared with no other: problems without a name stay separate.
      `#${first(said.eventid, said.problemid, said.triggerid)}`,
    description: joined(
      [
        first(said.triggerdescription, said.triggerdesc, said.eventdescription, said.alertmessage, said.message),
        opdata,
      ],
      '\n',
    ),
    time: startOf(said),
    ongoing: true,
    place: hostAddressAmong([...hostsOf(said), said.hostip, said.hostconn, said.ip, said.ipaddress]),
    belonging: belongingOf(tags),
    ciHints: hostsOf(said),
    tags: tags.tags,
    details: {
      triggerId: said.triggerid,
      operationalData: opdata,
      causeEventId: cause === '0' ? undefined : cause,
      symptoms: first(said.symptoms, said.eventsymptoms),
      hostGroup: first(said.triggerhostgroupname, said.hostgroup),
    },
    raw: item,
  };
}

/** Returns the problem from an update; undefined when it contains too little. */
function toldIn(said: AlertBody, settings: InboundSettings, item: unknown): AlertReading | undefined {
  try {
    return complaint(said, settings, item);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/**
 * Returns the requests of an update of an open problem: a new severity, an acknowledgment or its end, suppression; all
 * of them confirm the problem.
 */
function updates(said: AlertBody, settings: InboundSettings, item: unknown, receivedAt: number): MonitorAction[] {
  const about = aboutOf(said);
  const told = toldIn(said, settings, item);
  const done = first(said.eventupdateaction, said.updateaction)?.toLowerCase() ?? '';
  const notes = first(said.eventupdatemessage, said.updatemessage, said.ackmessage);
  const by = { at: updateOf(said), notes, author: first(said.userfullname, said.username, said.author) };
  const actions: MonitorAction[] = [];
  const mark = (action: StatusChange) => actions.push(change(action, about, by, receivedAt, told));
  if (/\bunacknowledged\b/.test(done)) mark('unacknowledge');
  else if (yes(first(said.eventackstatus, said.ackstatus, said.eventack, said.acknowledged))) mark('acknowledge');
  if (/\bunsuppressed\b/.test(done)) mark('unsuppress');
  else if (/\bsuppressed\b/.test(done)) mark('suppress');
  if (actions.length > 0) return actions;
  return [told === undefined ? ignore(about.sourceId, 'an update that requires no action') : update(told, receivedAt)];
}

function read(item: Readonly<Record<string, unknown>>, delivered: Delivered, settings: InboundSettings) {
  const said = shape.parse(plainKeys(item));
  const about = aboutOf(said);
  if (said.eventsource === '1' || said.eventsource === '2')
    return ignore(about.sourceId, 'discovery and autoregistration events are not problems');
  const state = stateOf(said);
  if (state === 'over') return change('resolve', about, { at: endOf(said) }, delivered.receivedAt);
  const isUpdate = yes(first(said.eventupdatestatus, said.updatestatus, said.eventupdate));
  if (isUpdate) return updates(said, settings, item, delivered.receivedAt);
  const told = complaint(said, settings, item);
  return state === 'problem' ? open(told, delivered.receivedAt) : unknownState(told, state.word, delivered.receivedAt);
}

export const zabbix: MonitorSource = {
  name: NAME,
  aliases: [],
  title: 'Zabbix',
  read: (delivered, settings) => ({
    items: readEach(bodiesOf(delivered.body, 'an object with event_id, trigger_name, hostname, severity'), (item) =>
      read(item, delivered, settings),
    ),
  }),
  card,
};
