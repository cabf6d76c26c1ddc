import type { NeighbourhoodOptions } from '#domain/ports/topology/graph-queries.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { changes } from '#features/questions/use-cases/tools/kinds/events.ts';
import { incidents, type ToolIncidentRow } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { type Desk, listed, namesOf, quoted } from '../desk.ts';
import { fittingIncidents, inFull } from '../meant-incident.ts';
import { askWhich, meantThings, subjectsOf } from '../meant-things.ts';
import { readMessage } from '../read-message.ts';
import { headline, titled } from '../tell-incident.ts';
import { findThings, type Thing } from '../things.ts';
import { fieldsOf, RUNS, remember, STANDS } from './ci-answers.ts';

/** One of several things or incidents that may have something in common. */
interface Side {
  readonly name: string;
  readonly cis: readonly CiName[];
  /** CIs whose dependencies count: of an incident its root cause. */
  readonly roots: readonly CiName[];
  readonly row: ToolIncidentRow | null;
  readonly services: readonly string[];
}
const MAX_SIDES = 4;
const MAX_ROOTS = 8;
const MAX_CIS = 200;

async function ofThing({ asking }: Desk, { name, kind, cis }: Thing): Promise<Side> {
  const { ports, tenant, receivedAt, caller } = asking;
  const known = caller.permissions.has('services.read')
    ? await ports.memory.services.of(tenant, receivedAt)
    : new Map();
  const own = kind === 'service' ? [] : cis.flatMap(({ id }) => known.get(id) ?? []);
  const services = [...new Set(own.map((one: { readonly name: string }) => one.name))];
  return { name, cis, roots: cis.slice(0, MAX_ROOTS), row: null, services };
}
async function ofIncident({ asking }: Desk, row: ToolIncidentRow): Promise<Side> {
  const { ports, tenant, caller } = asking;
  const cis = caller.permissions.has('cmdb.read') ? await ports.topology.getCis(tenant, row.cis.slice(0, MAX_CIS)) : [];
  const roots = row.cause?.ci ? [row.cause.ci] : cis.slice(0, MAX_ROOTS);
  return { name: headline(row), cis, roots, row, services: row.services.map(({ name }) => name) };
}

const INCIDENT = /\b(?:thing|problem|incident|outage|issue|group|crash|failure|alert|alarm|trouble|mess|one)s?\b/i;
const PRONOUN = /^(?:it|this|that|this one|that one)$/i;
/** A half of `the tls thing and ups-1`; null: nothing is known by it. */
async function sideOf(desk: Desk, words: string): Promise<Side | null> {
  const { memory, asking } = desk;
  if (PRONOUN.test(words)) {
    const row = memory.incident === undefined ? null : await inFull(desk, memory.incident);
    const [thing] = row === null ? await meantThings(desk) : [];
    return row === null ? (thing === undefined ? null : ofThing(desk, thing)) : ofIncident(desk, row);
  }
  const { things, topic, ids } = await readMessage(asking, words, { current: null });
  const [thing] = subjectsOf(things);
  const isIncident = ids.length > 0 || INCIDENT.test(words) || thing === undefined;
  if (!isIncident) return ofThing(desk, thing);
  const [best] =
    ids.length + things.length + topic.length === 0 ? [] : (await fittingIncidents(desk, { things, topic })).all;
  const row = ids[0] === undefined ? best : await inFull(desk, ids[0]);
  return row == null ? (thing === undefined ? null : ofThing(desk, thing)) : ofIncident(desk, row);
}

/** Texts of the halves of `what did a and b have in common`. */
const halvesOf = (text: string): readonly string[] =>
  text
    .replace(/ (?:have|has|had|got|shares?)\b.{0,24}? with /i, ' and ')
    .replace(/^.{0,40}?\b(?:common (?:to|between|for|of)|do|does|did|have|has|between|by) (?:both )?/i, '')
    .replace(/(?: all| both)?,? (?:have|had|has|got|shares?|shared|in common)\b.*$|[ ?.!]*$/i, '')
    .split(/,? (?:and|with|vs\.?) |, /i)
    .map((half) => half.trim())
    .filter((half) => half !== '');
/** `those two`: the last list, of incidents or of names. */
const OF_LIST =
  /^(?:(?:these|those|the|both|of|them|they|all|first) ?){1,4}(?:two|three)? ?(?:ones?|groups?|incidents?|hosts?|systems?|problems?)?$/i;

