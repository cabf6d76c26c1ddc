import type { SimulatedGroup } from '#domain/correlation/on-demand/simulation.ts';

/** Totals of groups. */
export interface GroupCounts {
  readonly groups: number;
  /** Events in a group. */
  readonly grouped: number;
  /** Events of the largest. */
  readonly largest: number;
  /** Number of ungrouped events. */
  readonly noise: number;
}

export const CHANGE_KINDS = ['split', 'merged', 'new', 'gone'] as const;

/** Change of one group; the other side has groups with a part of it. */
export interface GroupDifference {
  readonly kind: (typeof CHANGE_KINDS)[number];
  readonly before: readonly SimulatedGroup[];
  readonly after: readonly SimulatedGroup[];
  /** Events that are together with others than before. */
  readonly moved: number;
}

const groupOfMember = (groups: readonly SimulatedGroup[]): ReadonlyMap<string, SimulatedGroup> =>
  new Map(groups.flatMap((group) => group.members.map((id) => [id, group] as const)));

/** `events`: all, in a group or not. */
export const countGroups = (groups: readonly SimulatedGroup[], events: Iterable<string>): GroupCounts => {
  const of = groupOfMember(groups);
  let [largest, noise] = [0, 0];
  for (const { members } of groups) largest = Math.max(largest, members.length);
  for (const id of events) if (!of.has(id)) noise += 1;
  return { groups: groups.length, grouped: of.size, largest, noise };
};

/** The groups of the other side that hold members of this one, with how many; the largest part first. */
const partsOf = (
  { members }: SimulatedGroup,
  other: ReadonlyMap<string, SimulatedGroup>,
): [SimulatedGroup, number][] => {
  const parts = new Map<SimulatedGroup, number>();
  for (const id of members) {
    const group = other.get(id);
    if (group !== undefined) parts.set(group, (parts.get(group) ?? 0) + 1);
  }
  return [...parts].sort((a, b) => b[1] - a[1] || (a[0].group.id < b[0].group.id ? -1 : 1));
};

const groupsOf = (parts: readonly [SimulatedGroup, number][]): SimulatedGroup[] => parts.map(([group]) => group);

/**
 * Returns every changed group, the largest differences first. An earlier group is split, or gone when none of it is in
 * a group; a later one is merged, or new when none was.
 */
export function differencesOf(before: readonly SimulatedGroup[], after: readonly SimulatedGroup[]): GroupDifference[] {
  const [ofBefore, ofAfter] = [groupOfMember(before), groupOfMember(after)];
  const found: GroupDifference[] = [];
  for (const group of before) {
    const parts = partsOf(group, ofAfter);
    const moved = group.members.length - (parts[0]?.[1] ?? 0);
    if (moved > 0)
      found.push({ kind: parts.length === 0 ? 'gone' : 'split', before: [group], after: groupsOf(parts), moved });
  }
  for (const group of after) {
    const parts = partsOf(group, ofBefore);
    const moved = group.members.length - (parts[0]?.[1] ?? 0);
    if (moved > 0)
      found.push({ kind: parts.length === 0 ? 'new' : 'merged', before: groupsOf(parts), after: [group], moved });
  }
  return found.sort((a, b) => b.moved - a.moved);
}
