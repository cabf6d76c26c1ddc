/** Problems that begin and end, by the events and objects of a cluster. Times are epoch ms. */
import type { EventDraft, MonitorAction } from '#domain/event/draft.ts';
import type { HealthProblem } from './health.ts';
import type { HeardEvent } from './heard-event.ts';
import { type ClusterObjects, keyOfObject, lastingOf, type ObjectName, type PlacedRow, rowOf } from './objects.ts';
import { endedBy, FAMILIES, type FamilyName, familyOf } from './problems.ts';

export type ClusterAction = Exclude<MonitorAction, { action: 'confirm' | 'ignore' }>;

/** A problem of one object that is not over. */
export interface OpenProblem {
  /** Condition that it shares with other pods of its workload. */
  readonly shared: string;
  readonly object: ObjectName;
  readonly container: string;
  readonly family: FamilyName;
  /** Last report. */
  readonly at: number;
  /** Place of the latest change of objects when it was reported. */
  readonly place: number;
}
/** Key: object, family and container. */
export type OpenProblems = Map<string, OpenProblem>;

/** Maximum number of open problems per cluster. */
const MAX_OPEN = 2_000;
const SOURCE = 'kubernetes';

export interface HearingTurn {
  readonly cluster: string;
  readonly objects: ClusterObjects;
  readonly place: number;
  readonly now: number;
}

type Reported = Pick<HealthProblem, 'family' | 'container' | 'message'> & {
  readonly object: ObjectName;
  readonly reason: string;
  readonly at: number;
  readonly deliveryId: string;
  readonly isOngoing: boolean;
};

const idOf = (
  cluster: string,
  { object, family, container }: Pick<OpenProblem, 'object' | 'family' | 'container'>,
): string => [keyOfObject(cluster, object), family, ...(container === '' ? [] : [container])].join('/');
const conditionOf = (id: string): string => `${SOURCE}:${id}`;

export const resolved = (id: string, how: { readonly at?: number; readonly notes?: string }): ClusterAction => ({
  action: 'resolve',
  source: SOURCE,
  sourceId: id,
  conditionId: conditionOf(id),
  ...how,
});

function draftOf({ cluster, objects }: HearingTurn, id: string, told: Reported): EventDraft {
  const { object, family, container, message, reason, at, isOngoing } = told;
  const { severity, title, complaint } = FAMILIES[family];
  const lasting = lastingOf(objects, object);
  const node = rowOf(objects, object)?.row.labels.node;
  const tags = [`complaint:${complaint}`, `reason:${reason}`, `cluster:${cluster}`];
  return {
    source: SOURCE,
    sourceId: id,
    severity,
    title,
    description: message,
    ...(at > 0 && { timestamp: at }),
    ...(isOngoing && { ongoing: true as const }),
    ...(object.kind === 'node' && { hostname: object.name }),
    ciHints: [...new Set([keyOfObject(cluster, lasting), keyOfObject(cluster, object)])],
    tags: object.namespace === '' ? tags : [...tags, `namespace:${object.namespace}`],
    details: {
      reason,
      object: keyOfObject(cluster, object),
      ...(container !== '' && { container }),
      ...(node && { node }),
    },
  };
}

/** Returns why a problem is over; null: it is not. */
function overBecause(
  { object, family, at, place }: OpenProblem,
  found: PlacedRow | null | undefined,
  now: number,
): string | null {
  const { ends, lastsMs } = FAMILIES[family];
  if (lastsMs !== null && now - at >= lastsMs) return 'no further reports';
  if (ends === 'later' || found === undefined) return null;
  if (found === null || found.row.health?.isOver) return `${object.kind} is gone`;
  const { readySince = null, problems = [] } = found.row.health ?? {};
  // Events and objects arrive separately, so an object that has not changed since may be older than the event.
  const isNews = found.place > place || (readySince !== null && readySince >= at);
  if (!isNews) return null;
  if (ends === 'state') return problems.some((one) => one.family === family) ? null : 'state is normal again';
  return readySince !== null && now - readySince >= ends ? `${object.kind} is ready` : null;
}

/** Applies reports and ends in order, and collects the actions. */
export class Hearing {
  readonly actions: ClusterAction[] = [];
  readonly #turn: HearingTurn;
  readonly #open: OpenProblems;

  constructor(turn: HearingTurn, open: OpenProblems) {
    this.#turn = turn;
    this.#open = open;
  }

  event(event: HeardEvent): void {
    const { object, container, reason, message, at, uid, count } = event;
    const family = familyOf({ kind: object.kind, reason, message });
    if (family !== undefined)
      this.#report({ object, container, family, message, reason, at, deliveryId: `${uid}/${count}`, isOngoing: false });
    for (const ended of endedBy(reason)) this.#recover(event, ended);
  }

  #report(told: Reported): void {
    const { cluster, objects, place } = this.#turn;
    const { object, family, container, at } = told;
    const id = idOf(cluster, told);
    if (!this.#open.has(id) && this.#open.size >= MAX_OPEN) return;
    const shared = idOf(cluster, { ...told, object: lastingOf(objects, object) });
    this.#open.set(id, { shared, object, family, container, at, place });
    this.actions.push({
      action: 'open',
      draft: draftOf(this.#turn, shared, told),
      conditionId: conditionOf(shared),
      deliveryId: told.deliveryId,
    });
  }

  /** An event of a container also ends problems of its pod. */
  #recover({ object, container, at }: HeardEvent, family: FamilyName): void {
    for (const one of new Set(['', container]))
      this.#end(idOf(this.#turn.cluster, { object, family, container: one }), at, null);
  }

  #end(id: string, at: number | null, notes: string | null): void {
    const ended = this.#open.get(id);
    if (ended === undefined) return;
    this.#open.delete(id);
    if ([...this.#open.values()].some(({ shared }) => shared === ended.shared)) return;
    const how = { ...(at !== null && at > 0 && { at }), ...(notes !== null && { notes }) };
    this.actions.push(resolved(ended.shared, how));
  }

  /** Problems that objects report themselves. */
  state(object: ObjectName, found: PlacedRow): void {
    const { cluster, now } = this.#turn;
    for (const problem of found.row.health?.problems ?? []) {
      const { since: at } = problem;
      const told = { ...problem, object, at };
      const id = idOf(cluster, told);
      const known = this.#open.get(id);
      if (known !== undefined && known.at >= at) continue;
      if (overBecause({ ...told, shared: id, place: -1 }, found, now) !== null) continue;
      const reason = FAMILIES[problem.family].ends === 'state' ? 'NodeCondition' : 'OOMKilled';
      this.#report({ ...told, reason, deliveryId: `${id}@${at}`, isOngoing: true });
    }
  }

  /** Ends what is over by the state of its object, or by silence. */
  sweep(): void {
    const { objects, now } = this.#turn;
    for (const [id, problem] of this.#open) {
      const because = overBecause(problem, rowOf(objects, problem.object), now);
      if (because !== null) this.#end(id, null, because);
    }
  }
}
