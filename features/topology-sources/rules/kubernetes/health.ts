/** The state of pods and nodes, as far as problems begin or end with it. Times are epoch ms. */
import type { FamilyName } from './problems.ts';
import { listOf, textOf, timeOf } from './raw.ts';

/** A problem that the object itself reports. */
export interface HealthProblem {
  readonly family: FamilyName;
  readonly since: number;
  readonly message: string;
  /** Container; empty: the object. */
  readonly container: string;
}
export interface ObjectHealth {
  /** Null while it is not ready. */
  readonly readySince: number | null;
  /** The pod has ended. */
  readonly isOver: boolean;
  readonly problems: readonly HealthProblem[];
}

const NODE_CONDITIONS: ReadonlyMap<string, FamilyName> = new Map([
  ['DiskPressure', 'node_disk'],
  ['MemoryPressure', 'node_memory'],
  ['PIDPressure', 'node_pids'],
  ['NetworkUnavailable', 'node_network'],
  ['KernelDeadlock', 'node_kernel'],
  ['ReadonlyFilesystem', 'node_files'],
]);

const readySince = (object: unknown): number | null => {
  const ready = listOf(object, 'status', 'conditions').find((one) => textOf(one, 'type') === 'Ready');
  return textOf(ready, 'status') === 'True' ? timeOf(ready, 'lastTransitionTime') : null;
};

export function nodeHealth(node: unknown): ObjectHealth {
  const problems = listOf(node, 'status', 'conditions').flatMap((one): HealthProblem[] => {
    const [type, status] = [textOf(one, 'type'), textOf(one, 'status')];
    const family = type === 'Ready' ? 'node_ready' : NODE_CONDITIONS.get(type);
    const isBad = type === 'Ready' ? status !== 'True' : status === 'True';
    if (family === undefined || !isBad) return [];
    const message = textOf(one, 'message') || textOf(one, 'reason');
    return [{ family, since: timeOf(one, 'lastTransitionTime'), message, container: '' }];
  });
  return { readySince: readySince(node), isOver: false, problems };
}

/** Kubernetes reports containers killed by their own memory limit in the state of the pod only. */
export function podHealth(pod: unknown): ObjectHealth {
  const phase = textOf(pod, 'status', 'phase');
  const problems = listOf(pod, 'status', 'containerStatuses').flatMap((one): HealthProblem[] =>
    ['state', 'lastState'].flatMap((state): HealthProblem[] => {
      const path = [state, 'terminated'] as const;
      if (textOf(one, ...path, 'reason') !== 'OOMKilled') return [];
      const container = textOf(one, 'name');
      const message = `Container ${container} was killed because it exceeded its memory limit`;
      return [{ family: 'oom', since: timeOf(one, ...path, 'finishedAt'), message, container }];
    }),
  );
  return { readySince: readySince(pod), isOver: phase === 'Succeeded' || phase === 'Failed', problems };
}
