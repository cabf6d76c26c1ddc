/** Grafana: unified alerting (the shape of Alertmanager, version "1") and the legacy dashboard alerts. */

import { z } from 'zod';
import type { MonitorAction } from '#domain/event/draft.ts';
import { invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { agreed, isPlace } from '../kit/hosts.ts';
import { change, ignore, open, readEach, unknownState } from '../kit/items.ts';
import { mergeLabels, pick } from '../kit/labels.ts';
import { droppedOf, readAlert } from '../kit/prometheus-alert.ts';
import { belongingOfLabels, namedLabels, placeOfLabels } from '../kit/prometheus-labels.ts';
import { FREE_WORDS, rate } from '../kit/severity.ts';
import { anything, fields, inner, labels, list, text } from '../kit/shapes.ts';
import type { Delivered, InboundSettings, MonitorSource, SourceReading } from '../kit/source.ts';
import { first, joined } from '../kit/text.ts';
import { card } from './card.ts';

const NAME = 'grafana';
const SCALE = { source: NAME, table: FREE_WORDS, fallback: 'warning' as const };

const unified = z.object({
  ...fields(text, 'status receiver orgId groupKey externalURL'),
  commonLabels: labels,
  commonAnnotations: labels,
  truncatedAlerts: anything,
});

const legacy = z.object({
  ...fields(text, 'title ruleId ruleName ruleUrl state message orgId dashboardId panelId imageUrl'),
  tags: labels,
  evalMatches: list,
});
const match = inner({ metric: text, value: text, tags: labels });

function readUnified(
  body: Readonly<Record<string, unknown>>,
  alerts: readonly unknown[],
  settings: InboundSettings,
  receivedAt: number,
): SourceReading {
  const { status, receiver, orgId, groupKey, externalURL, commonLabels, commonAnnotations, truncatedAlerts } =
    unified.parse(body);
  const details = { receiver, orgId, groupKey, externalURL };
  const envelope = { source: NAME, status, commonLabels, commonAnnotations, details };
  const dropped = droppedOf(truncatedAlerts);
  return {
    items: readEach(alerts, (alert) => readAlert(alert, { envelope, settings, receivedAt })),
    ...(dropped > 0 && { dropped }),
  };
}

/** A rule of a dashboard: one condition, for any number of matching series. */
function readLegacy(
  item: Readonly<Record<string, unknown>>,
  settings: InboundSettings,
  receivedAt: number,
): MonitorAction {
  const said = legacy.parse(item);
  const rule = first(said.ruleId, joined([said.dashboardId, said.panelId], '.'), said.ruleName);
  if (rule === undefined) throw invalid('ruleId', 'expected the alert rule ID');
  const about = { source: NAME, sourceId: `${said.orgId ?? '1'}/${rule}` };
  const state = said.state?.toLowerCase();
  if (state === 'ok') return change('resolve', about, { notes: said.message }, receivedAt);
  if (state === undefined || QUIET.has(state))
    return ignore(about.sourceId, `state ${state ?? 'unknown'} requires no action`);
  const matches = said.evalMatches.slice(0, 20).map((one) => match.parse(one));
  const all = mergeLabels(said.tags, ...matches.map((one) => one.tags));
  const own = placeOfLabels(namedLabels(said.tags));
  const complaint = {
    ...about,
    rated: rate(SCALE, pick(all, ['severity', 'priority']), settings),
    title: first(said.ruleName, said.title?.replace(/^\[(?:Alerting|No Data|OK)\]\s*/i, '')),
    description: said.message,
    time: undefined,
    place: isPlace(own) ? own : agreed(matches.map(({ tags }) => placeOfLabels(namedLabels(tags)))),
    belonging: belongingOfLabels(namedLabels(all)),
    tags: all.tags,
    details: {
      ruleUrl: said.ruleUrl,
      imageURL: said.imageUrl,
      state,
      values: matches.map(({ metric, value }) => ({ metric, value })),
    },
    raw: item,
  };
  return FIRING.has(state) ? open(complaint, receivedAt) : unknownState(complaint, state, receivedAt);
}
const FIRING: ReadonlySet<string> = new Set(['alerting', 'no_data']);
const QUIET: ReadonlySet<string> = new Set(['paused', 'pending', 'unknown']);

const EXPECTED =
  'expected the default webhook body of a Grafana contact point (a list "alerts"); remove the custom payload';

function read({ body, receivedAt }: Delivered, settings: InboundSettings): SourceReading {
  if (!isRecord(body)) throw invalid('alerts', EXPECTED);
  if (Array.isArray(body.alerts)) return readUnified(body, body.alerts, settings, receivedAt);
  const isLegacy = body.ruleId !== undefined || body.ruleName !== undefined || body.evalMatches !== undefined;
  if (!isLegacy) throw invalid('alerts', EXPECTED);
  return { items: readEach([body], (item) => readLegacy(item, settings, receivedAt)) };
}

export const grafana: MonitorSource = { name: NAME, aliases: [], title: 'Grafana Alerting', read, card };
