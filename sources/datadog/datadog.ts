/** Datadog: webhooks with our template (docs/sources.md), and as much as can be had from the default one. */

import { z } from 'zod';
import type { MonitorAction } from '#domain/event/draft.ts';
import type { Severity } from '#domain/event/event.ts';
import { invalid } from '#domain/fault.ts';
import { fnv64 } from '#domain/texts/fnv.ts';
import { hostAddressAmong } from '../kit/hosts.ts';
import { type About, bodiesOf, change, open, readEach, unknownState } from '../kit/items.ts';
import { belongingOf, type Labels, labelsOf, mergeLabels } from '../kit/labels.ts';
import { type Rated, rate, type SeverityTable } from '../kit/severity.ts';
import { anything, fields, headline, macro, plainKeys } from '../kit/shapes.ts';
import type { Delivered, InboundSettings, MonitorSource } from '../kit/source.ts';
import { toldBy } from '../kit/state-words.ts';
import { expandedOf, first, joined } from '../kit/text.ts';
import { timeOf } from '../kit/time.ts';
import { card } from './card.ts';

const NAME = 'datadog';

const SEVERITIES: SeverityTable = {
  p1: 'critical',
  p2: 'major',
  p3: 'minor',
  p4: 'warning',
  p5: 'info',
  error: 'major',
  warning: 'warning',
  info: 'info',
  success: 'info',
};
const SCALE = { source: NAME, table: SEVERITIES, fallback: 'warning' as const };

/** Shape after `plainKeys`. */
const shape = z.object({
  ...fields(
    macro,
    'id eventid body eventmsg textonlymsg message alertid alertcyclekey cyclekey aggregkey aggregationkey alertmetric alertquery alerttransition transition alerttype alertstatus alertpriority eventtype alertscope scope hostname host',
  ),
  ...fields(headline, 'title eventtitle alerttitle'),
  tags: anything,
  ...fields(macro, 'service env environment link url snapshot date lastupdated datepostix dateposix user'),
  ...fields(macro, 'username'),
});
type DatadogAlert = z.output<typeof shape>;

/**
 * `[Triggered on {host:app-01}] CPU high` → the word, the group, the rest. A leading `[P2]` is skipped. The group
 * begins after the blanks.
 */
const HEAD =
  /^(?:\[P\d\]\s*)?\[((?:Re-)?(?:Triggered|Warn|No data|Alert|Recovered|Renotify|OK)|(?:Warn|No data) Recovered|Monitor Alert)(?:\s+on\s+(\{[^}]{0,500}\}|[^\]\s][^\]]{0,500})?)?\]\s*/i;

function headOf(title: string | undefined) {
  const match = HEAD.exec(title ?? '');
  return { word: match?.[1], group: match?.[2], rest: title?.slice(match?.[0].length ?? 0) || title };
}

/** The cycle key lives from trigger to recovery; the others name the monitor and its group. */
function aboutOf(said: DatadogAlert): About {
  const group = first(said.alertscope, said.scope);
  const key = first(
    said.alertcyclekey,
    said.cyclekey,
    said.aggregkey,
    said.aggregationkey,
    joined([said.alertid, said.alertid && group], ':'),
  );
  if (key !== undefined) return { source: NAME, sourceId: key };
  const head = headOf(first(said.title, said.eventtitle));
  if (head.word !== undefined) return { source: NAME, sourceId: `title-${fnv64([head.rest ?? '', head.group ?? ''])}` };
  const id = first(said.id, said.eventid);
  if (id === undefined) throw invalid('alert_cycle_key', 'expected $ALERT_CYCLE_KEY; use the documented template');
  return { source: NAME, sourceId: id, condition: null };
}

const transitionOf = (said: DatadogAlert): string | undefined =>
  first(said.alerttransition, said.transition, headOf(first(said.title, said.eventtitle)).word);

