import { servicesHit } from '#application/services/services-hit.ts';
import { slices } from '#domain/slices.ts';
import { capital, withArticle } from '#domain/text.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { counted, enumeration } from '#features/ai/rules/findings.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { OF_ITS } from '#features/questions/rules/asking/settled-intent.ts';
import {
  ciDetails,
  type ImpactRow,
  impact,
  type NeighborRow,
  near,
  neighbourhood,
  type PathRow,
  path,
  relationships,
} from '#features/questions/use-cases/tools/kinds/cis.ts';
import { isSick, services } from '#features/questions/use-cases/tools/kinds/estate.ts';
import { events } from '#features/questions/use-cases/tools/kinds/events.ts';
import { incidents, type ToolIncidentRow } from '#features/questions/use-cases/tools/kinds/incidents.ts';
import { whenSafe } from '#features/questions/use-cases/tools/kinds/when-safe.ts';
import { ASSESS_CHANGE, contributed } from '#features/questions/use-cases/tools/tool.ts';
import { be, type Desk, listed, namesOf, quoted } from '../desk.ts';
import { inFull, meantIncident } from '../meant-incident.ts';
import { askWhich, meantSubjects, meantThings, subjectsOf, talkThings, unknownNames } from '../meant-things.ts';
import { contextOf, faultsIn, isSevere, placesOf, tellEvents } from '../tell-events.ts';
import {
  downOf,
  headline,
  namedCause,
  rememberRows,
  tellCause,
  tellDown,
  tellNotes,
  tellRow,
  tellServices,
  tellState,
  wayText,
} from '../tell-incident.ts';
import { sickNames, tellHealth, tellOneOf, tellWorstOf } from '../tell-service.ts';
import { ciThing, idsOf, isOnAny, serviceThing, type Thing, withHosts } from '../things.ts';
import { directionOf, RUNS, remember } from './ci-answers.ts';
import { duringTime, FINE } from './event-answers.ts';
import { OF_ALL, why } from './incident-answers.ts';
import { OF_GROUP, toll } from './present-answers.ts';
import { hitServices } from './time-answers.ts';

function tellImpact(desk: Desk, row: ImpactRow): void {
  const { name, services: hit, impacted: lost } = row;
  const ofServices = /\bservices?\b|\bfacing\b|\bcustomers?\b|\bapps?\b/.test(desk.reading.lower);
  if (ofServices && hit.length === 0) desk.say(row)`No service would fail with ${name}.`;
  else if (ofServices)
    desk.say(row)`${counted(hit.length, 'service')} would fail or degrade with ${name}: ${namesOf(hit)}.`;
  const many = `${row.truncated ? 'at least ' : ''}${counted(lost.length, 'CI is', 'CIs are')}`;
  if (lost.length === 0) desk.say(row)`If ${name} fails, no other CI is impacted.`;
  else desk.say(row)`If ${name} fails, ${many} impacted: ${namesOf(lost)}.`;
  for (const one of hit.slice(0, 8)) {
    const how = one.impact === 'full_outage' ? 'full outage' : 'degraded';
    desk.say(row)`Service ${one.name} (${one.criticality}): ${how}.`;
  }
  if (row.lostToo.length > 0)
    desk.say(row, 'likely')`${downNow(row)}, so the redundancy of ${namesOf(row.lostToo)} would be gone, too.`;
  else if (row.protected.length > 0) desk.say(row)`Protected by redundancy: ${namesOf(row.protected)}.`;
}
const downNow = ({ partnersDown: all }: ImpactRow): string => `${namesOf(all)} ${be(all.length)} down now`;

async function tellImpactOf(desk: Desk, { id }: CiName): Promise<void> {
  const found = await desk.find(impact, { ci: id });
  if (found === null) return;
  tellImpact(desk, found);
  if (!/\b(?:red|sick|degraded|unhealthy|critical)\b.{0,12}\bservices?\b/.test(desk.reading.lower)) return;
  const looked = await desk.look(services, {});
  const ids = new Set(found.services.map((one) => one.id));
  const sick = looked.rows.filter((row) => isSick(row) && ids.has(row.id));
  desk.say(looked)`Not healthy now of these: ${namesOf(sick) || 'none'}.`;
}

export async function impacted(desk: Desk): Promise<void> {
  const named = subjectsOf(await meantThings(desk));
  const types = named.filter(({ kind }) => kind === 'type');
  // `which applications are affected by that`: CIs of a type that depend on the subject.
  if (types.length > 0 && types.length === named.length && WHICH_OF_TYPE.test(desk.reading.shape)) {
    const [subject] = await talkThings(desk);
    if (subject !== undefined) return tellImpactOn(desk, subject, types);
    return desk.memory.incident === undefined ? askWhich(desk) : toll(desk);
  }
  const [before = ''] = desk.reading.shape.split(IF);
  const failing = desk.reading.things.slice(before.split('§').length - 1).filter(({ kind }) => kind !== 'type');
  // `what happens to a if b fails`: with b.
  const [first] = IF.test(desk.reading.shape) && failing.length > 0 ? failing : named;
  if (first === undefined) return desk.reading.missing.length > 0 ? unknownNames(desk) : sickServices(desk);
  remember(desk, first);
  // `what is down because of core-sw-2`: what really fails, before what would.
  const isNow =
    /\b(?:is|are|was|were|did|has|have)\b/.test(desk.reading.lower) &&
    !/\b(?:if|would|when)\b/.test(desk.reading.lower);
  if (isNow && (await tellHit(desk, first)) && PAST.test(desk.reading.lower)) return;
  const [lost] = failing.includes(first) ? subjectsOf(desk.reading.things).filter((one) => !failing.includes(one)) : [];
  if (lost !== undefined) await tellLoss(desk, first, lost);
  for (const one of first.cis.slice(0, 3)) await tellImpactOf(desk, one);
  const [only] = lost === undefined ? [] : first.cis;
  if (only !== undefined) await tellPartner(desk, only);
}

