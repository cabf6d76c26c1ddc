/** PagerDuty Events API v2 (and v1): a receiver for the many tools that speak it. The item's sourceId is the dedup_key. */

import { z } from 'zod';
import type { MonitorAction } from '#domain/event/draft.ts';
import { invalid } from '#domain/fault.ts';
import { fnv64 } from '#domain/texts/fnv.ts';
import { commonLabels } from '../kit/firing-alerts.ts';
import { type HostAddress, hostAddress, hostAddressAmong, isPlace } from '../kit/hosts.ts';
import { type About, type AlertReading, bodiesOf, change, open, readEach } from '../kit/items.ts';
import { belongingOf, type Labels, mergeLabels } from '../kit/labels.ts';
import { belongingOfLabels, hintsOfLabels, namedLabels, placeOfLabels } from '../kit/prometheus-labels.ts';
import { FREE_WORDS, rate } from '../kit/severity.ts';
import { anything, fields, inner, labelMap, list, text, time } from '../kit/shapes.ts';
import type { Delivered, InboundSettings, MonitorSource } from '../kit/source.ts';
import { expandedOf, first } from '../kit/text.ts';
import { card } from './card.ts';

const NAME = 'pagerduty';
const SCALE = { source: NAME, table: FREE_WORDS, fallback: 'warning' as const };

const shape = z.object({
  ...fields(text, 'event_action dedup_key client client_url'),
  links: list,
  images: list,
  payload: inner({
    summary: text,
    source: text,
    severity: text,
    timestamp: time,
    component: text,
    group: text,
    class: text,
    custom_details: anything,
  }),
  // Version 1 has no payload.
  event_type: text,
  incident_key: text,
  description: text,
  details: anything,
});
type PagerEvent = z.output<typeof shape>;

const ACTIONS = ['trigger', 'acknowledge', 'resolve'];

/** Returns the key by which later messages name this alert; made from constant fields when a sender gives none. */
function keyOf(said: PagerEvent, action: string): string {
  const given = first(expandedOf(said.dedup_key), expandedOf(said.incident_key));
  if (given !== undefined) return given;
  if (action !== 'trigger') throw invalid('dedup_key', `required for ${action}`);
  const { summary, source, component, group } = said.payload;
  return fnv64([
    summary ?? said.description ?? '',
    source ?? '',
    component ?? '',
    group ?? '',
    said.payload.class ?? '',
  ]);
}

/** The subject of an event. */
interface Subject {
  readonly place: HostAddress;
  readonly belonging: ReturnType<typeof belongingOf>;
  readonly ciHints: readonly (string | undefined)[];
}

function subjectOf({ payload }: PagerEvent, custom: Labels): Subject {
  const byName = (name: string) => custom.byName.get(name);
  return {
    place: hostAddressAmong([payload.source, byName('hostname'), byName('host'), byName('ip')]),
    belonging: belongingOf(custom),
    ciHints: [payload.source, payload.component],
  };
}

/** A sender that gives its own name as the source reports others. */
const isOwnName = ({ client, payload: { source } }: PagerEvent): boolean => source === undefined || source === client;

/**
 * Returns the subject, for Alertmanager and others that report for others: the labels of its alerts, else a source that
 * is not the sender. Else the problem itself is the system.
 */
function subjectOfAlerts(said: PagerEvent, custom: Labels, alerts: Labels, key: string): Subject {
  const labels = namedLabels(mergeLabels(custom, alerts));
  const byLabels = placeOfLabels(labels);
  const place = isPlace(byLabels) || isOwnName(said) ? byLabels : hostAddress(said.payload.source);
  const [object, ...others] = hintsOfLabels(labels);
  const ciHints = [object, said.payload.component, ...others];
  return {
    place,
    belonging: belongingOfLabels(labels),
    ciHints: isPlace(place) || object !== undefined ? ciHints : [key, ...ciHints],
  };
}

/** Integration keys, of version 2 and of version 1. */
const KEYS = ['routing_key', 'service_key'];