/** Recovered transitions name their previous state: `Warn Recovered`. */
function stateOf(said: DatadogAlert): 'problem' | 'over' | { readonly word: string } {
  const word = transitionOf(said);
  if (word === undefined) return said.alerttype?.toLowerCase() === 'success' ? 'over' : 'problem';
  const plain = word.toLowerCase();
  if (plain.endsWith('recovered') || toldBy(plain) === 'over') return 'over';
  return PROBLEM.test(plain) ? 'problem' : { word };
}
const PROBLEM = /^(?:re-)?(?:triggered|alert|warn|no data|renotify|monitor alert)$/;

/** The default payload has the group in its title alone. */
const tagsOf = (said: DatadogAlert, group: string | undefined): Labels =>
  mergeLabels(
    labelsOf(typeof said.tags === 'string' ? expandedOf(said.tags) : said.tags),
    labelsOf(first(said.alertscope, said.scope, group)?.replace(/^\{|\}$/g, '')),
  );

/** `%%%` marks Markdown at Datadog. */
const textIn = (body: string | undefined): string | undefined => body?.replaceAll('%%%', '').trim() || undefined;

function complaint(said: DatadogAlert, settings: InboundSettings, item: unknown) {
  const head = headOf(first(said.title, said.eventtitle, said.alerttitle));
  const tags = tagsOf(said, head.group);
  return {
    ...aboutOf(said),
    rated: ratedOf(said, settings),
    title: head.rest,
    description: joined(
      [textIn(first(said.body, said.textonlymsg, said.eventmsg, said.message)), said.alertstatus],
      '\n',
    ),
    time: first(timeOf(said.date), timeOf(said.lastupdated), timeOf(said.dateposix)),
    place: hostAddressAmong([said.hostname, said.host, tags.byName.get('host'), tags.byName.get('ip')]),
    belonging: {
      ...belongingOf(tags),
      ...given('service', said.service),
      ...given('environment', said.environment ?? said.env),
    },
    tags: tags.tags,
    details: {
      link: first(said.link, said.url),
      snapshot: said.snapshot,
      monitorId: said.alertid,
      transition: first(said.alerttransition, said.transition),
      alertType: said.alerttype,
      query: first(said.alertquery, said.alertmetric),
      scope: first(said.alertscope, said.scope),
      aggregationKey: first(said.aggregkey, said.aggregationkey),
    },
    raw: item,
  };
}

const given = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: value });
/** `normal` and `low` are the priority of the event, not of the monitor. */
const priorityOf = (said: DatadogAlert): string | undefined =>
  said.alertpriority !== undefined && !/^(?:normal|low|none|all)$/i.test(said.alertpriority)
    ? said.alertpriority
    : undefined;

/** A monitor has one priority for its alert and its warning: the warning is one step less severe. */
const LESS: Readonly<Record<Severity, Severity>> = {
  critical: 'major',
  major: 'minor',
  minor: 'warning',
  warning: 'warning',
  info: 'info',
};

function ratedOf(said: DatadogAlert, settings: InboundSettings): Rated {
  const priority = priorityOf(said);
  const rated = rate(SCALE, first(priority, said.alerttype), settings);
  const isWarning = /^(?:re-)?warn$/i.test(transitionOf(said) ?? '');
  return priority !== undefined && isWarning ? { ...rated, severity: LESS[rated.severity] } : rated;
}

function read(
  item: Readonly<Record<string, unknown>>,
  { receivedAt }: Delivered,
  settings: InboundSettings,
): MonitorAction {
  const said = shape.parse(plainKeys(item));
  const at = first(timeOf(said.date), timeOf(said.lastupdated));
  const state = stateOf(said);
  if (state === 'over') return change('resolve', aboutOf(said), { at, notes: said.alertstatus }, receivedAt);
  const told = complaint(said, settings, item);
  return state === 'problem' ? open(told, receivedAt) : unknownState(told, state.word, receivedAt);
}

export const datadog: MonitorSource = {
  name: NAME,
  aliases: [],
  title: 'Datadog',
  read: (delivered, settings) => ({
    items: readEach(bodiesOf(delivered.body, 'an object from the documented webhook template'), (item) =>
      read(item, delivered, settings),
    ),
  }),
  card,
};
