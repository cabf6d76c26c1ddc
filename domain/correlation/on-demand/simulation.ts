import { apply, flushChanges, type GroupChanges, noteChange, recordOf } from '#domain/correlation/grouping/apply.ts';
import { decide } from '#domain/correlation/grouping/decide.ts';
import { forget, openMemory, remember } from '#domain/correlation/grouping/group-memory.ts';
import type { Decision, Enriched, Group } from '#domain/correlation/records.ts';
import { NO_WHOLES } from '#domain/topology/near.ts';
import { admitAll, linksIn, openWindows } from './relate.ts';

/** A group of a simulation with the ids of its members. */
export interface SimulatedGroup {
  readonly group: Group;
  readonly members: readonly string[];
}

/**
 * The pipeline's rules over stored records, without its stores: batch analysis and what-if questions. Records must be
 * added in order of position.
 */
export interface Simulation {
  take(record: Enriched): Decision;
  /** Returns the final groups, largest first. */
  finish(): SimulatedGroup[];
}

export const openSimulation = (): Simulation => {
  const windows = openWindows();
  const memory = openMemory();
  const changes: GroupChanges = new Map();
  return {
    take(record) {
      const { arrival, upstream, wholes = NO_WHOLES, settings } = record;
      const facts = { arrival, upstream, wholes, settings };
      remember(memory, facts);
      const asked = { position: arrival.position, facts, links: linksIn(windows, record), cut: {} };
      const decision = decide(memory, { ...asked, demanded: false, manual: false });
      for (const change of apply(memory, decision, facts)) noteChange(changes, change);
      admitAll(windows, arrival);
      forget(memory, facts);
      return decision;
    },
    finish() {
      const groups: SimulatedGroup[] = [];
      flushChanges(changes, (open) => {
        if (open.status === 'merged') return;
        const members = [...open.members.keys()].filter((id) => !open.superseded.has(id));
        groups.push({ group: recordOf(open), members });
      });
      return groups.sort((a, b) => b.members.length - a.members.length || (a.group.id < b.group.id ? -1 : 1));
    },
  };
};
