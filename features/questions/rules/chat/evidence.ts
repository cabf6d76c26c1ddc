import type { Fact } from '#domain/ai/evidence.ts';
import { hash128 } from '#domain/hash.ts';
import { Findings, freeText } from '#features/ai/rules/findings.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import { nounOf } from '#features/questions/rules/telling/say-value.ts';
import type {
  AffectedRow,
  CiDetailsRow,
  ContextRow,
  EventToolRow,
  NamedRow,
  NumberRow,
  RelationshipToolRow,
  ToolRun,
} from './tools.ts';

/** Rows of one call that become evidence, so that several calls fit into a pack. */
const CITED_ROWS = 12;
const MAX_ATTRIBUTES = 8;
const NAMES = 10;

const queryOf = (params: Readonly<Record<string, string | null | undefined>>): string => {
  const given = Object.entries(params).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

const UNRESOLVED = 'open,acknowledged';
const LISTS: Readonly<Partial<Record<NumberRow['metric'], string>>> = {
  cis: '/v1/cmdb/ci',
  relationships: '/v1/cmdb/relationships',
  incidents: '/api/events/groups',
  service_health: '/v1/services',
  ai_cost: '/api/monitoring/ai',
};
const numberHref = ({ metric, from, to, ciId }: NumberRow): string =>
  metric === 'open_events'
    ? `/api/events${queryOf({ ciId, status: UNRESOLVED })}`
    : (LISTS[metric] ?? `/v1/events${queryOf({ ci_id: ciId, from, to })}`);

/**
 * Where to look up what a call has asked for. The id tells two calls of one tool apart, and has no word of their parameters: a model could
 * cite a name that nothing is called by.
 */
const listOf = (run: ToolRun): NewItem => {
  const facts: Fact[] = [{ name: 'total', value: run.total }];
  const made = (label: string, href: string): NewItem => ({
    kind: 'query',
    id: `${run.tool}:${hash128(JSON.stringify(run.params))}`,
    label,
    facts,
    href,
  });
  switch (run.tool) {
    case 'search-cis': {
      const { name, type, status } = run.params;
      return made('CIs that match', `/v1/cmdb/ci${queryOf({ search: name, type, status })}`);
    }
    case 'search-relationships': {
      const { sourceId, targetId, type } = run.params;
      return made(
        'relationships',
        `/v1/cmdb/relationships${queryOf({ source_ci: sourceId, target_ci: targetId, type })}`,
      );
    }
    case 'search-events': {
      const { ciId, severity, status, source, text, timeRange, groupId } = run.params;
      if (groupId !== undefined)
        return made('events of the group', `/api/events/groups/${encodeURIComponent(groupId)}`);
      const said = { source, search: text };
      const now = { ciId, severity, status: status ?? UNRESOLVED, ...said };
      const of = run.range && {
        from: new Date(run.range.from).toISOString(),
        to: new Date(run.range.to).toISOString(),
      };
      const href =
        timeRange === undefined
          ? `/api/events${queryOf(now)}`
          : `/v1/events${queryOf({ ci_id: ciId, ...of, ...said })}`;
      return made(timeRange === undefined && status === undefined ? 'open events' : 'events of the time', href);
    }
    case 'get-context':
      return made('context of the conversation', '/v1/cmdb/ci');
    default:
      return made(run.tool, '');
  }
};

const ciItem = ({ ciId, name, type }: NamedRow, facts: readonly Fact[] = []): NewItem => ({
  kind: 'ci',
  id: ciId,
  label: name,
  facts: [{ name: 'type', value: type }, ...facts],
});

const names = (rows: readonly NamedRow[]): string =>
  rows
    .slice(0, NAMES)
    .map(({ name }) => name)
    .join(', ');
/** A list of names with how many there are; nothing where there is none. */
const namesFact = (name: string, total: number, rows: readonly NamedRow[]): Fact[] => [
  { name: `${name} (number)`, value: total },
  ...(rows.length === 0 ? [] : [freeText(name, names(rows))]),
];

const detailsItem = (row: CiDetailsRow): NewItem => {
  const { dependsOn, dependents, impact, services, openBySeverity, changes } = row;
  return ciItem(row, [
    { name: 'status', value: row.status },
    ...(row.openEvents === null ? [] : [{ name: 'open events', value: row.openEvents }]),
    ...Object.entries(openBySeverity ?? {}).map(([severity, n]) => ({ name: `open ${severity} events`, value: n })),
    ...namesFact('depends on', dependsOn.total, dependsOn.nearest),
    ...namesFact('dependents', dependents.total, dependents.nearest),
    ...namesFact('fails with it', impact.total, impact.nearest),
    ...services.slice(0, NAMES).map(({ name, impact: hit }) => freeText('service', `${name} (${hit})`)),
    ...changes.slice(0, 3).map(({ at, fields }) => freeText('changed', `${at} ${fields.join(', ')}`)),
    ...(row.lastSeen === null ? [] : [{ name: 'last seen', value: row.lastSeen }]),
    ...(row.description === null ? [] : [freeText('description', row.description)]),
    ...Object.entries(row.attributes)
      .slice(0, MAX_ATTRIBUTES)
      .map(([name, value]) => freeText(name, String(value))),
  ]);
};

const eventItem = (row: EventToolRow): NewItem => {
  const { cause } = row;
  const facts: Fact[] = [
    freeText('title', row.title),
    { name: 'severity', value: row.severity },
    { name: 'status', value: row.status },
    { name: 'occurrences', value: row.occurrences },
    { name: 'first', value: row.firstOccurrence },
    { name: 'last', value: row.lastOccurrence },
    ...(row.ciName === null ? [] : [freeText('on', row.ciName)]),
    ...(row.ciName !== null || row.hostname === null ? [] : [freeText('hostname', row.hostname)]),
    ...(row.groupId === null ? [] : [{ name: 'group', value: row.groupId }]),
    ...(cause === null
      ? []
      : [
          freeText('probable cause', `${cause.title}${cause.ciName === null ? '' : ` on ${cause.ciName}`}`),
          { name: 'confidence in percent', value: percentOf(cause.confidence) },
        ]),
  ];
  return { kind: 'event', id: row.eventId, label: row.title, facts };
};
export const percentOf = (share: number): number => Math.round(share * 100);

/** The cause, which need not be among the rows itself. */
const causeItems = ({ cause, groupId }: EventToolRow): NewItem[] =>
  cause === null
    ? []
    : [
        {
          kind: 'event',
          id: cause.eventId,
          label: cause.title,
          facts: [
            freeText('title', cause.title),
            ...(cause.ciName === null ? [] : [freeText('on', cause.ciName)]),
            ...(groupId === null ? [] : [{ name: 'group', value: groupId }]),
            { name: 'confidence in percent', value: percentOf(cause.confidence) },
          ],
        },
      ];

const relationshipItem = (row: RelationshipToolRow): NewItem => ({
  kind: 'relationship',
  id: row.relationshipId,
  label: `${row.sourceName} ${row.type} ${row.targetName}`,
  facts: [
    { name: 'type', value: row.type },
    freeText('source', row.sourceName),
    freeText('target', row.targetName),
    { name: 'confidence', value: row.confidence },
  ],
});

const numberItem = (row: NumberRow): NewItem => {
  const { metric, value, unit, count, from, to, ciId, ciName } = row;
  return {
    kind: 'query',
    id: `${metric}${queryOf({ ciId, from, to })}`,
    label: nounOf(metric),
    facts: [
      { name: unit === 'count' ? 'value' : `value (${unit})`, value: value ?? 'none' },
      { name: 'count', value: count },
      ...(ciName === null ? [] : [freeText('on', ciName)]),
      ...(from === null || to === null
        ? []
        : [
            { name: 'from', value: from },
            { name: 'to', value: to },
          ]),
    ],
    href: numberHref(row),
  };
};

export const affectedItem = ({ serviceId, name, criticality, status, score }: AffectedRow): NewItem => ({
  kind: 'service',
  id: serviceId,
  label: name,
  facts: [
    { name: 'criticality', value: criticality },
    { name: 'health', value: status },
    { name: 'score', value: score },
  ],
});

const contextItem = ({ currentCI, openEvents, cis, allOpenEvents, affected, time }: ContextRow): readonly Fact[] => [
  ...(currentCI === null ? [] : [freeText('current CI', currentCI.name)]),
  ...(openEvents === null ? [] : [{ name: 'its open events', value: openEvents }]),
  ...(cis === null ? [] : [{ name: 'CIs', value: cis }]),
  ...(allOpenEvents === null ? [] : [{ name: 'open events', value: allOpenEvents }]),
  ...(affected === null ? [] : [{ name: 'affected services', value: affected.total }]),
  { name: 'time', value: time },
];

const rowsOf = (run: ToolRun): NewItem[] => {
  switch (run.tool) {
    case 'search-cis':
      return run.rows.map((row) =>
        ciItem(row, [
          { name: 'status', value: row.status },
          ...(row.description === null ? [] : [freeText('description', row.description)]),
        ]),
      );
    case 'get-ci-details':
      return run.rows.map(detailsItem);
    case 'search-relationships':
      return run.rows.map(relationshipItem);
    case 'analytics-query':
      return run.rows.map(numberItem);
    case 'search-events':
      return run.rows.map(eventItem);
    case 'get-context':
      return run.rows.flatMap(({ currentCI, affected }) => [
        ...(currentCI === null ? [] : [ciItem(currentCI)]),
        ...(affected?.worst ?? []).map(affectedItem),
      ]);
  }
};

/** The list as a whole, where the call was one for a list. */
const wholeOf = (run: ToolRun): NewItem[] => {
  if (run.error !== null || run.tool === 'get-ci-details' || run.tool === 'analytics-query') return [];
  const item = listOf(run);
  return [run.tool === 'get-context' ? { ...item, facts: run.rows.flatMap(contextItem) } : item];
};

/** The result of a call, as evidence: the list as a whole, then its first rows. */
const itemsOf = (run: ToolRun): readonly NewItem[] => {
  const rows = rowsOf(run).slice(0, CITED_ROWS);
  const causes = run.tool === 'search-events' ? run.rows.slice(0, CITED_ROWS).flatMap(causeItems) : [];
  return [...wholeOf(run), ...rows, ...causes];
};

/** Evidence of all calls in their order; an item that several have brought has the facts of all of them. */
export const findingsOf = (runs: readonly ToolRun[]): Findings => {
  const items = new Map<string, NewItem>();
  for (const item of runs.flatMap(itemsOf)) {
    const key = `${item.kind} ${item.id}`;
    const known = items.get(key);
    const further = item.facts.filter(({ name }) => !known?.facts.some((fact) => fact.name === name));
    items.set(key, known === undefined ? item : { ...known, facts: [...known.facts, ...further] });
  }
  const findings = new Findings();
  for (const item of items.values()) findings.add(item);
  return findings;
};

/** Aliases of events that are candidates of groups, and sure enough. */
export const causesOf = (findings: Findings, runs: readonly ToolRun[], abstainBelow: number): readonly string[] => {
  const rows = runs.flatMap((run) => (run.tool === 'search-events' ? run.rows : []));
  const sure = rows.flatMap(({ cause }) => (cause !== null && cause.confidence >= abstainBelow ? [cause.eventId] : []));
  return findings.pack.filter(({ kind, id }) => kind === 'event' && sure.includes(id)).map(({ alias }) => alias);
};

/** Aliases of what a call has brought; what does not fit into the pack has none. */
export const aliasesOf = (findings: Findings, run: ToolRun): readonly string[] =>
  run.error === null ? itemsOf(run).flatMap((item) => findings.add(item) ?? []) : [];

/** The alias of the list as a whole. */
export const wholeRef = (findings: Findings, run: ToolRun): string | null => {
  const [item] = wholeOf(run);
  return item === undefined ? null : findings.add(item);
};
/** The alias of one row. */
export const rowRef = <R>(
  findings: Findings,
  run: ToolRun & { readonly rows: readonly R[] },
  row: R,
): string | null => {
  const at = run.rows.indexOf(row as never);
  const item = rowsOf(run)[at];
  return item === undefined ? null : findings.add(item);
};
/** The alias of the probable cause of an event. */
export const causeRef = (findings: Findings, row: EventToolRow): string | null => {
  const [item] = causeItems(row);
  return item === undefined ? null : findings.add(item);
};
