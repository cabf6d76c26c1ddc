import { itemAt } from '#domain/assert.ts';
import { isAboutSplits } from '#domain/correlation/grouping/apply.ts';
import type { Decision, Outcome } from '#domain/correlation/records.ts';
import { PROFILES } from '#domain/correlation/settings.ts';
import type { Link, Reason } from '#domain/event/incoming.ts';
import { type Partners, partnersIn } from '#infra/event-links.ts';

/** Characters of a ULID that hold its time in ms. */
const TIME_CHARACTERS = 10;
/** Ids of one quarter of a second share a range. */
const UNIT_MS = 256;
/** Values of the time, enough until the year 2109, and of the hash: together an exact integer. */
const TIMES = 2 ** 34;
const RESTS = 2 ** 19;

/** Crockford's digits by character code; other characters get some value, too. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(String.fromCharCode(code));
  return digit === -1 ? code & 31 : digit;
});

/**
 * A number for an event id, in the order of their times, so that rows of one time share pages. Two events may have one number (a pair in
 * a thousand at 2,000 a second): compare the id, too.
 */
export function eventNumber(id: string): number {
  let time = 0;
  for (let i = 0; i < TIME_CHARACTERS; i++) time = time * 32 + DIGITS[id.charCodeAt(i) & 127]!;
  let rest = 0x811c9dc5;
  for (let i = TIME_CHARACTERS; i < id.length; i++) rest = Math.imul(rest ^ id.charCodeAt(i), 0x01000193);
  return (Math.floor(time / UNIT_MS) % TIMES) * RESTS + ((rest ^ (rest >>> 15)) >>> 13);
}

/** The common part of the reasons of a decision, stored once: strategy, reason, names of the details. */
type Shape = readonly [strategy: string, reason: string, ...names: string[]];
/** Place of the shape, score, values of the details, and the literal score where it is another. */
type PackedReason = readonly [shape: number, score: number, ...values: unknown[]];
/** Partner, reasons, and where they are not the best of the reasons': score and literal score. */
type PackedLink = readonly [string, readonly PackedReason[], ...scores: (number | null)[]];

const best = (reasons: readonly { readonly score: number }[]): number => {
  let most = Number.NEGATIVE_INFINITY;
  for (const { score } of reasons) most = Math.max(most, score);
  return most;
};

/** Newest shapes that are compared one by one before the text is made by which all are known: a decision has few. */
const COMPARED = 8;

const isOf = (shape: Shape, { strategy, reason, details }: Reason): boolean => {
  if (shape[0] !== strategy || shape[1] !== reason) return false;
  let place = 2;
  for (const name in details) if (details[name] !== undefined && shape[place++] !== name) return false;
  return place === shape.length;
};

/** Packs links as a decision stores them: without field names and repetition, which halves them. */
function packLinks(links: readonly Link[]): { shapes: Shape[]; links: PackedLink[] } {
  const shapes: Shape[] = [];
  const places = new Map<string, number>();
  const placeOf = (asked: Reason): number => {
    for (let place = shapes.length - 1; place >= Math.max(0, shapes.length - COMPARED); place--)
      if (isOf(itemAt(shapes, place), asked)) return place;
    const { strategy, reason, details } = asked;
    const shape: Shape = [strategy, reason, ...Object.keys(details).filter((name) => details[name] !== undefined)];
    const key = shape.join('\n');
    const known = places.get(key) ?? shapes.push(shape) - 1;
    places.set(key, known);
    return known;
  };
  const packReason = (packed: Reason): PackedReason => {
    const { score, literalScore, details } = packed;
    const whole: [number, number, ...unknown[]] = [placeOf(packed), score];
    for (const name in details) if (details[name] !== undefined) whole.push(details[name]);
    if (literalScore !== score) whole.push(literalScore);
    return whole;
  };
  const packLink = ({ other, score, literalScore, reasons }: Link): PackedLink => {
    const packed = reasons.map(packReason);
    if (literalScore !== score) return [other, packed, score, literalScore];
    return score === best(reasons) ? [other, packed] : [other, packed, score];
  };
  return { shapes, links: links.map(packLink) };
}

const unpackReason = ([place, score, ...values]: PackedReason, shapes: readonly Shape[]): Reason => {
  const [strategy, reason, ...names] = itemAt(shapes, place);
  const details = Object.fromEntries(names.map((name, i) => [name, values[i]]));
  const literalScore = (values[names.length] as number | undefined) ?? score;
  return { strategy, score, literalScore, reason, details };
};

const unpackLinks = (shapes: readonly Shape[], links: readonly PackedLink[]): Link[] =>
  links.map(([other, packed, stored, literal]) => {
    const reasons = packed.map((reason) => unpackReason(reason, shapes));
    const score = stored ?? best(reasons);
    return { other, score, literalScore: literal ?? score, reasons };
  });

/** Content of `decision.links`: links by shape, the accepted ones first. */
interface PackedLinks {
  readonly s: readonly Shape[];
  readonly a: readonly PackedLink[];
  /** Guards of the last links. */
  readonly r?: readonly Decision['refused'][number]['guard'][];
  /** Refused beyond them. */
  readonly b?: NonNullable<Decision['refusedBeyond']>;
  readonly cut?: Decision['cut'];
  /** Place of the profile. */
  readonly p?: number;
  readonly h?: Decision['hand'];
}

