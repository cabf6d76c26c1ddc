/** Azure Monitor: the common alert schema, for any signal. */

import { z } from 'zod';
import type { MonitorAction } from '#domain/event/draft.ts';
import { isPlaceholder } from '#domain/event/placeholder.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { withoutTrailing } from '#domain/text.ts';
import { hostAddressAmong } from '../kit/hosts.ts';
import { type About, type AlertReading, bodiesOf, change, open, readEach, unknownState } from '../kit/items.ts';
import { belongingOf, type Labels, mergeLabels, namedBy, pick } from '../kit/labels.ts';
import { namedLabels } from '../kit/prometheus-labels.ts';
import { rate, type SeverityTable } from '../kit/severity.ts';
import { anything, fields, inner, labels, list, text, texts, time } from '../kit/shapes.ts';
import type { Delivered, InboundSettings, MonitorSource, SourceReading } from '../kit/source.ts';
import { toldBy } from '../kit/state-words.ts';
import { first, joined, textOf } from '../kit/text.ts';
import { isCollection, isResource, itemName, lastPart, resourceName } from './azure-resources.ts';
import { card } from './card.ts';

const NAME = 'azure';

const SEVERITIES: SeverityTable = {
  sev0: 'critical',
  sev1: 'major',
  sev2: 'warning',
  sev3: 'info',
  sev4: 'info',
  0: 'critical',
  1: 'major',
  2: 'warning',
  3: 'info',
  4: 'info',
  critical: 'critical',
  error: 'major',
  warning: 'warning',
  informational: 'info',
  information: 'info',
  verbose: 'info',
};
const SCALE = { source: NAME, table: SEVERITIES, fallback: 'warning' as const };

const essentialsShape = inner({
  ...fields(text, 'alertId originAlertId alertRule alertRuleID severity signalType monitorCondition monitoringService'),
  alertTargetIDs: texts,
  configurationItems: texts,
  description: text,
  firedDateTime: time,
  resolvedDateTime: time,
  ...fields(text, 'targetResourceType targetResourceGroup targetResourceName investigationLink'),
  customProperties: labels,
});
const contextShape = inner({
  status: text,
  conditionType: text,
  condition: inner({ allOf: list }),
  properties: anything,
  operationName: text,
  level: text,
  eventTimestamp: time,
  // Alerts of managed Prometheus.
  labels,
  annotations: labels,
  // Smart detection.
  DetectionSummary: text,
  // Log alerts of version 1.
  Dimensions: labels,
  AffectedConfigurationItems: texts,
  ...fields(text, 'SearchQuery Threshold Operator LinkToSearchResults LinkToFilteredSearchResultsUI'),
  // Budgets.
  AlertData: inner(fields(text, 'BudgetId BudgetName Scope')),
});
const criterionShape = inner({
  ...fields(text, 'metricName metricNamespace operator threshold metricValue searchQuery webTestName'),
  dimensions: labels,
  linkToFilteredSearchResultsUI: text,
});
/** Service Health describes the incident; the text is HTML. */
const healthShape = inner({
  ...fields(text, 'title trackingId communication service region incidentType stage cause currentHealthStatus'),
});
const bodyShape = z.object({
  data: inner({ essentials: essentialsShape, alertContext: contextShape, customProperties: labels }),
});
type Data = z.output<typeof bodyShape>['data'];

const HOST =
  'computer host hostname host_name host.name k8s.node.name k8s_node_name cloud_roleinstance instance node _resourceid resourceid'.split(
    ' ',
  );
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const signalOf = ({ essentials }: Data): string | undefined => essentials.signalType?.toLowerCase();

/**
 * True if `instance` may name a disk or a processor: so do the counters of a metric alert, but not the labels of
 * Prometheus.
 */
const isCounter = (said: Data): boolean => signalOf(said) === 'metric' && said.alertContext.labels.pairs.length === 0;

/** Items of a budget alert only identify it as one. */
const itemsOf = ({ essentials, alertContext }: Data): readonly string[] =>
  essentials.monitoringService?.toLowerCase() === 'costalerts'
    ? []
    : [...alertContext.AffectedConfigurationItems, ...essentials.configurationItems];

/**
 * Returns a test by id or name for resources that hold the data of many machines, such as the workspace of a log alert.
 */
function collectionsOf({ essentials }: Data): (name: string) => boolean {
  const names = new Set(essentials.alertTargetIDs.filter(isCollection).map((id) => lastPart(id).toLowerCase()));
  return (name) => isCollection(name) || names.has(name.toLowerCase());
}

