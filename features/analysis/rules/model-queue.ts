import { type Event, severityRank } from '#domain/event/event.ts';
import type { Analysed } from './analysis.ts';

const MOST = 1_000;
const MAX_OF_TENANT = 100;

/** An analysis that a model is to word. */
export interface WantedWording {
  readonly tenant: string;
  readonly analysed: Analysed;
}

/** Group candidates, and critical events that are in no group: what people will read. */
export const isWorthAModel = ({ about: { event, group } }: Analysed): boolean =>
  group === null ? event.severity === 'critical' : group.candidate?.eventId === event.id;

const touchesCritical = ({ businessImpact }: Event): boolean =>
  businessImpact?.affectedServices.some(({ criticality }) => criticality === 'critical') ?? false;

/** Higher goes first. */
export const priorityOf = ({ about: { event, group, score } }: Analysed): number =>
  severityRank(event.severity) +
  (group?.candidate?.eventId === event.id ? 3 : 0) +
  (touchesCritical(event) ? 2 : 0) +
  score;

/** The subject of one question to a model: a group, else the event. */
export const subjectIdOf = ({ about: { event, group } }: Analysed): string => group?.id ?? event.id;

interface Waiting extends WantedWording {
  readonly subject: string;
  readonly priority: number;
}

/** Queue for the model, most relevant first; at most 1,000, and 100 of one tenant. Lost when the process ends. */
export class ModelQueue {
  #waiting: Waiting[] = [];

  /** Returns how many had to leave: the lowest of the tenant, or of all. */
  add(wanted: WantedWording): number {
    const { tenant, analysed } = wanted;
    const subject = subjectIdOf(analysed);
    const others = this.#waiting.filter((one) => one.tenant !== tenant || one.subject !== subject);
    const all = [...others, { ...wanted, subject, priority: priorityOf(analysed) }];
    this.#waiting = all.sort((a, b) => b.priority - a.priority);
    return this.#dropLast((one) => one.tenant === tenant, MAX_OF_TENANT) + this.#dropLast(() => true, MOST);
  }

  /** The next one. */
  take(): WantedWording | undefined {
    return this.#waiting.shift();
  }

  get size(): number {
    return this.#waiting.length;
  }

  #dropLast(counts: (one: Waiting) => boolean, most: number): number {
    if (this.#waiting.filter(counts).length <= most) return 0;
    this.#waiting.splice(this.#waiting.findLastIndex(counts), 1);
    return 1;
  }
}
