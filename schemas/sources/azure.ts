/** Azure Monitor: the common alert schema, whatever the signal behind it. */
import { z } from 'zod';
import type { MonitorAction } from '#domain/event/draft.ts';
import { isPlaceholder } from '#domain/event/placeholder.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { withoutTrailing } from '#domain/text.ts';
import { isCollection, isResource, itemName, lastPart, resourceName } from './azure-resources.ts';
import { hostAddressAmong } from './hosts.ts';
import { type About, bodiesOf, change, open, type ReportedComplaint, readEach, unknownState } from './items.ts';
import { belongingOf, type Labels, mergeLabels, namedBy, pick } from './labels.ts';
import { meantLabels } from './prometheus-labels.ts';
import { rate, type SeverityTable } from './severity.ts';
import { anything, fields, inner, labels, list, text, texts, time } from './shapes.ts';
import type { Delivered, InboundSettings, Source, SourceReading } from './source.ts';
import { toldBy } from './state-words.ts';
import { first, joined, textOf } from './text.ts';

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
/** Service Health says what happened here; the text is HTML. */
const healthShape = inner({
  ...fields(text, 'title trackingId communication service region incidentType stage cause currentHealthStatus'),
});
const bodyShape = z.object({
  data: inner({ essentials: essentialsShape, alertContext: contextShape, customProperties: labels }),
});
type Said = z.output<typeof bodyShape>['data'];

const HOST = [
  'computer',
  'host',
  'hostname',
  'host_name',
  'host.name',
  'k8s.node.name',
  'k8s_node_name',
  'cloud_roleinstance',
  'instance',
  'node',
  '_resourceid',
  'resourceid',
];
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const signalOf = ({ essentials }: Said): string | undefined => essentials.signalType?.toLowerCase();

/** Whether `instance` may name a disk or a processor: so do the counters of a metric alert, but not the labels of Prometheus. */
const isCounter = (said: Said): boolean => signalOf(said) === 'metric' && said.alertContext.labels.pairs.length === 0;

/** Those of a budget say no more than that it is one. */
const itemsOf = ({ essentials, alertContext }: Said): readonly string[] =>
  essentials.monitoringService?.toLowerCase() === 'costalerts'
    ? []
    : [...alertContext.AffectedConfigurationItems, ...essentials.configurationItems];

/** Tells by id or name whether something holds the data of many machines, such as the workspace of a log alert. */
function collectionsOf({ essentials }: Said): (name: string) => boolean {
  const names = new Set(essentials.alertTargetIDs.filter(isCollection).map((id) => lastPart(id).toLowerCase()));
  return (name) => isCollection(name) || names.has(name.toLowerCase());
}

/** Rows of a query name the machine better than the target, which may be the workspace. */
function hostTexts(said: Said, dimensions: Labels): string[] {
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
function hintsOf(said: Said, hosts: readonly string[]): string[] {
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
const isActivityLog = (said: Said): boolean => signalOf(said)?.replace(' ', '') === 'activitylog';

/** Names the incident or the resource whose health is told of: each message about it is an alert of its own, which never resolves. */
function healthKeyOf({ essentials }: Said, { trackingId, currentHealthStatus }: Health): string | undefined {
  if (trackingId !== undefined) return `service-health/${trackingId}`;
  const [target] = essentials.alertTargetIDs;
  return currentHealthStatus === undefined || target === undefined ? undefined : `resource-health${target}`;
}

/** The words by which health is told, of which one that says it is good outweighs the others. */
function healthOf({ alertContext }: Said, { stage, currentHealthStatus }: Health): 'over' | 'problem' {
  const told = [currentHealthStatus, alertContext.status, stage].map((word) => word && toldBy(word));
  // A review is written when all is over.
  return told.includes('over') || stage?.toLowerCase() === 'rca' ? 'over' : 'problem';
}

function conditionOf({ essentials, alertContext }: Said): 'over' | 'problem' | { readonly word: string } {
  const word = first(essentials.monitorCondition, alertContext.status);
  if (word === undefined) return 'problem';
  const told = toldBy(word);
  if (told === 'over' || told === 'problem') return told;
  return essentials.monitorCondition === undefined ? 'problem' : { word };
}

/** Machines are told one by one up to so many. */
const MOST_MACHINES = 50;

interface Machine {
  readonly name: string;
  readonly hints: readonly string[];
}

/** Several machines that one alert is about: by the rows of its criteria, else by its targets. */
function machinesOf(said: Said, criteria: readonly Criterion[]): readonly Machine[] {
  const names = isCounter(said) ? HOST.filter((name) => name !== 'instance') : HOST;
  const rows = criteria.flatMap(({ dimensions }) => names.map((name) => namedBy(dimensions, name)).find(Boolean) ?? []);
  const ofRows = [...new Set(rows.map(resourceName))].map((name) => ({ name, hints: [] }));
  if (ofRows.length > 1) return ofRows.slice(0, MOST_MACHINES);
  const targets = [...new Set(said.essentials.alertTargetIDs.filter(isResource).map((id) => id.toLowerCase()))];
  if (ofRows.length === 1 || targets.length < 2) return [];
  return targets.slice(0, MOST_MACHINES).map((id) => ({ name: resourceName(id), hints: [id] }));
}

function complaintOf(said: Said, about: About, { criteria, health, item, settings }: Parts): ReportedComplaint {
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
  const named = meantLabels(mergeLabels(custom, dimensions));
  const hosts = hostTexts(said, meantLabels(dimensions));
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

interface Parts {
  readonly criteria: readonly Criterion[];
  readonly health: Health;
  readonly item: unknown;
  readonly settings: InboundSettings;
}

/** An alert that names several machines is a complaint of each, which ends with the alert. */
const ofMachine = (told: ReportedComplaint, { name, hints }: Machine): ReportedComplaint => ({
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
  if (sourceId === undefined) throw invalid('data.essentials.alertId', 'expected the id of the alert');
  const health = healthShape.parse(isActivityLog(said) ? alertContext.properties : undefined);
  const healthKey = healthKeyOf(said, health);
  // ARM ids are the same in any case.
  const about = { source: NAME, sourceId, condition: (healthKey ?? sourceId).toLowerCase() };
  const fired = conditionOf(said);
  const state = healthKey !== undefined && fired !== 'over' ? healthOf(said, health) : fired;
  const criteria = alertContext.condition.allOf.slice(0, 20).map((one) => criterionShape.parse(one));
  const told = complaintOf(said, about, { criteria, health, item, settings });
  const machines = machinesOf(said, criteria);
  const each = machines.length > 1 ? machines.map((machine) => ofMachine(told, machine)) : [told];
  if (state === 'over') {
    const at = first(essentials.resolvedDateTime, healthKey === undefined ? undefined : alertContext.eventTimestamp);
    return each.map((one) => change('resolve', one, { at, notes: healthKey && health.title }, receivedAt));
  }
  return each.map((one) => (state === 'problem' ? open(one, receivedAt) : unknownState(one, state.word, receivedAt)));
}

function detailsOf({ essentials, alertContext }: Said, trackingId: string | undefined, criteria: readonly Criterion[]) {
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

export const azure: Source = { name: NAME, aliases: ['azure-monitor', 'azuremonitor'], title: 'Azure Monitor', read };