/** Rows of a query name the machine better than the target, which may be the workspace. */
function hostTexts(said: Data, dimensions: Labels): string[] {
  const { alertTargetIDs: targets } = said.essentials;
  const isOfMany = collectionsOf(said);
  const items = itemsOf(said).filter((item) => (item.startsWith('/') ? isResource(item) : !isOfMany(item)));
  const names = isCounter(said) ? HOST.filter((name) => name !== 'instance') : HOST;
  return [
    ...names.map((name) => namedBy(dimensions, name)),
    ...items.map((item) => itemName(item, targets)),
    ...targets.filter(isResource).map(resourceName),
    dimensions.byName.get('instance'),
  ]
    .filter((name) => name !== undefined)
    .map(resourceName)
    .filter((name) => !GUID.test(name) && !isPlaceholder(name));
}

/** Names of the CI; a collection is one only where no machine is known. */
function hintsOf(said: Data, hosts: readonly string[]): string[] {
  const { essentials, alertContext } = said;
  const { BudgetId, BudgetName, Scope } = alertContext.AlertData;
  const isOfMany = collectionsOf(said);
  return [
    BudgetId,
    Scope && withoutTrailing(Scope, '/'),
    BudgetName,
    ...itemsOf(said),
    ...essentials.alertTargetIDs.map((id) => id.toLowerCase()),
    ...hosts,
    essentials.targetResourceName,
  ]
    .filter((name) => name !== undefined)
    .filter((name) => hosts.length === 0 || !isOfMany(name));
}

type Criterion = z.output<typeof criterionShape>;
type Health = z.output<typeof healthShape>;

/** Properties of activity logs are Azure's; those of other alerts are the owner's own. */
const isActivityLog = (said: Data): boolean => signalOf(said)?.replace(' ', '') === 'activitylog';

/**
 * Returns the key of the incident or the resource of a health message: each message about it is an alert of its own,
 * which never resolves.
 */
function healthKeyOf({ essentials }: Data, { trackingId, currentHealthStatus }: Health): string | undefined {
  if (trackingId !== undefined) return `service-health/${trackingId}`;
  const [target] = essentials.alertTargetIDs;
  return currentHealthStatus === undefined || target === undefined ? undefined : `resource-health${target}`;
}

/** Returns the health words, of which one for good health takes precedence. */
function healthOf({ alertContext }: Data, { stage, currentHealthStatus }: Health): 'over' | 'problem' {
  const told = [currentHealthStatus, alertContext.status, stage].map((word) => word && toldBy(word));
  // A review is written when all is over.
  return told.includes('over') || stage?.toLowerCase() === 'rca' ? 'over' : 'problem';
}

function conditionOf({ essentials, alertContext }: Data): 'over' | 'problem' | { readonly word: string } {
  const word = first(essentials.monitorCondition, alertContext.status);
  if (word === undefined) return 'problem';
  const told = toldBy(word);
  if (told === 'over' || told === 'problem') return told;
  return essentials.monitorCondition === undefined ? 'problem' : { word };
}

/** Maximum of machines reported one by one. */
const MAX_MACHINES = 50;

interface Machine {
  readonly name: string;
  readonly hints: readonly string[];
}

/** Several machines that one alert is about: by the rows of its criteria, else by its targets. */
function machinesOf(said: Data, criteria: readonly Criterion[]): readonly Machine[] {
  const names = isCounter(said) ? HOST.filter((name) => name !== 'instance') : HOST;
  const rows = criteria.flatMap(({ dimensions }) => names.map((name) => namedBy(dimensions, name)).find(Boolean) ?? []);
  const ofRows = [...new Set(rows.map(resourceName))].map((name) => ({ name, hints: [] }));
  if (ofRows.length > 1) return ofRows.slice(0, MAX_MACHINES);
  const targets = [...new Set(said.essentials.alertTargetIDs.filter(isResource).map((id) => id.toLowerCase()))];
  if (ofRows.length === 1 || targets.length < 2) return [];
  return targets.slice(0, MAX_MACHINES).map((id) => ({ name: resourceName(id), hints: [id] }));
}

function problemOf(said: Data, about: About, { criteria, health, item, settings }: AlertParts): AlertReading {
  const { essentials, alertContext } = said;
  const { annotations } = alertContext;
  const dimensions = mergeLabels(
    ...criteria.map((one) => one.dimensions),
    alertContext.Dimensions,
    alertContext.labels,
  );
  const custom = mergeLabels(
    said.customProperties,
    essentials.customProperties,
    labels.parse(isActivityLog(said) ? undefined : alertContext.properties),
  );
  const named = namedLabels(mergeLabels(custom, dimensions));
  const hosts = hostTexts(said, namedLabels(dimensions));
  return {
    ...about,
    rated: rate(SCALE, essentials.severity, settings),
    title: first(health.title, essentials.alertRule, essentials.description, alertContext.operationName),
    description: joined(
      [
        essentials.description,
        pick(annotations, ['summary']),
        pick(annotations, ['description']),
        alertContext.DetectionSummary,
        health.communication,
        health.cause,
      ],
      '\n',
    ),
    time: first(essentials.firedDateTime, alertContext.eventTimestamp),
    place: hostAddressAmong(hosts),
    belonging: belongingOf(named),
    ciHints: hintsOf(said, hosts),
    tags: named.tags,
    details: detailsOf(said, health.trackingId, criteria),
    raw: item,
  };
}

