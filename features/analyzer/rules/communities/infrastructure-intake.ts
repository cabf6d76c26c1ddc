/** Receives the rows of an environment as they are read, and returns the parts to store: an environment is read once. */

import type { InfrastructureCiRow, InfrastructureLinkRow } from '#domain/topology/infrastructure-rows.ts';
import type { Network } from '#features/discovery/rules/network.ts';
import type { InfrastructureLink, SeenProcess } from './infrastructure.ts';
import type { InfrastructurePart } from './infrastructure-steps.ts';

/** Observations of scanners about a CI. */
export type NetworkRow = readonly [ci: string, network: Pick<Network, 'connections' | 'listeners'>];

/** Lists in the order in which they are read. */
interface InfrastructureRows {
  readonly cis: readonly InfrastructureCiRow[];
  readonly links: readonly InfrastructureLinkRow[];
  readonly networks: readonly NetworkRow[];
}
export type InfrastructureList = keyof InfrastructureRows;
export type SomeRows = {
  readonly [L in InfrastructureList]: { readonly list: L; readonly rows: InfrastructureRows[L] };
}[InfrastructureList];

/** Stored form; ends are places in the list of CIs. */
type IntakeLink = readonly [source: number, target: number, type: string, port: number | null];
type IntakeProcesses = readonly [ci: number, processes: readonly SeenProcess[]];
type IntakeRow = InfrastructureCiRow | IntakeLink | IntakeProcesses;

/** Result of the received rows. */
export interface TakenIn {
  /** Text to store, for `again`. */
  readonly text: string;
  /** CIs, links or connections. */
  readonly count: number;
  readonly rows: number;
  /** Position of the last CI with scan data; 0 for other lists. */
  readonly reached: number;
}

export interface InfrastructureIntake {
  take(rows: SomeRows): TakenIn;
  /** Restores the rows of the list from the text of an earlier intake. */
  again(list: InfrastructureList, text: string): void;
}

const MAX_PROCESSES = 20;
const linkOf = ([source, target, type, port]: IntakeLink): InfrastructureLink => ({ source, target, type, port });
const isLink = (one: IntakeLink | IntakeProcesses): one is IntakeLink => one.length === 4;

/** `add` gets the estate, part by part. */
export function infrastructureIntake(add: (part: InfrastructurePart) => void): InfrastructureIntake {
  const byId = new Map<string, number>();
  /** Null: several CIs have it. */
  const byAddress = new Map<string, number | null>();

  function addCis(cis: readonly InfrastructureCiRow[]): void {
    for (const [id, , , addresses] of cis) {
      const place = byId.size;
      byId.set(id, place);
      for (const address of addresses) byAddress.set(address, byAddress.has(address) ? null : place);
    }
    add({ cis: cis.map(([id, name, type]) => ({ id, name, type })) });
  }
  function addSeen(seen: readonly (IntakeLink | IntakeProcesses)[]): void {
    const processes = seen.filter((one): one is IntakeProcesses => !isLink(one));
    add({ links: seen.filter(isLink).map(linkOf), processes });
  }

  function linksOf(rows: InfrastructureRows['links']): IntakeLink[] {
    return rows.flatMap(([source, target, type, port]): IntakeLink[] => {
      const [from, to] = [byId.get(source), byId.get(target)];
      return from === undefined || to === undefined ? [] : [[from, to, type, port]];
    });
  }
  function connectionsOf(ci: number, { connections }: NetworkRow[1]): IntakeLink[] {
    return connections.flatMap(({ targetIp, ports }): IntakeLink[] => {
      const target = byAddress.get(targetIp) ?? null;
      if (target === null || target === ci) return [];
      return (ports.length === 0 ? [null] : ports).map((port) => [ci, target, 'connection', port]);
    });
  }
  function seenOf([id, network]: NetworkRow): (IntakeLink | IntakeProcesses)[] {
    const ci = byId.get(id);
    if (ci === undefined) return [];
    const processes = network.listeners.slice(0, MAX_PROCESSES).map(({ name, port }) => ({ name, port }));
    return [...connectionsOf(ci, network), ...(processes.length === 0 ? [] : [[ci, processes] as const])];
  }

  const taken = (kept: readonly IntakeRow[], { rows }: SomeRows, count = kept.length, reached = 0): TakenIn => ({
    text: JSON.stringify(kept),
    count,
    rows: rows.length,
    reached,
  });
  return {
    take(given) {
      if (given.list === 'cis') {
        addCis(given.rows);
        return taken(given.rows, given);
      }
      if (given.list === 'links') {
        const links = linksOf(given.rows);
        addSeen(links);
        return taken(links, given);
      }
      const all = given.rows.flatMap(seenOf);
      addSeen(all);
      // Rows are sorted by ID, which is about the order in which CIs were created.
      const places = given.rows.map(([id]) => (byId.get(id) ?? -1) + 1);
      return taken(all, given, all.filter(isLink).length, Math.max(0, ...places));
    },
    again(list, text) {
      const kept = JSON.parse(text) as unknown;
      if (list === 'cis') addCis(kept as InfrastructureRows['cis']);
      else addSeen(kept as (IntakeLink | IntakeProcesses)[]);
    },
  };
}
