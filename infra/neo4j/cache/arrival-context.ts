/** The topology around CIs, answered from memory as far as it is there; kept true by asking for what has changed. */
import type { Clock } from '#domain/ports/clock.ts';
import { around } from '#domain/topology/graph/arrival-topology.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { readTenant } from '#infra/neo4j/client/read.ts';
import { type Atlas, doubt, emptyAtlas, missingAround, weightOf } from './graph-cache.ts';
import { touchedSince } from './load-cis.ts';
import { openDrawing } from './loader.ts';

/** After so long an unannounced change is looked for. */
const MAX_AGE_MS = 60_000;
/** Events are rarely older; what lies further back is read for each of them. */
const PAST_MS = 2 * 3_600_000;
/** Nodes and edges of all tenants together, about 100 MB. */
const MAX_WEIGHT = 1_000_000;
/** When more CIs have changed it is cheaper to begin anew. */
const MAX_TOUCHED = 5_000;
const MAX_DOUBTS = 10;
/** Changes may come faster than the store answers; an answer that is one round trip old will do then. */
const MAX_CHECKS = 10;

interface Sheet {
  atlas: Atlas;
  /** Of the tenant's topology; what changed after it is doubted. */
  version: number;
  cis: number;
  checkedAt: number;
  /** Somebody said that something has changed. */
  stale: boolean;
  checking: Promise<void> | null;
}

export interface Surroundings {
  /** As `TopologyStore.around`. */
  around(tenant: string, ciId: string, asOf: number): Promise<ArrivalTopology | null>;
  /** Before the next answer it is looked what has changed: in one tenant, or in all. */
  invalidate(tenant: string | null): void;
}

export function openSurroundings(read: Run, clock: Clock): Surroundings {
  /** Least recently used first. */
  const sheets = new Map<string, Sheet>();
  const draw = openDrawing(read);
  const newAtlas = (): Atlas => emptyAtlas(clock.now() - PAST_MS);

  const sheetOf = (tenant: string): Sheet => {
    const fresh = { version: 0, cis: 0, checkedAt: -Infinity, stale: true, checking: null };
    const sheet = sheets.get(tenant) ?? { atlas: newAtlas(), ...fresh };
    sheets.delete(tenant);
    sheets.set(tenant, sheet);
    return sheet;
  };

  const makeRoom = (): void => {
    let weight = 0;
    for (const { atlas } of sheets.values()) weight += weightOf(atlas);
    for (const [tenant, { atlas }] of sheets) {
      if (weight <= MAX_WEIGHT) return;
      weight -= weightOf(atlas);
      sheets.delete(tenant);
    }
  };

  const check = async (tenant: string, sheet: Sheet): Promise<void> => {
    sheet.stale = false;
    try {
      const { version, cis } = await readTenant(read, tenant);
      if (version !== sheet.version) await catchUp(tenant, sheet, version);
      sheet.cis = cis;
      sheet.checkedAt = clock.now();
    } catch (error) {
      sheet.stale = true;
      throw error;
    }
  };

  const catchUp = async (tenant: string, sheet: Sheet, version: number): Promise<void> => {
    const isEmpty = sheet.atlas.graph.ids.length === 0;
    const touched = isEmpty ? [] : await touchedSince(read, tenant, sheet.version, MAX_TOUCHED + 1);
    if (touched.length > MAX_TOUCHED || version < sheet.version) sheet.atlas = newAtlas();
    else doubt(sheet.atlas, touched);
    sheet.version = version;
  };

  /** While it is looked what has changed, nothing is known to be true. */
  const isOld = (sheet: Sheet): boolean =>
    sheet.stale || sheet.checking !== null || clock.now() - sheet.checkedAt > MAX_AGE_MS;

  const checked = async (tenant: string): Promise<Sheet> => {
    const sheet = sheetOf(tenant);
    for (let checks = 0; isOld(sheet) && checks < MAX_CHECKS; checks++) {
      sheet.checking ??= check(tenant, sheet).finally(() => {
        sheet.checking = null;
      });
      await sheet.checking;
    }
    if (clock.now() - sheet.atlas.floor > 2 * PAST_MS) sheet.atlas = newAtlas();
    return sheet;
  };

  const answer = ({ graph }: Atlas, node: number, at: number, all: number): ArrivalTopology | null =>
    at >= (graph.ended.get(node) ?? Infinity) ? null : around(graph, node, at, all, { from: -Infinity, to: Infinity });

  /** Reads until nothing is missing. What was read while a change came in is doubted at once, unless changes do not cease. */
  const survey = async (tenant: string, sheet: Pick<Sheet, 'atlas' | 'version' | 'cis'>, ciId: string, at: number) => {
    for (let reads = 1; ; reads++) {
      const { atlas, version } = sheet;
      const node = atlas.graph.nodes.get(ciId);
      const missing = node === undefined ? [ciId] : missingAround(atlas, node, at);
      if (node !== undefined && missing.length === 0) return answer(atlas, node, at, sheet.cis);
      const found = await draw(tenant, atlas, missing);
      if (!missing.some((id) => found.has(id))) return null;
      if (sheet.version !== version && reads < MAX_DOUBTS) doubt(atlas, missing);
    }
  };

  return {
    async around(tenant, ciId, asOf) {
      const sheet = await checked(tenant);
      const isPast = asOf < sheet.atlas.floor;
      const found = await survey(tenant, isPast ? { ...sheet, atlas: emptyAtlas(asOf) } : sheet, ciId, asOf);
      makeRoom();
      return found;
    },
    invalidate(tenant) {
      for (const sheet of tenant === null ? sheets.values() : [sheets.get(tenant)])
        if (sheet !== undefined) sheet.stale = true;
    },
  };
}
