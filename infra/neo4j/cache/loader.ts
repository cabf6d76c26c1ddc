/** Surveys that lack relationships at the same time have them read together: a burst of events is about neighbours of each other. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Run } from '#infra/neo4j/client/client.ts';
import { type Atlas, drawAll } from './graph-cache.ts';
import { drawnCis } from './load-cis.ts';

/** Puts CIs on an atlas with all their relationships; resolves to those of all that were asked for together that exist. */
export type Draw = (tenant: string, atlas: Atlas, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** CIs of one query. */
const TOGETHER = 1_000;

interface Reading {
  readonly ids: Set<string>;
  readonly found: Promise<ReadonlySet<string>>;
}

const readAll = async (read: Run, tenant: string, atlas: Atlas, ids: readonly string[]): Promise<Set<string>> => {
  const found = new Set<string>();
  for (let from = 0; from < ids.length; from += TOGETHER) {
    const drawn = await drawnCis(read, tenant, ids.slice(from, from + TOGETHER), atlas.floor);
    drawAll(atlas, drawn);
    for (const { id } of drawn) found.add(id);
  }
  return found;
};

/** One reading of an atlas at a time; what is asked for meanwhile shares the next. */
export const openDrawing = (read: Run): Draw => {
  const next = new WeakMap<Atlas, Reading>();
  const last = new WeakMap<Atlas, Promise<unknown>>();

  const begin = async (tenant: string, atlas: Atlas, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> => {
    await last.get(atlas);
    // What is asked for in the same turn is read together.
    await turn();
    next.delete(atlas);
    const reading = readAll(read, tenant, atlas, [...ids]);
    last.set(
      atlas,
      reading.catch(() => undefined),
    );
    return reading;
  };

  return (tenant, atlas, ids) => {
    let reading = next.get(atlas);
    if (reading === undefined) {
      const wanted = new Set<string>();
      reading = { ids: wanted, found: begin(tenant, atlas, wanted) };
      next.set(atlas, reading);
    }
    for (const id of ids) reading.ids.add(id);
    return reading.found;
  };
};
