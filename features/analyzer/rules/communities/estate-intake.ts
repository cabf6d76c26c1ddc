/** Takes in the rows of an estate as they are read, and says what of them is to be kept: an estate is read once. */

import type { EstateCiRow, EstateLinkRow } from '#domain/topology/estate-rows.ts';
import type { Network } from '#features/discovery/rules/network.ts';
import type { EstateLink, SeenProcess } from './estate.ts';
import type { EstatePart } from './estate-steps.ts';

/** Observations of scanners about a CI. */
export type NetworkRow = readonly [ci: string, network: Pick<Network, 'connections' | 'listeners'>];

/** Lists in the order in which they are read. */
interface EstateRows {
  readonly cis: readonly EstateCiRow[];
  readonly links: readonly EstateLinkRow[];
  readonly networks: readonly NetworkRow[];
}
export type EstateList = keyof EstateRows;
export type SomeRows = { readonly [L in EstateList]: { readonly list: L; readonly rows: EstateRows[L] } }[EstateList];

/** As it is kept. Ends are places in the list of CIs. */
type KeptLink = readonly [source: number, target: number, type: string, port: number | null];
type KeptProcesses = readonly [ci: number, processes: readonly SeenProcess[]];
type Kept = EstateCiRow | KeptLink | KeptProcesses;

/** Rows that were taken in. */
export interface TakenIn {
  /** To be kept, for `again`. */
  readonly text: string;
  /** CIs, links or connections. */
  readonly count: number;
  readonly rows: number;
  /** CIs up to the last one of what scanners saw; 0 for other lists. */
  readonly reached: number;
}

export interface EstateIntake {
  take(rows: SomeRows): TakenIn;
  /** Takes in what an earlier intake has said of rows of the list. */
  again(list: EstateList, text: string): void;
}

const MOST_PROCESSES = 20;
const linkOf = ([source, target, type, port]: KeptLink): EstateLink => ({ source, target, type, port });
const isLink = (one: KeptLink | KeptProcesses): one is KeptLink => one.length === 4;

/** `add` gets the estate, part by part. */
export function estateIntake(add: (part: EstatePart) => void): EstateIntake {
  const byId = new Map<string, number>();
  /** Null: several CIs have it. */
  const byAddress = new Map<string, number | null>();

  function addCis(cis: readonly EstateCiRow[]): void {
    for (const [id, , , addresses] of cis) {
      const place = byId.size;
      byId.set(id, place);
      for (const address of addresses) byAddress.set(address, byAddress.has(address) ? null : place);
    }
    add({ cis: cis.map(([id, name, type]) => ({ id, name, type })) });
  }
  function addSeen(seen: readonly (KeptLink | KeptProcesses)[]): void {
    const processes = seen.filter((one): one is KeptProcesses => !isLink(one));
    add({ links: seen.filter(isLink).map(linkOf), processes });
  }

  function linksOf(rows: EstateRows['links']): KeptLink[] {
    return rows.flatMap(([source, target, type, port]): KeptLink[] => {
      const [from, to] = [byId.get(source), byId.get(target)];
      return from === undefined || to === undefined ? [] : [[from, to, type, port]];
    });
  }
  function connectionsOf(ci: number, { connections }: NetworkRow[1]): KeptLink[] {
    return connections.flatMap(({ targetIp, ports }): KeptLink[] => {
      const target = byAddress.get(targetIp) ?? null;
      if (target === null || target === ci) return [];
      return (ports.length === 0 ? [null] : ports).map((port) => [ci, target, 'connection', port]);
    });
  }
  function seenOf([id, network]: NetworkRow): (KeptLink | KeptProcesses)[] {
    const ci = byId.get(id);
    if (ci === undefined) return [];
    const processes = network.listeners.slice(0, MOST_PROCESSES).map(({ name, port }) => ({ name, port }));
    return [...connectionsOf(ci, network), ...(processes.length === 0 ? [] : [[ci, processes] as const])];
  }

  const taken = (kept: readonly Kept[], { rows }: SomeRows, count = kept.length, reached = 0): TakenIn => ({
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
      // Rows come in the order of ids, which is about that in which CIs were made.
      const places = given.rows.map(([id]) => (byId.get(id) ?? -1) + 1);
      return taken(all, given, all.filter(isLink).length, Math.max(0, ...places));
    },
    again(list, text) {
      const kept = JSON.parse(text) as unknown;
      if (list === 'cis') addCis(kept as EstateRows['cis']);
      else addSeen(kept as (KeptLink | KeptProcesses)[]);
    },
  };
}