interface AlertParts {
  readonly criteria: readonly Criterion[];
  readonly health: Health;
  readonly item: unknown;
  readonly settings: InboundSettings;
}

/** An alert that names several machines is a problem of each, which ends with the alert. */
const ofMachine = (told: AlertReading, { name, hints }: Machine): AlertReading => ({
  ...told,
  sourceId: `${told.sourceId}#${name}`,
  condition: `${told.condition ?? told.sourceId}#${name.toLowerCase()}`,
  place: hostAddressAmong([name]),
  ciHints: hints,
});

function readAlert(
  item: Readonly<Record<string, unknown>>,
  { receivedAt }: Delivered,
  settings: InboundSettings,
): readonly MonitorAction[] {
  assertCommonSchema(item);
  const said = bodyShape.parse(item).data;
  const { essentials, alertContext } = said;
  const sourceId = first(essentials.alertId, essentials.originAlertId);
  if (sourceId === undefined) throw invalid('data.essentials.alertId', 'expected the alert ID');
  const health = healthShape.parse(isActivityLog(said) ? alertContext.properties : undefined);
  const healthKey = healthKeyOf(said, health);
  // ARM ids are the same in any case.
  const about = { source: NAME, sourceId, condition: (healthKey ?? sourceId).toLowerCase() };
  const fired = conditionOf(said);
  const state = healthKey !== undefined && fired !== 'over' ? healthOf(said, health) : fired;
  const criteria = alertContext.condition.allOf.slice(0, 20).map((one) => criterionShape.parse(one));
  const told = problemOf(said, about, { criteria, health, item, settings });
  const machines = machinesOf(said, criteria);
  const each = machines.length > 1 ? machines.map((machine) => ofMachine(told, machine)) : [told];
  if (state === 'over') {
    const at = first(essentials.resolvedDateTime, healthKey === undefined ? undefined : alertContext.eventTimestamp);
    return each.map((one) => change('resolve', one, { at, notes: healthKey && health.title }, receivedAt));
  }
  return each.map((one) => (state === 'problem' ? open(one, receivedAt) : unknownState(one, state.word, receivedAt)));
}

function detailsOf({ essentials, alertContext }: Data, trackingId: string | undefined, criteria: readonly Criterion[]) {
  return {
    alertRule: essentials.alertRule,
    alertRuleId: essentials.alertRuleID,
    signalType: essentials.signalType,
    monitoringService: essentials.monitoringService,
    targets: essentials.alertTargetIDs.slice(0, 20),
    resourceGroup: essentials.targetResourceGroup,
    resourceType: essentials.targetResourceType,
    conditionType: alertContext.conditionType,
    criteria: criteria
      .slice(0, 5)
      .map(({ metricName, operator, threshold, metricValue }) => ({ metricName, operator, threshold, metricValue })),
    searchQuery: first(alertContext.SearchQuery, ...criteria.map((one) => one.searchQuery)),
    operator: alertContext.Operator,
    threshold: alertContext.Threshold,
    link: first(
      essentials.investigationLink,
      criteria[0]?.linkToFilteredSearchResultsUI,
      alertContext.LinkToFilteredSearchResultsUI,
      alertContext.LinkToSearchResults,
    ),
    budget: alertContext.AlertData.BudgetName,
    scope: alertContext.AlertData.Scope,
    trackingId,
  };
}

const ENABLE = 'enable the common alert schema in the action group of Azure Monitor';

/** Throws Fault `invalid` for the older schemas, each of which has a shape of its own. */
function assertCommonSchema(item: Readonly<Record<string, unknown>>): void {
  const schema = textOf(item.schemaId);
  if (schema !== undefined && schema.toLowerCase() !== 'azuremonitorcommonalertschema')
    throw new Fault('invalid', `schemaId: ${ENABLE}`, [{ field: 'schemaId', reason: ENABLE }]);
  if (!isRecord(item.data) || !isRecord(item.data.essentials))
    throw invalid('data.essentials', `expected an object; ${ENABLE}`);
}

function read(delivered: Delivered, settings: InboundSettings): SourceReading {
  const bodies = bodiesOf(delivered.body, 'an alert in the common alert schema of Azure Monitor');
  const [only] = bodies;
  if (bodies.length === 1 && isRecord(only)) assertCommonSchema(only);
  return { items: readEach(bodies, (item) => readAlert(item, delivered, settings)) };
}

export const azure: MonitorSource = {
  name: NAME,
  aliases: ['azure-monitor', 'azuremonitor'],
  title: 'Azure Monitor',
  read,
  card,
};
