/** What threads worked for, from the profiles that `--cpu-prof` writes, one for each thread. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  /** µs of the clock that never steps. */
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The outermost frame that one of them fits says what a sample was for. */
const WORK: readonly (readonly [RegExp, string])[] = [
  [/\/features\/([\w-]+)\//, 'feature: $1'],
  [/\/application\/live\//, 'live changes'],
  [/\/application\/groups\/|\/infra\/embedded\/summaries\/|\/infra\/embedded\/facets\//, 'group rows and counts'],
  [/\/infra\/embedded\/search\//, 'feature: search'],
  [/\/infra\/embedded\/sinks\//, 'outbox'],
  [/\/processors\/(dedup|enrich|correlate|merge)/, '$1'],
  [/\/infra\/metrics\//, 'metrics'],
];
/** The same where no frame fits one of those. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/\/infra\/embedded\/runner\//, 'runner'],
  [/\/infra\/embedded\/(?:redo-log|sqlite|records|events|correlation)\//, 'journal and tables'],
  [/\/application\/events\/|\/domain\/event\//, 'receiving'],
  [/\/api\/|\/node_modules\/|node:(?:_http|net|internal\/(?:http|streams?))/, 'HTTP'],
];
const IDLE = '(idle)';

const nameBy = (kinds: typeof WORK, url: string): string | null => {
  for (const [pattern, name] of kinds) {
    const found = pattern.exec(url);
    if (found !== null) return name.replace('$1', found[1] ?? '');
  }
  return null;
};

const threadOf = ({ nodes }: Profile): string => {
  for (const { callFrame } of nodes) {
    const name = /\/([\w-]+)-thread\.ts$/.exec(callFrame.url)?.[1];
    if (name !== undefined && name !== 'start') return name;
  }
  return 'MainThread';
};

/** Each node with what it and those around it are for. */
const labelsOf = ({ nodes }: Profile): ReadonlyMap<number, string> => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const labels = new Map<number, string>();
  const walk = (id: number, work: string | null, place: string | null): void => {
    const { callFrame, children = [] } = byId.get(id)!;
    const ownWork = work ?? nameBy(WORK, callFrame.url);
    const ownPlace = place ?? nameBy(PLACES, callFrame.url);
    const name = callFrame.functionName;
    const bare = name === '(garbage collector)' || name === IDLE || name === '(program)' ? name : 'other';
    labels.set(id, ownWork ?? ownPlace ?? bare);
    for (const child of children) walk(child, ownWork, ownPlace);
  };
  const inside = new Set(nodes.flatMap(({ children = [] }) => children));
  for (const { id } of nodes) if (!inside.has(id)) walk(id, null, null);
  return labels;
};

export interface Span {
  /** µs of the clock that never steps, as `process.hrtime` counts. */
  readonly from: number;
  readonly to: number;
}

/** Of each span: by thread the share of each kind of its work. A profile counts time that a thread waits for a processor, so the times themselves say little. */
export const sharesOf = (folder: string, spans: readonly Span[]): ReadonlyMap<string, Map<string, number>>[] => {
  const found = spans.map(() => new Map<string, Map<string, number>>());
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile;
    const labels = labelsOf(profile);
    const thread = threadOf(profile);
    let at = profile.startTime;
    for (const [n, sample] of profile.samples.entries()) {
      const took = profile.timeDeltas[n]!;
      at += took;
      const place = spans.findIndex(({ from, to }) => at >= from && at < to);
      const label = labels.get(sample)!;
      if (place === -1 || label === IDLE) continue;
      const times = found[place]!.get(thread) ?? new Map<string, number>();
      found[place]!.set(thread, times.set(label, (times.get(label) ?? 0) + took));
    }
  }
  for (const threads of found)
    for (const times of threads.values()) {
      const sum = [...times.values()].reduce((a, b) => a + b, 0);
      for (const [label, took] of times) times.set(label, took / sum);
    }
  return found;
};