const withoutKeys = (item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !KEYS.includes(name)));

/** Tools post it to `/v2/change/enqueue`: a summary without an action, a key or a severity. */
const isChangeEvent = ({ event_action, event_type, dedup_key, payload }: PagerEvent): boolean =>
  event_action === undefined &&
  event_type === undefined &&
  dedup_key === undefined &&
  payload.severity === undefined &&
  payload.summary !== undefined;

/** A change is sent once, and has no end. */
function readChange(said: PagerEvent, item: Readonly<Record<string, unknown>>, receivedAt: number): MonitorAction {
  const { payload, links } = said;
  const custom = labelMap.parse(payload.custom_details);
  return open(
    {
      source: NAME,
      sourceId: fnv64(['change', payload.summary ?? '', payload.source ?? '', String(payload.timestamp ?? '')]),
      condition: null,
      rated: { severity: 'info', unknown: false },
      title: payload.summary,
      time: payload.timestamp,
      ...subjectOf(said, custom),
      // Its source may be the tool that deploys.
      ciHints: [custom.byName.get('service'), payload.source, payload.component],
      category: 'change',
      details: { links: links.slice(0, 20), customDetails: payload.custom_details },
      raw: withoutKeys(item),
    },
    receivedAt,
  );
}

function read(
  item: Readonly<Record<string, unknown>>,
  { receivedAt }: Delivered,
  settings: InboundSettings,
): MonitorAction {
  const said = shape.parse(item);
  if (isChangeEvent(said)) return readChange(said, item, receivedAt);
  const action = first(said.event_action, said.event_type)?.toLowerCase();
  if (action === undefined || !ACTIONS.includes(action))
    throw invalid('event_action', `expected ${ACTIONS.join(', ')}`);
  const { payload } = said;
  const title = first(payload.summary, said.description);
  if (action === 'trigger' && title === undefined) throw invalid('payload.summary', 'expected the text of the alert');
  const about = { source: NAME, sourceId: keyOf(said, action) };
  if (action === 'resolve') return change(action, about, { at: payload.timestamp }, receivedAt);
  const told = problemOf(said, about, item, settings);
  if (action === 'acknowledge')
    return change(action, about, { at: payload.timestamp }, receivedAt, title === undefined ? undefined : told);
  const version1 = payload.summary === undefined;
  if (payload.severity === undefined && !version1)
    throw invalid('payload.severity', 'expected critical, error, warning or info');
  return open(told, receivedAt);
}

function problemOf(
  said: PagerEvent,
  about: About,
  item: Readonly<Record<string, unknown>>,
  settings: InboundSettings,
): AlertReading {
  const { payload } = said;
  const title = first(payload.summary, said.description);
  const custom = labelMap.parse(payload.custom_details ?? said.details);
  const alerts = commonLabels(payload.custom_details ?? said.details);
  const speaksForOthers = alerts.pairs.length > 0 || isOwnName(said);
  const parts = { component: payload.component, group: payload.group, class: payload.class };
  return {
    ...about,
    rated: rate(SCALE, payload.severity, settings),
    title,
    description: first(custom.byName.get('description'), custom.byName.get('message'), title),
    time: payload.timestamp,
    ...(speaksForOthers ? subjectOfAlerts(said, custom, alerts, about.sourceId) : subjectOf(said, custom)),
    category: payload.class,
    tags: labelMap.parse(parts).tags,
    details: {
      ...parts,
      client: said.client,
      clientUrl: said.client_url,
      links: said.links.slice(0, 20),
      images: said.images.slice(0, 5),
      customDetails: payload.custom_details ?? said.details,
    },
    raw: withoutKeys(item),
  };
}

export const pagerduty: MonitorSource = {
  name: NAME,
  aliases: [],
  title: 'PagerDuty Events API',
  credentials: KEYS,
  read: (delivered, settings) => ({
    items: readEach(bodiesOf(delivered.body, 'an event of the PagerDuty Events API v2'), (item) =>
      read(item, delivered, settings),
    ),
  }),
  card,
};