/** The sides of a question; its words for which there is none are mentioned. */
async function sidesOf(desk: Desk): Promise<readonly Side[]> {
  const { reading, memory, asking } = desk;
  const halves = halvesOf(reading.text).slice(0, MAX_SIDES);
  const all = (things: readonly Thing[]) => Promise.all(things.map((thing) => ofThing(desk, thing)));
  if (halves.length === 1 && OF_LIST.test(halves[0] ?? '')) {
    const many = /\b(?:two|both)\b/.test(reading.lower) ? 2 : MAX_SIDES;
    const { incidents: ids = [], list = [] } = memory;
    const rows = (await Promise.all(ids.slice(0, many).map((id) => inFull(desk, id)))).flatMap((row) => row ?? []);
    if (rows.length > 1) return Promise.all(rows.map((row) => ofIncident(desk, row)));
    return all((await findThings(asking, list.slice(0, many).join(', '))).things);
  }
  const found = await Promise.all(halves.map((half) => sideOf(desk, half)));
  const sides = found.flatMap((side) => side ?? []);
  const own = subjectsOf(reading.things);
  if (sides.length < 2 && own.length > 1) return all(own);
  const unknown = halves.filter((_, at) => found[at] === null);
  if (unknown.length > 0) desk.lead.push(`Not found: ${listed(unknown.map(quoted))}.`);
  return sides;
}

const FIELDS =
  /^(?:site|location|datacenter|rack|room|environment|env|team|owner|department|vendor|manufacturer|model|os|engine|version)$/i;
const inAll = <T>(all: readonly (readonly T[])[]): readonly T[] =>
  [...new Set(all[0])].filter((one) => all.every((own) => own.includes(one)));
/** `type server`, `site dub3`. */
const textsOf = (ci: Ci): readonly string[] =>
  [['type', ci.type], ...fieldsOf(ci).filter(([name]) => FIELDS.test(name))].map((one) =>
    one.join(' ').replaceAll('_', ' '),
  );

const UP = { hops: 4, direction: 'up', limit: 200 } as const;
/** CIs that any of these depends on, the nearest first. */
async function upstreamOf({ asking }: Desk, roots: readonly CiName[], options: NeighbourhoodOptions = UP) {
  const { ports, tenant, caller } = asking;
  const mayRead = caller.permissions.has('cmdb.read');
  const own = mayRead ? roots.slice(0, MAX_ROOTS) : [];
  const found = await Promise.all(own.map(({ id }) => ports.graph.neighbourhood(tenant, id, options)));
  const nodes = found.flatMap((one) => one.nodes.map(({ ci: id, name, type, hops }) => ({ id, name, type, hops })));
  return [...new Map(nodes.toSorted((a, b) => b.hops - a.hops).map((ci) => [ci.id, ci])).values()].toSorted(
    (a, b) => a.hops - b.hops,
  );
}
const isIn =
  (all: readonly CiName[]) =>
  ({ id }: CiName): boolean =>
    all.some((one) => one.id === id);

const typed = (all: readonly CiName[]): string =>
  listed(all.map(({ name, type }) => `${name} (${type.replaceAll('_', ' ')})`));

/** All that things or incidents share: CIs, dependencies, services, incidents, fields, changes. */
async function inCommon(desk: Desk): Promise<void> {
  const sides = await sidesOf(desk);
  const [first, second] = sides;
  if (first === undefined || second === undefined)
    return askWhich(desk, 'Which two systems, services or incidents do you mean?');
  const { ports, tenant, caller } = desk.asking;
  const mayRead = caller.permissions.has('cmdb.read');
  const names = namesOf(sides);
  const own = sides.map(({ cis }) => cis.map(({ id }) => id));
  const rows = sides.flatMap(({ row }) => row ?? []);
  if (rows.length > 1 && rows.every(({ id }) => id === rows[0]?.id))
    return desk.say(rows)`Both are one incident: ${headline(rows[0] as ToolIncidentRow)}.`;
  const members = rows.length === 0 ? [] : inAll(own);
  const above = await Promise.all(sides.map((side) => upstreamOf(desk, side.roots)));
  const shared = (above[0] ?? []).filter((ci) => above.every((all) => isIn(all)(ci)) && !members.includes(ci.id));
  const needed = sides.filter(({ roots: [ci], row }) => row === null && ci && above.some((all) => isIn(all)(ci)));
  const roots = sides.flatMap((side) => side.roots.map(({ id }) => id));
  const fields = mayRead ? inAll((await ports.topology.getCis(tenant, roots)).map(textsOf)) : [];
  const services = inAll(sides.map((side) => side.services));
  const looked = await desk.look(incidents, { time_range: desk.lastDays(30) });
  const together = looked.rows.filter(
    ({ events: size, cis }) =>
      rows.length === 0 && size > 1 && own.every((ids) => ids.some((one) => cis.includes(one))),
  );
  const recent = await desk.look(changes, { time_range: desk.lastDays(7) });
  const near = new Set([...shared.map(({ id }) => id), ...members]);
  const cited = [...sides.flatMap(({ roots: [ci] }) => ci ?? []), ...shared.slice(0, 3)];
  const refs = [...rows, ...cited.map((ci) => desk.findings.ci(ci)), looked];
  if (first.row === null) desk.remember({ subject: first.name, current: first.cis[0]?.id ?? null });
  if (needed.length > 0) desk.say(refs)`One depends on the other: on ${namesOf(needed)}.`;
  if (shared.length > 0) desk.say(refs)`Yes: ${names} share ${typed(shared)}.`;
  if (members.length > 0) desk.say(refs)`Both are on ${typed(first.cis.filter(({ id }) => members.includes(id)))}.`;
  if (services.length > 0) desk.say(refs)`Services of both: ${listed(services)}.`;
  for (const row of together.slice(0, 3))
    desk.say(row)`Both are in the incident that began with ${headline(row)}, ${desk.clock.ago(row.from)}.`;
  if ([shared, needed, members, services, together].every(({ length }) => length === 0))
    desk.say(refs)`Nothing in common found: ${names} share no dependency within 4 hops, no service, and no incident of
      the last 30 days.`;
  if (fields.length > 0)
    desk.say(refs)`${rows.length === 0 ? 'The same' : 'Same of both root causes'}: ${listed(fields)}.`;
  for (const row of recent.rows.filter(({ ciId }) => near.has(ciId ?? '')).slice(0, 3))
    desk.say(row)`Changed ${desk.clock.ago(row.at)}: ${titled(row)}.`;
}

