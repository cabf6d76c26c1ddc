/** Grafana: unified alerting (the shape of Alertmanager, version "1") and the legacy dashboard alerts. */
import { z } from 'zod';
import type { MonitorAction } from '#domain/event/draft.ts';
import { invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { agreed, isPlace } from './hosts.ts';
import { change, ignore, open, readEach, unknownState } from './items.ts';
import { mergeLabels, pick } from './labels.ts';
import { droppedOf, readAlert } from './prometheus-alert.ts';
import { belongingOfLabels, meantLabels, placeOfLabels } from './prometheus-labels.ts';
import { FREE_WORDS, rate } from './severity.ts';
import { anything, fields, inner, labels, list, text } from './shapes.ts';
import type { Delivered, InboundSettings, Source, SourceReading } from './source.ts';
import { first, joined } from './text.ts';

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

/** A rule of a dashboard: one condition, whatever number of series match. */
function readLegacy(
  item: Readonly<Record<string, unknown>>,
  settings: InboundSettings,
  receivedAt: number,
): MonitorAction {
  const said = legacy.parse(item);
  const rule = first(said.ruleId, joined([said.dashboardId, said.panelId], '.'), said.ruleName);
  if (rule === undefined) throw invalid('ruleId', 'expected the id of the alert rule');
  const about = { source: NAME, sourceId: `${said.orgId ?? '1'}/${rule}` };
  const state = said.state?.toLowerCase();
  if (state === 'ok') return change('resolve', about, { notes: said.message }, receivedAt);
  if (state === undefined || QUIET.has(state))
    return ignore(about.sourceId, `state ${state ?? 'unknown'} asks nothing`);
  const matches = said.evalMatches.slice(0, 20).map((one) => match.parse(one));
  const all = mergeLabels(said.tags, ...matches.map((one) => one.tags));
  const own = placeOfLabels(meantLabels(said.tags));
  const complaint = {
    ...about,
    rated: rate(SCALE, pick(all, ['severity', 'priority']), settings),
    title: first(said.ruleName, said.title?.replace(/^\[(?:Alerting|No Data|OK)\]\s*/i, '')),
    description: said.message,
    time: undefined,
    place: isPlace(own) ? own : agreed(matches.map(({ tags }) => placeOfLabels(meantLabels(tags)))),
    belonging: belongingOfLabels(meantLabels(all)),
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

export const grafana: Source = { name: NAME, aliases: [], title: 'Grafana Alerting', read };
