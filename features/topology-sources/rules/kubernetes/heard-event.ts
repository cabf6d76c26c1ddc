/** An event of the Kubernetes API (core/v1 Event), as far as it matters here. */
import type { ObjectName } from './objects.ts';
import { fieldOf, textOf, timeOf } from './raw.ts';

export interface HeardEvent {
  readonly uid: string;
  readonly version: string;
  readonly object: ObjectName;
  /** Container; empty: the object. */
  readonly container: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  /** Time of the last occurrence, ms. */
  readonly at: number;
}

const MAX_MESSAGE = 1_000;
/** `spec.containers{app}`. */
const CONTAINER = /\{([^{}]{1,253})\}$/;

export function heardEvent(event: unknown): HeardEvent {
  const count = fieldOf(event, 'series', 'count') ?? fieldOf(event, 'count');
  const times = [['series', 'lastObservedTime'], ['lastTimestamp'], ['eventTime'], ['metadata', 'creationTimestamp']];
  const involved = (name: string): string => textOf(event, 'involvedObject', name);
  return {
    uid: textOf(event, 'metadata', 'uid'),
    version: textOf(event, 'metadata', 'resourceVersion'),
    object: {
      kind: involved('kind').toLowerCase(),
      namespace: involved('kind') === 'Node' ? '' : involved('namespace'),
      name: involved('name'),
    },
    container: CONTAINER.exec(involved('fieldPath'))?.[1] ?? '',
    reason: textOf(event, 'reason'),
    message: textOf(event, 'message').slice(0, MAX_MESSAGE),
    count: typeof count === 'number' ? count : 1,
    at: times.map((path) => timeOf(event, ...path)).find((at) => at > 0) ?? 0,
  };
}
