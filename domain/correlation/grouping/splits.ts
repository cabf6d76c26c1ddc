import { entryOf } from '#domain/assert.ts';
import type { Decision, ManualMerge, ManualSplit } from '#domain/correlation/records.ts';

/** Names of events in the splits of one tenant; beyond them the oldest splits are forgotten. */
const MAX_NAMED = 100_000;

interface Split {
  readonly id: string;
  readonly from: string;
  readonly left: Set<string>;
  readonly stayed: ReadonlySet<string>;
  /** Pairs that are no longer split. */
  readonly reunited: { readonly left: ReadonlySet<string>; readonly stayed: ReadonlySet<string> }[];
}

/** Manual splits of one tenant. */
export interface Splits {
  readonly byId: Map<string, Split>;
  readonly byEvent: Map<string, Set<string>>;
  named: number;
}

/** Some events, or a group. */
export type Holds = (eventId: string) => boolean;

export const openSplits = (): Splits => ({ byId: new Map(), byEvent: new Map(), named: 0 });

const NONE: ReadonlySet<string> = new Set();
/** Ids of the splits that name the event. */
export const splitsOf = (splits: Splits | undefined, eventId: string): ReadonlySet<string> =>
  splits?.byEvent.get(eventId) ?? NONE;

const name = ({ byEvent }: Splits, eventId: string, id: string): void => {
  const known = byEvent.get(eventId);
  if (known === undefined) byEvent.set(eventId, new Set([id]));
  else known.add(id);
};

const forgetOldest = (splits: Splits): void => {
  const [oldest] = splits.byId.values();
  if (oldest === undefined) return;
  splits.byId.delete(oldest.id);
  for (const eventId of [...oldest.left, ...oldest.stayed]) {
    const known = splits.byEvent.get(eventId);
    known?.delete(oldest.id);
    if (known?.size === 0) splits.byEvent.delete(eventId);
    splits.named -= 1;
  }
};

const part = (splits: Splits, { id, from, left, stayed }: ManualSplit): void => {
  if (splits.byId.has(id)) return;
  splits.byId.set(id, { id, from, left: new Set(left), stayed: new Set(stayed), reunited: [] });
  for (const eventId of [...left, ...stayed]) name(splits, eventId, id);
  splits.named += left.length + stayed.length;
  while (splits.named > MAX_NAMED && splits.byId.size > 1) forgetOldest(splits);
};

/** An event that supersedes another is on the same side. */
const inherit = (splits: Splits, heir: string, of: string): void => {
  for (const id of splitsOf(splits, of)) {
    const { left, stayed } = entryOf(splits.byId, id);
    const side = (left.has(of) ? left : stayed) as Set<string>;
    if (side.has(heir)) continue;
    side.add(heir);
    name(splits, heir, id);
    splits.named += 1;
  }
};

/** Stores the splits of a decision. */
export const noteSplits = (
  splits: Splits,
  { eventId, apart, reunited = [], heirOf }: Pick<Decision, 'eventId' | 'apart' | 'reunited' | 'heirOf'>,
): void => {
  if (heirOf !== undefined) inherit(splits, eventId, heirOf);
  if (apart !== undefined) part(splits, apart);
  for (const { id, left, stayed } of reunited)
    splits.byId.get(id)?.reunited.push({ left: new Set(left), stayed: new Set(stayed) });
};

/** True if a pair with one event of each is split. Linear in the names of the split. */
const isBetween = ({ left, stayed, reunited }: Split, a: Holds, b: Holds): boolean => {
  const here = [...left].filter(a);
  const there = here.length === 0 ? [] : [...stayed].filter(b);
  if (there.length === 0) return false;
  const voids = new Map<string, Split['reunited']>();
  for (const one of here) {
    const own = reunited.filter((pairs) => pairs.left.has(one));
    voids.set(own.map((pairs) => reunited.indexOf(pairs)).join(), own);
  }
  return [...voids.values()].some((own) => there.some((other) => !own.some((pairs) => pairs.stayed.has(other))));
};

/** True if one of the splits forbids a merge of the two. */
export const areManuallySplit = (splits: Splits, ids: Iterable<string>, a: Holds, b: Holds): boolean => {
  for (const id of ids) {
    const split = splits.byId.get(id);
    if (split !== undefined && (isBetween(split, a, b) || isBetween(split, b, a))) return true;
  }
  return false;
};

/** Returns the splits that end when a user joins all that `holds`. */
export const manualMergesIn = (splits: Splits, ids: Iterable<string>, holds: Holds): ManualMerge[] => {
  const found: ManualMerge[] = [];
  for (const id of ids) {
    const split = splits.byId.get(id);
    if (split === undefined || !isBetween(split, holds, holds)) continue;
    found.push({ id, left: [...split.left].filter(holds), stayed: [...split.stayed].filter(holds) });
  }
  return found;
};

/** The seed of the id of a group that the event founds: the group that it left may have the id of the event alone. */
export const foundingName = (splits: Splits | undefined, eventId: string): string => {
  const last = [...splitsOf(splits, eventId)].findLast((id) => splits?.byId.get(id)?.left.has(eventId));
  return last === undefined ? eventId : partedName(eventId, last);
};

/** The same of one that leaves by the split. */
export const partedName = (eventId: string, splitId: string): string => `${eventId}/${splitId}`;

/** The split by which all these events left the group, under one of its names. */
export const splitBy = (splits: Splits | undefined, names: readonly string[], eventIds: readonly string[]) =>
  [...splitsOf(splits, eventIds[0] ?? '')]
    .flatMap((id) => splits?.byId.get(id) ?? [])
    .findLast(({ from, left }) => names.includes(from) && eventIds.every((id) => left.has(id)));
