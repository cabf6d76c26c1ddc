import {
  apply,
  flushChanges,
  type GroupChanges,
  noteChange,
  rebind,
  recordOf,
  succeed,
} from '#domain/correlation/grouping/apply.ts';
import { carriesSomething, decide } from '#domain/correlation/grouping/decide.ts';
import { openMemory, remember } from '#domain/correlation/grouping/group-memory.ts';
import type { Facts } from '#domain/correlation/grouping/groups.ts';
import { bestFirst } from '#domain/correlation/grouping/links.ts';
import type { Decision, Enriched, ResolvedSettings } from '#domain/correlation/records.ts';
import type { PlacedTransition } from '#domain/correlation/status-transitions.ts';
import type { Link } from '#domain/event/incoming.ts';
import { NO_WHOLES } from '#domain/topology/near.ts';
import { factsOfDemand, linksAsked, partAgain, reopenAll } from './by-hand.ts';
import { admitAll, linksIn, openWindows, turnAll } from './relate.ts';
import type { SimulatedGroup } from './simulation.ts';

/** A record as it is stored, with all ends and returns of its event. */
export interface PastRecord {
  readonly record: Enriched;
  readonly turns: readonly PlacedTransition[];
}

/** The pipeline's own course over stored records, as if it had had other settings; writes nothing. Feed it in order of position. */
export interface Replay {
  take(past: PastRecord): void;
  /** Adds links by a user or on demand, at a position of their own. */
  takeDemanded(decision: Decision): void;
  /** Returns the current groups, largest first. */
  groups(): SimulatedGroup[];
}

/** Returns the settings for a record. */
export type SettingsOf = (record: Enriched) => ResolvedSettings;

/** The pipeline chooses causes once per batch; this interval is enough here. */
const PER_BATCH = 200;

/** An event that was over before it arrived is late regardless of the lateness. */
const isLate = (
  { arrival: { time }, late, settings: { latenessMs: before } }: Enriched,
  latenessMs: number,
  watermark: number,
): boolean => time < watermark - latenessMs || (late && time >= watermark - before);

export const openReplay = (settingsOf: SettingsOf): Replay => {
  const windows = openWindows();
  const memory = openMemory();
  const changes: GroupChanges = new Map();
  /** The newest facts of each event. */
  const facts = new Map<string, Facts>();
  const touched = new Set<Parameters<typeof recordOf>[0]>();
  let watermark = Number.NEGATIVE_INFINITY;
  let decided = 0;

  const settle = (): void => flushChanges(changes, (group) => touched.add(group));

  const decideOne = (asking: Facts, links: readonly Link[], demanded: boolean, manual: boolean): void => {
    const { position } = asking.arrival;
    const decision = decide(memory, { position, facts: asking, links, cut: {}, demanded, manual });
    if (carriesSomething(decision, asking))
      for (const change of apply(memory, decision, asking)) noteChange(changes, change);
    else rebind(memory, remember(memory, asking), asking);
    succeed(memory, asking);
    decided += 1;
    if (decided % PER_BATCH === 0) settle();
  };

  return {
    take({ record, turns }) {
      const { arrival, upstream, wholes = NO_WHOLES, rates } = record;
      const settings = settingsOf(record);
      const late = isLate(record, settings.latenessMs, watermark);
      watermark = Math.max(watermark, arrival.time);
      const known: Facts = { arrival, upstream, wholes, settings, turns, quiet: rates.quiet };
      facts.set(arrival.eventId, known);
      remember(memory, known);
      if (late) {
        // Strategies ignore it; that a member of a group has found its CI counts all the same.
        if (arrival.rebound) decideOne(known, [], false, false);
        return;
      }
      turnAll(windows, turns);
      const links = linksIn(windows, { ...record, settings, late }, settings.threshold);
      admitAll(windows, arrival);
      decideOne(known, links, false, false);
    },
    takeDemanded(decision) {
      const { tenant, eventId, position, manual, apart } = decision;
      const stored = facts.get(eventId);
      if (stored === undefined) return;
      const asking = factsOfDemand(stored, position);
      if (apart !== undefined) {
        for (const change of partAgain(memory, { ...decision, apart }, asking)) noteChange(changes, change);
        return;
      }
      const links = linksAsked(memory, decision);
      if (manual) reopenAll(memory, tenant, [eventId, ...links.map(({ other }) => other)]);
      decideOne(asking, links.sort(bestFirst), true, manual);
    },
    groups() {
      settle();
      const standing: SimulatedGroup[] = [];
      for (const open of touched) {
        if (open.status === 'merged') continue;
        const members = [...open.members.keys()].filter((id) => !open.superseded.has(id));
        if (members.length > 0) standing.push({ group: recordOf(open), members });
      }
      return standing.sort((a, b) => b.members.length - a.members.length || (a.group.id < b.group.id ? -1 : 1));
    },
  };
};