/** `do we lose a if b dies`: a yes or a no. */
async function tellLoss(desk: Desk, { name, cis }: Thing, lost: Thing): Promise<void> {
  const found = await Promise.all(cis.slice(0, 3).map(({ id }) => desk.find(impact, { ci: id })));
  const rows = found.flatMap((row) => row ?? []);
  const hit = rows.flatMap(({ services: all }) => all.filter(({ id }) => id === lost.id));
  const isOut = isOnAny(rows.map((row) => ({ ...lost, cis: [...row.impacted, ...row.lostToo] })));
  const own = lost.cis.filter(({ id }) => isOut({ ciId: id }));
  const isWhole =
    lost.kind === 'service' ? hit.some((one) => one.impact === 'full_outage') : own.length === lost.cis.length;
  const isAny = hit.length + own.length > 0;
  const word = !isAny ? 'No, as far as is recorded' : isWhole ? 'Yes' : 'In part';
  desk.say(rows)`${word}: ${lost.name} would ${isAny ? '' : 'not '}fail with ${name} alone.`;
}

const IF = /\b(?:if|when|once|without|losing)\b/;
const WHICH_OF_TYPE = /^(?:and )?(?:which|what) (?:\S{1,8} ){0,3}§[^§]*$/;
/** CIs of the types that fail with a thing. */
async function tellImpactOn(desk: Desk, thing: Thing, types: readonly Thing[]): Promise<void> {
  const { name, cis } = thing;
  remember(desk, thing);
  const rows = await Promise.all(cis.slice(0, 3).map(({ id }) => desk.find(impact, { ci: id })));
  const found = rows.flatMap((row) => row ?? []);
  const lost = new Set(found.flatMap(({ impacted: all }) => all.map(({ id }) => id)));
  const own = types.flatMap(({ cis: all }) => all).filter(({ id }) => lost.has(id));
  const noun = listed(types.map(({ said }) => said));
  if (own.length === 0) desk.say(found)`No ${noun} would fail with ${name}.`;
  else desk.say(found)`${own.length} ${noun} impacted by ${name}: ${namesOf(own)}.`;
  for (const row of found) tellImpact(desk, row);
}

/** Lists the failures of an incident that began there. */
const PAST = /\b(?:was|were|did|got)\b/;
async function tellHit(desk: Desk, { cis }: Thing): Promise<boolean> {
  const isOwn = (id: string | null | undefined): boolean => cis.some((ci) => ci.id === id);
  const looked = await desk.look(incidents, {});
  const row = looked.rows.find(({ cause }) => isOwn(cause?.ci?.id));
  const full = row === undefined ? null : await inFull(desk, row.id);
  if (full === null) return false;
  desk.remember({ incident: full.id });
  desk.say(full)`The incident began with ${headline(full)}, ${desk.clock.ago(full.from)}.`;
  const others = full.members.filter(({ ciId }) => !isOwn(ciId));
  const over = placesOf(others.filter(({ to }) => to !== null));
  const open = placesOf(others.filter(({ to }) => to === null));
  desk.say(full, 'likely')`Down or degraded with it now: ${open || 'nothing else'}.`;
  if (others.some(({ to }) => to !== null)) desk.say(full, 'likely')`Recovered since: ${over}.`;
  tellServices(desk, full);
  return true;
}

const changeVerb =
  /\b(re-?start|re-?boot|bounce|patch|upgrade|update|fail ?over|shut ?down|firmware|migrat\w*|replac\w*|decommission\w*|deploy\w*|certificate|config\w*|hardware)\b/;

/** CIs of the system to be changed; without one, the answer asks for it. */
async function changing(desk: Desk): Promise<readonly CiName[]> {
  const [first] = await meantSubjects(desk, 'Which system do you want to change?', true);
  if (first !== undefined) remember(desk, first);
  return first?.cis ?? [];
}

/** Judges a change; partners that are down now outweigh any score. */
export async function safe(desk: Desk): Promise<void> {
  const cis = await changing(desk);
  const [, said = 'change'] =
    desk.reading.lower.match(changeVerb) ?? (desk.memory.asked ?? '').toLowerCase().match(changeVerb) ?? [];
  for (const one of cis.slice(0, 3)) await judge(desk, one, said.replace(/reboot|bounce/, 'restart'));
}

const HOUR_MS = 3_600_000;
const plannedFor = ({ lower, time }: Desk['reading'], now: number): number | null => {
  const day = Math.floor(now / (24 * HOUR_MS)) * 24 * HOUR_MS;
  if (/\btonight\b/.test(lower)) return Math.max(now, day + 22 * HOUR_MS);
  if (time !== null) return null;
  if (/\btomorrow\b/.test(lower)) return day + (/\btomorrow (?:night|evening)\b/.test(lower) ? 46 : 36) * HOUR_MS;
  return /\b(?:now|right away|immediately)\b/.test(lower) ? now : null;
};