/**
 * Content of `decision.outcome`: all that a start reads, which is a tenth of the row. Empty values are left out, and 1
 * represents an arrival that joined alone.
 */
interface PackedOutcome {
  readonly f?: Outcome['founded'];
  readonly j?: 1 | Outcome['joined'];
  readonly m?: Outcome['merged'];
  readonly c?: Outcome['closed'];
  readonly h?: 1;
  readonly w?: Outcome['witnessed'];
  readonly a?: Outcome['apart'];
  readonly u?: Outcome['reunited'];
  readonly i?: Outcome['heirOf'];
}

const packJoined = ({ eventId, joined }: Outcome): 1 | Outcome['joined'] =>
  joined.length === 1 && joined[0] === eventId ? 1 : joined;

export function outcomeText(outcome: Outcome): string {
  const { founded, joined, merged, closed, manual, witnessed, apart, reunited, heirOf } = outcome;
  return JSON.stringify({
    ...(founded !== undefined && { f: founded }),
    ...(joined.length > 0 && { j: packJoined(outcome) }),
    ...(merged.length > 0 && { m: merged }),
    ...(closed.length > 0 && { c: closed }),
    ...(manual && { h: 1 }),
    ...(witnessed !== undefined && { w: witnessed }),
    ...(apart !== undefined && { a: apart }),
    ...(reunited !== undefined && { u: reunited }),
    ...(heirOf !== undefined && { i: heirOf }),
  } satisfies PackedOutcome);
}

export function linksText({ accepted, refused, refusedBeyond, cut, profile, hand }: Decision): string {
  const { shapes, links } = packLinks([...accepted, ...refused]);
  return JSON.stringify({
    s: shapes,
    a: links,
    ...(refused.length > 0 && { r: refused.map(({ guard }) => guard) }),
    ...(refusedBeyond !== undefined && { b: refusedBeyond }),
    ...(Object.keys(cut).length > 0 && { cut }),
    ...(profile !== undefined && { p: PROFILES.indexOf(profile) }),
    ...(hand !== undefined && { h: hand }),
  } satisfies PackedLinks);
}

/** The arrival, every partner, and all that are split, each once. */
const eventsOf = ({ eventId, accepted, refused, apart }: Decision): ReadonlySet<string> => {
  const events = new Set([eventId, ...(apart?.left ?? []), ...(apart?.stayed ?? [])]);
  for (const { other } of accepted) events.add(other);
  for (const { other } of refused) events.add(other);
  return events;
};

/** Pseudo event number of every decision with splits; no event has it. */
export const SPLITS = -1;

/** A decision as its rows have it: made when it is decided, it lets go of the links, which are large, before they grow old. */
export interface PackedDecision extends Partners, Pick<Decision, 'groupId'> {
  readonly outcome: string;
  readonly links: string;
  /** Numbers of the arrival and of every partner, each once. */
  readonly events: readonly number[];
}

export const packDecision = (decision: Decision): PackedDecision => {
  const marks = isAboutSplits(decision) ? [SPLITS] : [];
  const events = [...Array.from(eventsOf(decision), eventNumber), ...marks];
  const { groupId } = decision;
  const texts = { outcome: outcomeText(decision), links: linksText(decision) };
  return { ...partnersIn(decision), ...texts, groupId, events };
};

export const OUTCOME_COLUMNS = 'd.tenant, d.position, d.event, d.grp, d.outcome';
export const DECISION_COLUMNS = `${OUTCOME_COLUMNS}, d.links`;
export type OutcomeRow = readonly [
  tenant: string,
  position: number,
  event: string,
  group: string | null,
  outcome: string,
];
export type DecisionRow = readonly [...OutcomeRow, links: string];

export function toOutcome([tenant, position, eventId, groupId, text]: readonly [...OutcomeRow, ...unknown[]]): Outcome {
  const { f, j = [], m = [], c = [], h, w, a, u, i } = JSON.parse(text) as PackedOutcome;
  const joined = j === 1 ? [eventId] : j;
  const outcome = { tenant, position, eventId, groupId, joined, merged: m, closed: c, manual: h === 1 };
  return {
    ...outcome,
    ...(f !== undefined && { founded: f }),
    ...(w !== undefined && { witnessed: w }),
    ...(a !== undefined && { apart: a }),
    ...(u !== undefined && { reunited: u }),
    ...(i !== undefined && { heirOf: i }),
  };
}

export function toDecision(row: DecisionRow): Decision {
  const { s, a, r = [], b, cut = {}, p, h } = JSON.parse(row[5]) as PackedLinks;
  const links = unpackLinks(s, a);
  const accepted = links.slice(0, links.length - r.length);
  const refused = links.slice(accepted.length).map((link, i) => ({ ...link, guard: itemAt(r, i) }));
  return {
    ...toOutcome(row),
    accepted,
    refused,
    cut,
    ...(b !== undefined && { refusedBeyond: b }),
    ...(p !== undefined && { profile: itemAt(PROFILES, p) }),
    ...(h !== undefined && { hand: h }),
  };
}
