import type { EvidenceItem, EvidencePack } from '#domain/ai/evidence.ts';
import { ORDER } from './lexicon.ts';

/** Evidence as a statement is proven by it. */
export interface Row {
  readonly item: EvidenceItem;
  /** The host of an event, else the label. */
  readonly name: string;
  /** Title of an event; null: another item. */
  readonly title: string | null;
  readonly state: 'open' | 'acknowledged' | 'ended' | 'healthy' | null;
  /** Epoch ms. */
  readonly began: number | null;
  readonly ended: number | null;
}

/** A name that stands in structured evidence, never in the text of a monitor. */
export interface Named {
  readonly text: string;
  readonly rows: readonly Row[];
  readonly isPerson: boolean;
}

const STATES: Readonly<Record<string, Row['state']>> = {
  open: 'open',
  active: 'open',
  degraded: 'open',
  critical: 'open',
  acknowledged: 'acknowledged',
  resolved: 'ended',
  closed: 'ended',
  healthy: 'healthy',
};

/** The first fact of these names. */
export const factOf = ({ facts }: EvidenceItem, ...names: readonly string[]): string | number | undefined =>
  names.flatMap((name) => facts.find((fact) => fact.name === name) ?? [])[0]?.value;
const textOf = (item: EvidenceItem, ...names: readonly string[]): string | null => {
  const value = factOf(item, ...names);
  return value === undefined ? null : String(value);
};
const timeOf = (item: EvidenceItem, ...names: readonly string[]): number | null => {
  const at = Date.parse((textOf(item, ...names) ?? '').replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC$/, '$1T$2:00Z'));
  return Number.isNaN(at) ? null : at;
};

/** Open events are the state of a CI, because `active` means only that it is in use. */
const stateOf = (item: EvidenceItem): Row['state'] => {
  if (item.kind !== 'ci') return STATES[textOf(item, 'status', 'state', 'health') ?? ''] ?? null;
  const open = factOf(item, 'open events');
  return typeof open !== 'number' ? null : open > 0 ? 'open' : 'healthy';
};

const rowOf = (item: EvidenceItem): Row => ({
  item,
  name: (item.kind === 'event' ? textOf(item, 'on', 'subject', 'host', 'hostname') : null) ?? item.label,
  title: item.kind === 'event' ? (textOf(item, 'title') ?? item.label) : null,
  state: stateOf(item),
  began: timeOf(item, 'began', 'first', 'time', 'at'),
  ended: timeOf(item, 'ended', 'resolved at'),
});
export const rowsOf = (pack: EvidencePack): readonly Row[] => pack.map(rowOf);

/** Facts whose texts are lists of names. */
const LISTS = [
  'depends on',
  'dependents',
  'impacted',
  'protected by redundancy',
  'service',
  'affected services',
  'host',
];
const ENDS = ['name', 'source', 'target', 'partner down', 'subject', 'on'];
const PEOPLE = ['assignee', 'acknowledged by', 'resolved by'];

/** Names in the lists of a row; `Shop (full_outage)` is `Shop`. */
export const listed = ({ item }: Row, ...lists: readonly string[]): readonly string[] =>
  item.facts
    .filter(({ name, value }) => lists.includes(name) && typeof value === 'string')
    .flatMap(({ value }) => String(value).split(/, | and /))
    .map((name) => name.replace(/ \([a-z_ ]*\)$/, ''));

/** All names of the evidence, the longest first. */
export const namesOf = (rows: readonly Row[]): readonly Named[] => {
  const found = new Map<string, { text: string; rows: Row[]; isPerson: boolean }>();
  const add = (text: string, row: Row | null, isPerson = false): void => {
    const key = text.toLowerCase();
    if (key.length < 2) return;
    const one = found.get(key) ?? { text, rows: [], isPerson };
    if (row !== null && !one.rows.includes(row)) one.rows.push(row);
    found.set(key, one);
  };
  for (const row of rows) {
    add(row.item.alias, row);
    if (row.item.kind !== 'query') add(row.name, row);
    // `core-app` stands for core-app-01 and its like.
    const family = /^(.{2,60}?)-?\d+$/.exec(row.name)?.[1];
    if (family !== undefined) add(family, row);
    if (row.title !== null && row.title.length > 3 && !ORDER.test(row.title)) add(row.title, row);
    for (const name of listed(row, ...LISTS)) add(name, null);
    for (const name of ENDS) add(textOf(row.item, name) ?? '', null);
    for (const name of PEOPLE) add((textOf(row.item, name) ?? '').replace(/^none$/, ''), null, true);
  }
  return [...found.values()].sort((a, b) => b.text.length - a.text.length);
};
