/** A notification of Nagios or Icinga in any of its spellings, read into one. */
import { isPlaceholder } from '#domain/event/placeholder.ts';
import { invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { plainKeys } from './shapes.ts';
import { expandedOf, first, textOf } from './text.ts';
import { timeOf } from './time.ts';

export const STATES = ['OK', 'UP', 'WARNING', 'UNKNOWN', 'CRITICAL', 'DOWN', 'UNREACHABLE'] as const;
const SERVICE_NUMBERS = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'];
const HOST_NUMBERS = ['UP', 'DOWN', 'UNREACHABLE'];
/** Icinga 2 has the states of services in host checks, too. */
const HOST_CHECKS: ReadonlyMap<string, string> = new Map([
  ['OK', 'UP'],
  ['WARNING', 'UP'],
  ['CRITICAL', 'DOWN'],
  ['UNKNOWN', 'DOWN'],
]);

export type Kind = 'problem' | 'recovery' | 'acknowledgement' | 'suppress' | 'end' | 'flapping' | 'note';
const kinds = (kind: Kind, names: string) => names.split(' ').map((name) => [name, kind] as const);
/** By name without `_` and blanks; the numbers are those of Icinga 2's own notification types. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...kinds('problem', 'PROBLEM 32'),
  ...kinds('recovery', 'RECOVERY 64'),
  ...kinds('acknowledgement', 'ACKNOWLEDGEMENT ACKNOWLEDGMENT 16'),
  ...kinds('flapping', 'FLAPPINGSTART 128'),
  ...kinds('suppress', 'DOWNTIMESTART 1'),
  ...kinds('end', 'FLAPPINGSTOP FLAPPINGEND 256 DOWNTIMEEND 2 DOWNTIMEREMOVED 4 DOWNTIMECANCELLED DOWNTIMECANCELED'),
  ...kinds('note', 'CUSTOM 8 FLAPPINGDISABLED'),
]);

export interface Notification {
  readonly type: string | undefined;
  readonly host: string;
  readonly display: string | undefined;
  readonly address: string | undefined;
  readonly service: string | undefined;
  readonly state: string | undefined;
  readonly soft: boolean;
  readonly output: string | undefined;
  readonly long: string | undefined;
  readonly time: number | undefined;
  readonly attempt: string | undefined;
  readonly author: string | undefined;
  readonly comment: string | undefined;
  readonly groups: readonly string[];
  readonly application: string | undefined;
  readonly environment: string | undefined;
}

/** The first of several fields, by their plain names, that holds text other than an unexpanded macro. */
const pickIn =
  (fields: Readonly<Record<string, unknown>>) =>
  (...names: readonly string[]): string | undefined =>
    first(...names.map((name) => expandedOf(fields[name])));
type Pick = ReturnType<typeof pickIn>;

/** Icinga 2 nests: `host`, `service`, `notification` and `check_result` are objects. */
const nested = (value: unknown): Pick => pickIn(isRecord(value) ? plainKeys(value) : {});
/** A name given as text or as an object. */
const named = (value: unknown): string | undefined =>
  expandedOf(value) ?? nested(value)('name', 'hostname', 'servicename', 'servicedescription', 'description');

/** Environment macros start with NAGIOS_ or ICINGA_, runtime macros of Icinga 2 with icinga. */
const PREFIX = /^(?:NAGIOS|ICINGA2?)[_.]/i;
const TIMES = ['timestamp', 'timet', 'time', 'datetime', 'eventtime', 'longdatetime', 'shortdatetime'];

/** Throws Fault `invalid` without a host, and for a state that is none. */
export function notificationOf(item: Readonly<Record<string, unknown>>): Notification {
  const fields = plainKeys(item, PREFIX);
  const pick = pickIn(fields);
  const check = nested(fields.checkresult);
  const inHost = nested(fields.host);
  const inNotification = nested(fields.notification);
  const sent = named(fields.service) ?? pick('servicedesc', 'servicedescription', 'servicename');
  const service = sent !== undefined && isPlaceholder(sent) ? undefined : sent;
  const host = pick('hostname') ?? named(fields.host);
  if (host === undefined) throw invalid('hostname', 'expected the name of the host');
  // Which of two macros of a kind counts: a service's notification also carries the state of its host.
  const own = service === undefined ? 'host' : 'service';
  const inOwn = nested(fields[own]);
  const stateType = pick(`${own}statetype`, 'statetype') ?? check('statetype') ?? inOwn('statetype');
  return {
    type: typeOf(pick) ?? inNotification('type', 'notificationtype'),
    host,
    display: pick('hostdisplayname') ?? inHost('displayname') ?? pick('hostalias'),
    address:
      pick('hostaddress', 'address', 'ipaddress', 'hostip') ??
      inHost('address') ??
      pick('hostaddress6') ??
      inHost('address6'),
    service,
    state: stateOf(pick, own, inOwn, check),
    soft: stateType !== undefined && /^(?:soft|0(?:\.0)?)$/i.test(stateType),
    output: pick(`${own}output`, 'output', 'pluginoutput') ?? check('output') ?? inOwn('output', 'pluginoutput'),
    long: (pick(`long${own}output`, 'longoutput') ?? check('longoutput'))?.replaceAll('\\n', '\n'),
    time: first(...TIMES.map((name) => timeOf(fields[name])), timeOf(check('executionend'))),
    attempt: pick(`${own}attempt`, 'attempt') ?? check('attempt'),
    author:
      pick('author', 'notificationauthor', 'notificationauthorname', `${own}ackauthor`, 'ackauthor') ??
      inNotification('author'),
    // The event stream of Icinga 2 calls the comment `text`.
    comment:
      pick('comment', 'notificationcomment', `${own}ackcomment`, 'ackcomment', 'text') ?? inNotification('comment'),
    groups: groupsOf(pick('hostgroupnames', 'hostgroupname') ?? fields.hostgroups),
    application: pick('application', 'app'),
    environment: pick('environment', 'env'),
  };
}

/** `type` is also the name of other things; it counts only when it holds a kind of notification. */
function typeOf(pick: Pick): string | undefined {
  const general = pick('type');
  return pick('notificationtype') ?? (general !== undefined && kindNamed(general) ? general : undefined);
}

const groupsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, 50) : (textOf(value) ?? '').split(','))
    .map((one) => textOf(one))
    .filter((name) => name !== undefined);