async function judge(desk: Desk, ci: CiName, change: string): Promise<void> {
  const { asking, reading } = desk;
  const row = await desk.find(impact, { ci: ci.id });
  if (row === null) return;
  const tool = contributed(asking.ports.questionTools, ASSESS_CHANGE);
  const at = plannedFor(reading, asking.receivedAt);
  const planned = at !== null && { at: new Date(at).toISOString() };
  const risk = tool === undefined ? null : await desk.find(tool, { ci: ci.id, change, ...planned });
  const open = await desk.look(events, { ci: ci.id });
  const out = row.services.filter((one) => one.impact === 'full_outage');
  const down = listed(out.map(({ name }) => name));
  const isLast = row.lostToo.length > 0;
  const isVital = !isLast && out.some(({ criticality }) => criticality === 'critical');
  if (isVital) {
    const many = counted(out.length, 'service has', 'services have');
    desk.say(row, 'likely')`Not without a maintenance window: if ${ci.name} is down, ${many} a full outage: ${down}.`;
    await tellOpenOn(desk, ci);
    await tellPartner(desk, ci);
  }
  const lost = `${namesOf(row.lostToo)}${down && ` and ${down}`}`;
  if (isLast)
    desk.say(row, 'likely')`Not safe now: ${downNow(row)}, so ${ci.name} is the last of its redundancy group. A
      ${change} would take down ${lost}.`;
  const impacted = `${counted(row.impacted.length, 'CI')} would be impacted: ${namesOf(row.impacted)}`;
  if (risk !== null) {
    const level = isLast ? 'critical, because its partner is down' : `${risk.level}, ${risk.score} of 100`;
    const when = at === null ? '' : ` at ${desk.clock.time(at)}`;
    const advised = isLast || isVital ? '' : ADVISED[risk.level];
    desk.say(risk)`${advised}Risk of the ${change} of ${ci.name}${when}: ${level}.`;
    for (const text of risk.reasons.slice(0, 4)) desk.say(risk)`${text}`;
    desk.confidence = risk.confidence;
  } else if (!isLast)
    desk.say(row)`${capital(change)} of ${ci.name}:
      ${row.impacted.length === 0 ? 'no other CI depends on it' : impacted}.`;
  const [worst] = open.rows;
  if (worst !== undefined && open.rows.some(isSevere))
    desk.say(worst, 'possible')`${ci.name} has an open event itself, ${quoted(worst.title)} since
      ${desk.clock.ago(worst.from)}: the ${change} may be part of the repair.`;
  tellImpact(desk, row);
}
/** The open incident of a CI, and who has it. */
async function tellOpenOn(desk: Desk, { id, name }: CiName): Promise<void> {
  const { rows } = await desk.look(incidents, { ci: id });
  const row = rows.find(({ activeCis }) => activeCis.includes(id));
  const full = row === undefined ? null : await inFull(desk, row.id);
  if (full === null) return;
  desk.remember({ incident: full.id });
  desk.say(full)`An incident is open on ${name}: ${headline(full)}.`;
  tellState(desk, full);
  tellNotes(desk, full, 1);
}
/** A CI of the same type that the same systems depend on, too. */
async function tellPartner(desk: Desk, { id, name, type }: CiName): Promise<void> {
  const looked = await desk.look(relationships, { target: id });
  const dependents = looked.rows.map(({ source }) => source.id).slice(0, 20);
  const others = await Promise.all(dependents.map((one) => near(desk.asking, one, 'up')));
  const [first = []] = others;
  const partners = first.filter(
    (one) => one.id !== id && one.type === type && others.every((row) => row.some((ci) => ci.id === one.id)),
  );
  const both = counted(new Set(dependents).size, 'CI');
  if (partners.length > 0)
    desk.say(looked)`${namesOf(partners)} serves the same ${both} as ${name}, but no redundancy of the two is
      recorded.`;
}
const ADVISED = {
  low: 'Yes, as far as is known. ',
  medium: 'With care. ',
  high: 'Not advisable now. ',
  critical: 'Not advisable now. ',
} as const;

/** Suggests times for a change, with its impact. */
export async function window(desk: Desk): Promise<void> {
  const [ci] = await changing(desk);
  if (ci === undefined) return;
  const looked = await desk.look(whenSafe, { ci: ci.id });
  const recorded = looked.rows.find(({ kind }) => kind === 'recorded');
  const quiet = looked.rows.filter(({ kind }) => kind === 'quiet');
  if (recorded === undefined) desk.say(looked)`No maintenance window is recorded for ${ci.name}.`;
  else desk.say(recorded)`Maintenance window of ${ci.name}: ${desk.clock.span(recorded.from, recorded.to)}.`;
  for (const one of quiet.slice(0, recorded === undefined ? 3 : 1)) {
    const [many, weeks] = [counted(one.events, 'event'), counted(one.weeks, 'week')];
    const known = `${many} on it and its neighbors at this time in the last ${weeks}`;
    const past = one.weeks === 0 ? 'outside business hours' : known;
    desk.say(one, 'possible')`A quiet time would be ${desk.clock.span(one.from, one.to)}: ${past}.`;
  }
  await tellImpactOf(desk, ci);
}

export async function depends(desk: Desk): Promise<void> {
  const { things, shape } = desk.reading;
  const [named, several] = things;
  // `does it need the database`: the other side is the thing of the talk.
  const [talk] =
    named !== undefined && several === undefined && IT.test(shape) && YES_NO.test(shape) ? await talkThings(desk) : [];
  const isOfTalk = /^(?:and )?(?:do|does|is|are) (?:it|this|that)\b/.test(shape);
  if (named !== undefined && talk !== undefined && talk.name !== named.name)
    return connected(desk, isOfTalk ? [talk, named] : [named, talk]);
  const [first, second] = await meantSubjects(desk);
  if (first === undefined) return;
  const isChain = CHAIN.test(shape);
  const types = things.filter(({ kind }) => kind === 'type' || (kind === 'family' && (isChain || OF_ITS.test(shape))));
  const [type, next] = types;
  if (first !== type && next !== undefined && isChain) return tellChain(desk, first, types);
  if (type !== undefined && TALKS.test(shape)) {
    const [subject = first === type ? undefined : first] = await talkThings(desk);
    return subject === undefined ? askWhich(desk) : tellUsers(desk, subject, type);
  }
  if (first === type && type !== undefined && desk.reading.pointsBack) return relative(desk, null, type);
  if (second === undefined && type !== undefined && first !== type && OF_RELATIVE.test(shape))
    return relative(desk, first, type);
  const other = second ?? (YES_NO.test(shape) && first !== type ? type : undefined);
  if (other !== undefined && (YES_NO.test(shape) || second?.kind === 'ci')) return connected(desk);
  remember(desk, first);
  // CIs behind a load balancer are its dependencies; CIs behind a switch depend on it.
  const isBalanced = /\bbehind\b/.test(shape) && first.cis.some(({ type: of }) => /balancer|proxy|gateway/.test(of));
  const direction = isBalanced ? 'up' : directionOf(shape);
  const isRunning = /\b(?:(?<!\bto )runs?|running|hosted|sits?(?! behind)|empty|idle)\b/.test(desk.reading.shape);
  for (const one of direction === 'both' ? (['up', 'down'] as const) : [direction])
    await tellNeighbours(desk, first, one, isRunning);
}