const IN_COMMON =
  /\bin common\b|\bcommon (?:factor|denominator|link|cause|to|between)\b|\bshare[sd]?\b(?!.{0,30}(?:§|\b(?:hosts?|machines?|rack|box|hardware|power|switch)\b))/;

const PHYSICAL = /server|machine|hypervisor|host|rack|switch|power|pdu|site|room|storage|array/i;
/** `the same metal`: what things run on, and not their site or switch. */
const HOST = /\b(?:hosts?|hosted|machines?|hypervisors?|box(?:es)?|metal|hardware|servers?|runs?|running)\b/;
/** Common dependencies of several things: `do a and b run on the same host`, `what do a and b have in common`. */
export async function shared(desk: Desk): Promise<void> {
  if (IN_COMMON.test(desk.reading.shape)) return inCommon(desk);
  const { asking, reading } = desk;
  const { list = [] } = desk.memory;
  const { lower, shape } = reading;
  const named = subjectsOf(reading.things);
  const meant = named.length > 1 || list.length < 2 ? named : (await findThings(asking, list.join(', '))).things;
  const own = meant.filter(({ cis }) => cis.length > 0).slice(0, 4);
  const [first, second] = own;
  if (first === undefined || second === undefined) return askWhich(desk, 'Which two systems do you mean?');
  const type = reading.things.find(({ kind }) => kind === 'type');
  const isOfPlace =
    PHYSICAL.test(type?.name ?? '') ||
    /\b(?:runs?|running|hosted|hosts?|machine|sits?|located|rack|box|hardware)\b/.test(shape);
  const isOfHost = isOfPlace && HOST.test(lower) && !/\b(?:rack|switch|power|site|room|pdu)\b/.test(lower);
  const hops = type === undefined || isOfPlace ? 4 : 2;
  const types = isOfPlace ? { types: isOfHost ? RUNS : STANDS } : {};
  const above = await Promise.all(own.map(({ cis }) => upstreamOf(desk, cis, { ...UP, hops, ...types })));
  const isAnyHost = isOfHost && /^(?:hosts?|machines?|servers?|boxes|box|vms?)$/i.test(type?.said ?? 'host');
  const kinds = new Set(isAnyHost ? [] : type?.cis.map((ci) => ci.type));
  const fitting = above.map((all) => all.filter((ci) => kinds.size === 0 || kinds.has(ci.type)));
  const common = (fitting[0] ?? []).filter((ci) => fitting.every((all) => isIn(all)(ci)));
  const cited = [...own.flatMap(({ cis: [ci] }) => ci ?? []), ...common.slice(0, 3)];
  const refs = cited.map((ci) => desk.findings.ci(ci));
  const kind =
    type?.said ?? (isOfHost ? 'host' : isOfPlace ? 'host, rack, switch or power feed' : 'dependency within 4 hops');
  const names = namesOf(own);
  const unknown = own.flatMap(({ name }, at) => ((fitting[at] ?? []).length > 0 ? [] : [name]));
  remember(desk, first);
  if (common.length > 0) return desk.say(refs)`Yes: ${names} share ${typed(common)}.`;
  if (unknown.length > 0) desk.say(refs)`Not known: no ${kind} is recorded for ${listed(unknown)}.`;
  else desk.say(refs)`No: ${names} have no common ${kind}.`;
  for (const [at, { name }] of type === undefined && !isOfHost ? [] : own.entries()) {
    const nodes = (fitting[at] ?? []).slice(0, 4);
    if (nodes.length > 0) desk.say(refs)`${name}: ${namesOf(nodes)}.`;
  }
}