/** The state's word in capitals. */
function stateOf(pick: Pick, own: 'host' | 'service', inOwn: Pick, check: Pick): string | undefined {
  const isService = own === 'service';
  const direct = pick(`${own}state`, 'state', `${own}stateid`) ?? inOwn('state');
  if (direct !== undefined) return knownState(direct, isService ? SERVICE_NUMBERS : HOST_NUMBERS);
  const checked = check('state', 'exitstatus');
  const state = checked === undefined ? undefined : knownState(checked, SERVICE_NUMBERS);
  return isService || state === undefined ? state : (HOST_CHECKS.get(state) ?? state);
}

function knownState(sent: string, numbers: readonly string[]): string {
  const word = (/^\d(?:\.0+)?$/.test(sent) ? numbers[Number(sent)] : sent)?.toUpperCase();
  if (word !== undefined && STATES.some((state) => state === word)) return word;
  throw invalid('state', `expected ${STATES.join(', ')} or their number, got ${sent.slice(0, 60)}`);
}

const kindNamed = (type: string): Kind | undefined => KINDS.get(type.toUpperCase().replace(/[^A-Z0-9]/g, ''));

/** Throws Fault `invalid` for an unknown type; without one the state decides. */
export function kindOf({ type, state }: Notification): Kind {
  if (type === undefined) return isGood(state) ? 'recovery' : 'problem';
  const kind = kindNamed(type);
  if (kind !== undefined) return kind;
  const known = 'PROBLEM, RECOVERY, ACKNOWLEDGEMENT, CUSTOM or a FLAPPING… or DOWNTIME… type';
  throw invalid('notification_type', `expected ${known}, got ${type.slice(0, 60)}`);
}

export const isGood = (state: string | undefined): boolean => state === 'OK' || state === 'UP';