/** `which apps talk to that broker`. */
const TALKS = /^(?:and |so )?(?:which|what|how many|list|show) § (?:\w+ )?(?:talks?|connects?|speaks?) (?:to|with)\b/;
/** CIs of a type that use a subject directly. */
async function tellUsers(desk: Desk, subject: Thing, type: Thing): Promise<void> {
  desk.rememberThing(subject);
  const isOfType = isOnAny([type]);
  for (const { id, name } of subject.cis.slice(0, 4)) {
    const looked = await desk.look(relationships, { target: id });
    const names = looked.rows.flatMap(({ source }) => (isOfType({ ciId: source.id }) ? [source.name] : []));
    desk.say(
      looked,
    )`${counted(new Set(names).size, type.name.replaceAll('_', ' '))} directly on ${name}${names.length === 0 ? '' : `: ${listed(names)}`}.`;
  }
}
/** `which db, which vm, which esx`. */
const CHAIN = /\b(?:which|what) § ?,? ?(?:and )?(?:which |what )?§/;
/** The nearest CIs of each type above those of the one before. */
async function tellChain(desk: Desk, subject: Thing, types: readonly Thing[]): Promise<void> {
  remember(desk, subject);
  let ends: readonly CiName[] = subject.cis.slice(0, 1);
  const own = isOnAny([subject]);
  for (const type of types.filter(({ cis }) => !cis.some(({ id }) => own({ ciId: id }))).slice(0, 5)) {
    const isOfType = isOnAny([type]);
    const next: CiName[] = [];
    for (const { id, name } of ends.slice(0, 4)) {
      const looked = await desk.look(neighbourhood, { ci: id, hops: 3, direction: 'up' });
      const all = looked.rows.filter((row) => isOfType({ ciId: row.id })).toSorted((a, b) => a.hops - b.hops);
      const nearest = all.filter(({ hops }) => hops === all[0]?.hops);
      if (nearest.length === 0) desk.say(looked)`No ${type.said} above ${name} is recorded within 3 hops.`;
      else desk.say(nearest.slice(0, 4))`${capital(type.said)} of ${name}: ${namesOf(nearest)}.`;
      next.push(...nearest);
    }
    if (next.length > 0) ends = next;
  }
}

async function tellNeighbours(desk: Desk, thing: Thing, direction: 'up' | 'down', isRunning: boolean): Promise<void> {
  const { name } = thing;
  const own = new Set(thing.cis.map(({ id }) => id));
  const found: { readonly ci: CiName; readonly row: object }[] = [];
  let whole: object | null = null;
  for (const { id } of thing.cis.slice(0, 12)) {
    const looked = await desk.look(relationships, direction === 'up' ? { source: id } : { target: id });
    whole ??= looked;
    for (const row of looked.rows) {
      const ci = direction === 'up' ? row.target : row.source;
      if (own.has(ci.id) || (isRunning && !RUNS.includes(row.type))) continue;
      if (!found.some((one) => one.ci.id === ci.id)) found.push({ ci, row });
    }
  }
  if (found.length === 0 && isRunning) return tellNeighbours(desk, thing, direction, false);
  const names = found.map(({ ci }) => ci.name).toSorted((a, b) => (a < b ? -1 : 1));
  const refs = [whole, ...found.slice(0, 4).map(({ row }) => row)];
  const verb = isRunning ? 'runs' : 'depends';
  const many = (one: string, several: string): string => counted(names.length, one, several);
  desk.remember({ list: names.slice(0, 8) });
  if (names.length === 0) desk.say(refs)`${name} has no known ${direction === 'up' ? 'dependencies' : 'dependents'}.`;
  else if (direction === 'up') desk.say(refs)`${name} ${verb} directly on ${many('CI', 'CIs')}: ${listed(names)}.`;
  else desk.say(refs)`${many(`CI ${verb}`, `CIs ${verb.slice(0, -1)}`)} directly on ${name}: ${listed(names)}.`;
  if (names.length > 8) desk.say(refs)`Also: ${enumeration(names.slice(8, 30), 22)}.`;
  const [only, other] = thing.cis;
  if (only !== undefined && other === undefined && !isRunning && names.length > 0 && names.length <= 8)
    await tellBehind(desk, only, direction);
}

/** Names CIs that are more than one hop away; a single dependent may be what everything else uses. */
async function tellBehind(desk: Desk, { id: ci, name }: CiName, direction: 'up' | 'down'): Promise<void> {
  const looked = await desk.look(neighbourhood, { ci, hops: 3, direction });
  const behind = looked.rows.filter(({ hops }) => hops > 1);
  if (behind.length === 0) return;
  const names = behind.map((one) => one.name);
  const more = (one: string, several: string): string =>
    `${looked.isCut ? 'at least ' : ''}${counted(behind.length, one, several)}`;
  const text =
    direction === 'up'
      ? `${name} depends indirectly on ${more('more CI', 'more CIs')}`
      : capital(`${more('more CI depends', 'more CIs depend')} indirectly on ${name}`);
  desk.say(behind.slice(0, 4))`${text}, within 3 hops: ${enumeration(names, 16)}.`;
}

