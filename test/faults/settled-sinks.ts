import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 500;
const LIMIT_MS = 120_000;

interface Shown {
  readonly name: string;
  readonly kind: string;
  readonly lag: number;
  readonly status: string;
}

const shown = async (url: string, token: string) => {
  const response = await fetch(`${url}/api/admin/pipeline`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = (await response.json()) as { data: { processors: Shown[]; dead_letters: { waiting: number } } };
  return { sinks: data.processors.filter(({ kind }) => kind === 'sink'), letters: data.dead_letters.waiting };
};

/** Waits until every sink has consumed all of its events; returns the problems then. */
export const settledSinks = async (url: string, token: string): Promise<string[]> => {
  const isOver = performance.now() + LIMIT_MS;
  for (;;) {
    const { sinks, letters } = await shown(url, token);
    const behind = sinks.filter(({ lag, status }) => lag > 0 || status !== 'running');
    if (behind.length === 0) return letters === 0 ? [] : [`${letters} dead letters wait`];
    if (performance.now() > isOver)
      return behind.map(({ name, lag, status }) => `sink ${name}: ${lag} records behind, ${status}`);
    await sleep(LOOK_MS);
  }
};