const YES_NO = /^(?:and )?(?:do|does|is|are)\b.*\b(?:depend|rely|relies|need|use|run|require|upstream|downstream)/;
export const OF_RELATIVE = /\b(?:what|which|whats|what's|who)\b.{0,12}§ (?:is|does|do|has|of)\b|§ of (?:the )?§/;

const MOST_ENDS = 12;
/** The shortest path between members of two things, with a way of dependency before any other. */
async function wayBetween(desk: Desk, one: Thing, other: Thing) {
  const endsOf = ({ cis }: Thing): string[] => cis.slice(0, MOST_ENDS).map(({ id }) => id);
  const ends = endsOf(one).flatMap((from) => endsOf(other).map((to) => ({ from, to })));
  const found = [];
  for (const way of ends.slice(0, 3 * MOST_ENDS)) if (way.from !== way.to) found.push(await desk.look(path, way));
  const own = new Set(one.cis.map(({ id }) => id));
  const rank = ({ nodes, dependent }: PathRow): number =>
    nodes.length + (dependent === null ? 200 : own.has(dependent) ? 0 : 100);
  const [row] = found.flatMap((looked) => looked.rows).toSorted((a, b) => rank(a) - rank(b));
  return { row, looked: found[0], isOfOne: row !== undefined && own.has(row.dependent ?? '') };
}
const tellWay = (desk: Desk, begin: string, row: PathRow, { kind, name }: Thing): void => {
  const isNamed = kind === 'service' && name !== row.nodes[0]?.name;
  const hops = counted(row.nodes.length - Number(!isNamed), 'hop');
  const refs = row.nodes.map((_, at) => desk.ref(row, at));
  desk.say(refs)`${begin}${isNamed ? `${name} → ` : ''}${wayText(row)}: ${hops}.`;
};

/** A yes or a no to a dependency, or the way between two things. */
const IT = /\b(?:it|this|that)\b/;
export async function connected(desk: Desk, things = desk.reading.things): Promise<void> {
  const { shape } = desk.reading;
  const own = subjectsOf(things);
  const [one, other] = own.length > 1 ? own : things;
  if (one === undefined || other === undefined) return depends(desk);
  remember(desk, one);
  const { row, looked, isOfOne } = await wayBetween(desk, one, other);
  if (looked === undefined) return;
  const [isAsked, names] = [YES_NO.test(shape), `${one.name} and ${other.name}`];
  if (row === undefined)
    return desk.say(looked)`${isAsked ? 'No: no' : 'No'} relationship connects ${names} within 6 hops.`;
  if (!isAsked) return tellWay(desk, '', row, one);
  const hops = row.nodes.length - 1;
  if (isOfOne && hops === 1)
    return desk.say(row)`Yes: ${row.nodes[0]?.name} depends directly on ${row.nodes[1]?.name}.`;
  if (isOfOne) return tellWay(desk, 'Yes, indirectly: ', row, one);
  const reverse = row.dependent === null ? 'A relationship connects them' : 'The dependency is reversed';
  tellWay(desk, `No: no dependency leads from ${one.name} to ${other.name}. ${reverse}: `, row, other);
}

const HOSTING = /\b(?:hosts?|machines?|servers?|node)\b/;

/** `its power feed`: the nearest CIs of a type above the subject, with the way to them. */
async function relative(desk: Desk, named: Thing | null, type: Thing): Promise<void> {
  const { asking, reading } = desk;
  const current = asking.current === null ? null : ciThing(asking.current);
  const subject = named ?? current;
  const [ci] = subject?.cis ?? [];
  if (subject === null || ci === undefined) return askWhich(desk);
  desk.rememberThing(subject);
  const isOfType = isOnAny([type]);
  const looked = await desk.look(neighbourhood, { ci: ci.id, hops: 3, direction: 'up' });
  const isOne = ({ id, by }: NeighborRow): boolean =>
    isOfType({ ciId: id }) || (HOSTING.test(reading.lower) && by.some((text) => RUNS_ON.test(text)));
  const found = looked.rows.filter(isOne).toSorted((a, b) => a.hops - b.hops);
  const nearest = found.filter(({ hops }) => hops === found[0]?.hops);
  const kind = type.said;
  if (nearest.length === 0) return desk.say(looked)`No ${kind} of ${ci.name} is recorded within 3 hops.`;
  desk.remember({ list: nearest.slice(0, 8).map(({ name }) => name) });
  for (const one of nearest.slice(0, 4)) {
    const row = one.hops === 1 ? null : await desk.find(path, { from: ci.id, to: one.id });
    const over = row === null ? '' : `, through ${namesOf(row.nodes.slice(1, -1))}`;
    desk.say(row === null ? one : [one, row])`${capital(kind)} of ${ci.name}: ${one.name}${over}.`;
  }
  // `what else sits on its redis`: the other users of it.
  const isOfOthers = /\b(?:(?:what|who) else|(?:which|what) other)\b/.test(reading.shape);
  for (const { id, name, type: of } of isOfOthers ? nearest.slice(0, 3) : []) {
    const one = { ...ciThing({ id, name, type: of }), said: name };
    await tellNeighbours(desk, one, 'down', false);
  }
  const open = await desk.look(events, { ci: idsOf(await withHosts(asking, [{ ...type, cis: nearest }])) });
  if (open.rows.length > 0) tellEvents(desk, open, open.rows, { most: 3 });
  else desk.say(open)`No event is open on ${nearest.length === 1 ? 'it or its hosts' : 'them or their hosts'}.`;
}
const RUNS_ON = / (?:runs_on|hosted_on) /;

const NEEDED = { hops: 8, direction: 'up', limit: 400 } as const;
const MOST_WEIGHED = 400;
const AT_ONCE = 20;
const OUTSIDE = /§.{0,40}\boutside(?: of)? (?:the )?§/;

/** The outage of each: services fail whole, other things where one of their CIs fails. */
async function outages({ asking }: Desk, ids: readonly string[], chosen: readonly Thing[]) {
  const { ports, tenant } = asking;
  const outageOf = async (id: string) => {
    const { impacted } = await ports.graph.impact(tenant, [id], { limit: 1_000 });
    const failed = new Set([id, ...impacted.map(({ ci }) => ci)]);
    const whole = (await servicesHit(asking, failed)).filter((one) => one.impact === 'full_outage');
    const out = new Set(whole.map(({ service }) => service.id));
    const isHit = ({ kind, id: own, cis }: Thing): boolean =>
      kind === 'service' ? out.has(own ?? '') : cis.some((ci) => ci.id !== id && failed.has(ci.id));
    return { id, impacted: impacted.length, hit: chosen.filter(isHit) };
  };
  const found = [];
  for (const some of slices(ids, AT_ONCE)) found.push(...(await Promise.all(some.map(outageOf))));
  return found;
}

const REDUNDANT = /\bredundan|\bfailover|\bstandby|\bspare/;
/** `is web-1 a single point of failure`: by the CIs that depend on it. */
const ALONE =
  /^(?:and |so )?(?:is|isn't|are) (?:the )?(?:§|it|this|that) (?:\w+ ){0,2}?(?:an? |our )(?:\w+ )?(?:single point|spof)/;
/** The redundancy of one CI: others that would replace it. */
async function redundancy(desk: Desk, { cis: [ci] }: Thing): Promise<void> {
  const row = ci === undefined ? null : await desk.find(impact, { ci: ci.id });
  if (row === null) return;
  const isSaved = row.protected.length > 0 && row.services.every((one) => one.impact !== 'full_outage');
  const isAlone = ALONE.test(desk.reading.shape);
  if (row.impacted.length > 0 && (isAlone || !isSaved))
    desk.say(row)`${isAlone ? 'Yes: no' : 'No'} redundancy of ${row.name} is recorded.`;
  else if (isAlone) desk.say(row)`No: nothing fails with ${row.name} alone, as far as is recorded.`;
  else desk.say(row)`${isSaved ? 'Yes' : 'Not needed, as far as is recorded'}: nothing fails with ${row.name} alone.`;
  tellImpact(desk, row);
}

/** CIs whose loss no redundancy compensates. */
export async function spof(desk: Desk): Promise<void> {
  const { asking, reading } = desk;
  const { ports, tenant } = asking;
  const looked = await desk.look(services, {});
  const meant = reading.pointsBack && reading.things.length === 0 ? await meantThings(desk) : reading.things;
  const named = subjectsOf(meant).filter(({ kind, cis }) => kind !== 'type' && cis.length > 0);
  const [only] = named.length === 1 ? named : [];
  if (only !== undefined) desk.rememberThing(only);
  const isOfCi = ALONE.test(reading.shape) || (REDUNDANT.test(reading.shape) && reading.things.length > 0);
  if (only?.kind === 'ci' && isOfCi) return redundancy(desk, only);
  const outside = OUTSIDE.test(reading.shape) ? named.slice(1) : [];
  const chosen = named.length > 0 ? named.filter((one) => !outside.includes(one)) : looked.rows.map(serviceThing);
  if (chosen.length === 0) return desk.say(looked)`Not known: no service is defined, and the question names no system.`;
  const ids = [...new Set(idsOf(chosen))];
  const ups = await Promise.all(ids.slice(0, MOST_WEIGHED).map((id) => ports.graph.neighbourhood(tenant, id, NEEDED)));
  const needed = [...new Set([...ids, ...ups.flatMap(({ nodes }) => nodes.map(({ ci }) => ci))])];
  const isExcluded = isOnAny(outside);
  const candidates = needed.filter((ciId) => !isExcluded({ ciId })).slice(0, MOST_WEIGHED);
  const isCut = needed.length > MOST_WEIGHED || ups.some(({ nodes }) => nodes.length >= NEEDED.limit);
  const isOfOne = named.length === 1;
  const found = ups.flatMap(({ nodes }) => nodes.map((node) => [node.ci, node.hops] as const));
  const hops = new Map([...found.toSorted((a, b) => b[1] - a[1]), ...ids.map((id) => [id, 0] as const)]);
  const away = (id: string): number => (isOfOne ? (hops.get(id) ?? 0) : 0);
  const names = new Map((await ports.topology.getCis(tenant, candidates)).map((ci) => [ci.id, ci]));
  const weighed = (await outages(desk, [...names.keys()], chosen))
    .filter(({ hit }) => hit.length > 0)
    .toSorted((a, b) => b.hit.length - a.hit.length || away(a.id) - away(b.id) || b.impacted - a.impacted)
    .map(({ id, ...rest }) => ({ ci: names.get(id) as Ci, ...rest }));
  const of = named.length > 0 ? namesOf(chosen) : counted(chosen.length, 'service');
  const among = outside.length === 0 ? '' : ` outside ${namesOf(outside)}`;
  const read = isCut ? ' looked at, which are not all' : '';
  const looking = `, of ${counted(candidates.length, 'CI')}${read} that ${named.length > 0 ? 'it needs' : 'they need'}`;
  if (weighed.length === 0) return desk.say(looked)`No single point of failure of ${of} found${among}${looking}.`;
  desk.remember({ list: weighed.slice(0, 8).map(({ ci }) => ci.name) });
  const many = `${isCut ? 'At least ' : ''}${counted(weighed.length, 'CI')}`;
  const lost = `${chosen.length > 1 ? 'at least one of ' : ''}${of}${looking}${isOfOne ? ', the nearest first' : ''}`;
  desk.say(looked)`${many} without redundancy${among}, each of which takes out ${lost}:
    ${namesOf(weighed.map(({ ci }) => ci))}.`;
  for (const { ci, impacted: fallen, hit } of weighed.slice(0, 6))
    desk.say(desk.findings.ci(ci))`${ci.name}: ${counted(fallen, 'CI')} would fail with it, and ${namesOf(hit)}.`;
}

const PRESENT = /\b(?:now|currently|at the moment|(?:is|are|being) (?:\w+ )?(?:hit|hurt|suffering))\b/;
const HIT = /\b(?:downtime|hit|hurt|suffer\w*|hardest|longest)\b/;

/** Behind an incident it asks for those of that one. */
const HIT_ALONE =
  /^(?:and )?(?:which|what) (?:business )?services? (?:is|are|was|were|got) (?:also )?(?:affected|impacted|hit)[ ?]*$/;
const HIT_BY = /\b(?:hit|hurt|affect\w*|impact\w*|break|broke\w*|take|took|suffer\w*)\b/;
/** Services that the incident of the talk affects. */
async function servicesOf(desk: Desk, id: string): Promise<void> {
  const row = await inFull(desk, id);
  if (row === null) return;
  desk.remember({ incident: id });
  if (row.services.length === 0) return desk.say(row)`No service is affected by ${headline(row)}, as far as is known.`;
  desk.say(row)`By ${headline(row)}, ${desk.clock.ago(row.from)}: ${namesOf(row.services)}.`;
  tellState(desk, row);
}

/** Unhealthy business services, or the named ones. */
export async function sickServices(desk: Desk): Promise<void> {
  const { memory, reading } = desk;
  const looked = await desk.look(services, {});
  const named = reading.things.filter(({ kind }) => kind === 'service');
  const { time, lower, shape } = reading;
  const isOfIncident = OF_GROUP.test(shape) && subjectsOf(reading.things).some(({ kind }) => kind === 'ci');
  const incident = isOfIncident && HIT_BY.test(lower) ? await meantIncident(desk) : null;
  if (incident !== null) return servicesOf(desk, incident.id);
  const isOfTalk = /\b(?:it|this|that)\b/.test(shape) || (HIT_ALONE.test(lower) && !OF_ALL.includes(memory.intent));
  if (named.length === 0 && memory.incident !== undefined && isOfTalk && HIT_BY.test(lower))
    return servicesOf(desk, memory.incident);
  const isOfTime = time !== null || (HIT.test(lower) && !PRESENT.test(lower));
  if (isOfTime && named.length === 0) return hitServices(desk);
  if (isOfTime && time !== null) return duringTime(desk, named);
  if (await tellHealth(desk, named)) return;
  if (looked.rows.length === 0) return hitServices(desk);
  const sick = looked.rows.filter(isSick);
  const isOfAll =
    /\b(?:all|list|show|every)\b/.test(lower) &&
    !/degrad|down|critical|affect|impact|unhealthy|broken|sick|red/.test(lower);
  const shown = (isOfAll ? looked.rows : sick).slice(reading.nth - 1);
  const noun = counted(looked.total, 'service');
  const best = looked.rows.at(-1);
  if (best !== undefined && /\b(?:least|best|healthiest)\b/.test(lower)) {
    desk.remember({ subject: best.name, current: null });
    return desk.say(best)`Best of ${noun}: ${services.tell(best, {})}`;
  }
  const well = looked.rows.filter((one) => !isSick(one));
  if (WELL.test(lower) && sick.length > 0)
    return desk.say(looked)`${well.length} of ${noun} ${be(well.length)} healthy: ${namesOf(well) || 'none'}.`;
  if (sick.length === 0) desk.say(looked)`All ${noun} are healthy.`;
  else desk.say(looked)`${sick.length} of ${noun} ${be(sick.length)} not healthy: ${sickNames(sick)}.`;
  for (const row of shown.slice(0, 10)) desk.say(row)`${services.tell(row, {})}`;
  desk.remember({ list: shown.map(({ name }) => name).slice(0, 8) });
  if (sick.length > 0) await tellWorst(desk);
  if (/\b(?:worst|sickest|unhealthiest)\b/.test(lower) && shown[0] !== undefined)
    desk.remember({ subject: shown[0].name, current: null });
}
/** `which services are green`. */
const WELL =
  /^(?:and |so )?(?:which|what|how many|list|show)\b(?!.*\b(?:not|no)\b|.*n't\b).*\b(?:green|healthy|ok|okay|fine)\b/;
async function tellWorst(desk: Desk): Promise<void> {
  const looked = await desk.look(incidents, {});
  const row = looked.rows.find((one) => one.services.length > 0);
  if (row === undefined) return;
  desk.remember({ incident: row.id });
  await tellWeightiest(desk, row);
}
/** The root cause, or the open events where that is over. */
const tellWeightiest = async (desk: Desk, row: ToolIncidentRow) =>
  row.causeOver === null ? tellCause(desk, row) : tellRow(desk, row);

/** `is everything healthy?`: a yes or a no first. */
export async function healthy(desk: Desk): Promise<void> {
  const [health, open] = [await desk.look(services, {}), await desk.look(incidents, {})];
  const sick = health.rows.filter(isSick);
  const heavy = open.rows.filter(isSevere);
  const many = counted(health.total, 'service');
  const ill =
    sick.length === 0 ? `${many} without a problem, ` : `${sick.length} of ${many} not healthy (${namesOf(sick)}), `;
  const ofServices = health.total === 0 ? '' : ill;
  const isFine = sick.length + heavy.length === 0;
  const noun = heavy.length === 1 ? 'incident' : 'incidents';
  const number = isFine ? 'no' : heavy.length;
  desk.say([health, open])`${isFine ? 'Yes' : 'No'}: ${ofServices}${number} critical or major ${noun} open.`;
  if (health.total === 0) desk.say(health)`No service is defined, so the health of services is not known.`;
  const [worst] = heavy;
  if (worst === undefined) return;
  rememberRows(desk, heavy);
  await tellWeightiest(desk, worst);
}

/** State of a thing, its open events and their root cause. */
export async function status(desk: Desk): Promise<void> {
  const things = await meantSubjects(desk);
  const [first] = things;
  if (first === undefined) return;
  remember(desk, first);
  if (desk.reading.time !== null) return duringTime(desk, things);
  for (const thing of things.slice(0, 3)) {
    if (thing.kind === 'host') await tellHost(desk, thing);
    else if (thing.kind === 'ci') await tellCi(desk, thing);
    else await tellSeveral(desk, thing);
  }
}

/** No forecast, but the present state. */
export async function forecast(desk: Desk, what = 'nothing here forecasts'): Promise<void> {
  desk.say(await contextOf(desk))`Not known: ${what}.`;
  if (desk.reading.things.length > 0) await status(desk);
}

async function tellHost(desk: Desk, { name }: Thing): Promise<void> {
  const looked = await desk.look(events, { host: name });
  desk.say(looked)`${name} is not in the CMDB: no CI has this name, but ${counted(looked.total, 'event')} named it as
    host.`;
  tellEvents(desk, looked, looked.rows, { most: 3 });
}

async function tellOpen(desk: Desk, thing: Thing): Promise<void> {
  const ci = idsOf([thing]);
  const looked = await desk.look(events, { ci });
  const rows = looked.rows.filter(isOnAny([thing]));
  tellEvents(desk, looked, rows, { most: 5 });
  if (rows.length === 0) return;
  const found = await desk.look(incidents, ci.length === 1 ? { ci: ci[0] } : {});
  const incident = found.rows.find(({ id, events: size }) => id === rows[0]?.groupId && size > 1);
  if (incident === undefined) return;
  desk.remember({ incident: incident.id });
  const cause = namedCause(desk, incident);
  if (cause === null || ci.includes(cause.ci?.id ?? '')) return void (await tellCause(desk, incident));
  const refs = [incident, desk.ref(incident, 1)];
  desk.say(refs, 'likely')`It is part of the incident that probably began with ${headline(incident)}.`;
}

/** `what is dub3-san-01`: what it is, before how it is. */
const WHAT_IS = /\bwhat(?:'s| is| are) (?:a |an |the |this |that )?§[ ?]*$/;
async function tellCi(desk: Desk, thing: Thing): Promise<void> {
  const [ci] = thing.cis;
  const row = ci === undefined ? null : await desk.find(ciDetails, { ci: ci.id });
  if (ci === undefined || row === null) return;
  const { name, openEvents } = row;
  const isRead = !thing.isGuess || thing.said.toLowerCase() === name.toLowerCase();
  const matched = isRead ? '' : ` (matched from "${thing.said}")`;
  const is = `${name}${matched} is ${withArticle(row.type.replaceAll('_', ' '))} with status ${row.status}.`;
  const isQuiet = openEvents === 0 && (await desk.look(events, { ci: [ci.id] })).rows.length === 0;
  const down = isQuiet ? await downOf(desk, ci.id, null) : [];
  const [yes, no] = FINE.test(desk.reading.lower.replace(/^(?:so|and|ok|okay),? /, '')) ? ['Yes: ', 'No: '] : ['', ''];
  const isWhat = WHAT_IS.test(desk.reading.shape);
  if (isWhat) {
    const fields = ['site', 'location', 'description'].filter((field) => row.attributes[field] !== undefined);
    const facts = fields.map((field) => `${field} ${row.attributes[field]}`);
    desk.say(row)`${is}${facts.length === 0 ? '' : ` Recorded: ${facts.join(', ')}.`}`;
    for (const direction of ['up', 'down'] as const) await tellNeighbours(desk, thing, direction, false);
  }
  const by = Object.entries(row.openBySeverity ?? {}).map(([severity, n]) => `${n} ${severity}`);
  if (openEvents === 0) desk.say(row)`${yes}${name} has no open events${down.length > 0 ? ' itself' : ''}.`;
  else if (openEvents !== null) desk.say(row)`${no}${name} has ${counted(openEvents, 'open event')}: ${by.join(', ')}.`;
  await tellOpen(desk, thing);
  tellDown(desk, name, isQuiet ? down : await downOf(desk, ci.id, desk.next.incident ?? null));
  const lost = await desk.find(impact, { ci: ci.id });
  const verb = lost?.partnersDown.length === 1 ? 'has' : 'have';
  if (lost !== null && lost.lostToo.length > 0)
    desk.say(lost)`It is the last of its redundancy group: ${namesOf(lost.partnersDown)} ${verb} an open critical
      event.`;
  if (!isWhat) desk.say(row)`${is}`;
  if (row.services.length > 0) desk.say(row)`It belongs to ${listed(row.services)}.`;
}

async function tellSeveral(desk: Desk, thing: Thing): Promise<void> {
  const { kind, name, cis } = thing;
  const [wide = thing] = kind === 'type' ? await withHosts(desk.asking, [thing]) : [thing];
  const looked = await desk.look(events, { ci: idsOf([wide]) });
  const rows = faultsIn(looked.rows);
  const sick = [...new Set(rows.flatMap(({ place }) => place ?? []))];
  await tellHealth(desk, [thing]);
  const all = `${cis.length} ${kind === 'type' ? `CIs of type ${name}` : `CIs of ${name}`}`;
  const isFine = FINE.test(desk.reading.lower);
  const [yes, no, many] = [isFine ? 'Yes: no' : 'No', isFine ? 'No: ' : '', counted(rows.length, 'open event')];
  const hosts = wide.cis.length === cis.length ? '' : ' or their hosts';
  if (sick.length === 0) desk.say(looked)`${yes} open events on the ${all}${hosts}: ${namesOf(cis)}.`;
  else desk.say(looked)`${no}${many} on ${sick.length} of ${all}${hosts}: ${listed(sick)}.`;
  if (rows.length > 0) await tellOpen(desk, wide);
  const [only, ...others] = rows.filter(({ place }) => place === sick[0]);
  const isOne = sick.length === 1 && only !== undefined && others.every(({ ciId }) => ciId === only.ciId);
  if (sick.length > 0) desk.remember({ list: sick.slice(0, 8) });
  if (isOne && only.ciId !== null) desk.remember({ subject: only.place ?? undefined, current: only.ciId });
}

const OF_HEALTH: readonly (string | undefined)[] = ['services', 'status', 'healthy'];

/** `why` of a thing that no incident is about: how it is, and that nothing is wrong. */
export const wrongWith = async (desk: Desk): Promise<void> => {
  const { things, topic, time, ids, lower } = desk.reading;
  const isOfTalk = things.length + topic.length + ids.length === 0 && OF_HEALTH.includes(desk.memory.intent);
  const meant = isOfTalk ? await meantThings(desk) : things;
  const [worst] = meant.filter(({ kind }) => kind === 'service');
  if (worst !== undefined && time === null && /\b(?:worst|sickest|unhealthiest|lowest)\b/.test(lower))
    return tellWorstOf(desk, worst);
  const isTold = time === null && (await tellHealth(desk, meant));
  // A healthy service has no cause, unless the question is about the past.
  const isSickNow =
    isTold && (await desk.look(services, {})).rows.some((row) => isSick(row) && meant.some(({ id }) => id === row.id));
  if (isTold && !isSickNow && !/\b(?:did|was|were|had)\b/.test(lower)) return;
  const talked = things.length + topic.length + ids.length === 0 ? await talkThings(desk) : things;
  await why(desk);
  if (!isTold && time === null) await tellOneOf(desk, talked);
  if (desk.isAbstained && desk.reading.things.length > 0) await status(desk);
};
