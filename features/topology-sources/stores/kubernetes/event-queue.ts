import { once } from 'node:events';
import type { HeardEvents } from '#features/topology-sources/rules/kubernetes/clusters.ts';
import { type HeardEvent, heardEvent } from '#features/topology-sources/rules/kubernetes/heard-event.ts';
import type { FollowedSink } from './follower.ts';

/** Maximum number of waiting events: the API server is not read beyond. */
const MAX_WAITING = 10_000;
/** Maximum number of events per call. */
const MAX_TAKEN = 1_000;

/** Events that have arrived. */
export class EventQueue implements FollowedSink<HeardEvent> {
  readonly read = heardEvent;
  readonly #signal: AbortSignal;
  readonly #room = new EventTarget();
  #listed: readonly HeardEvent[] | null = null;
  #waiting: { readonly event: HeardEvent | null; readonly version: string }[] = [];
  #version: string | null;
  #listedVersion: string | null = null;

  constructor(signal: AbortSignal, version: string | null) {
    this.#signal = signal;
    this.#version = version;
  }

  async #hasRoom(): Promise<void> {
    while (this.#listed !== null || this.#waiting.length >= MAX_WAITING)
      await once(this.#room, 'room', { signal: this.#signal });
  }

  async listed(all: ReadonlyMap<string, HeardEvent>, version: string): Promise<void> {
    await this.#hasRoom();
    // The list also has the waiting events.
    this.#waiting = [];
    this.#listed = [...all.values()].sort((a, b) => a.at - b.at);
    this.#listedVersion = version;
  }

  async changed(_id: string, event: HeardEvent | null, version: string): Promise<void> {
    await this.#hasRoom();
    this.#waiting.push({ event, version });
  }

  take(): HeardEvents {
    const listed = this.#listed;
    if (listed !== null) {
      this.#listed = null;
      this.#version = this.#listedVersion;
    }
    const taken = listed === null ? this.#waiting.splice(0, MAX_TAKEN) : [];
    this.#version = taken.at(-1)?.version ?? this.#version;
    this.#room.dispatchEvent(new Event('room'));
    const events = listed ?? taken.flatMap(({ event }) => (event === null ? [] : [event]));
    return { events, isListed: listed !== null, version: this.#version };
  }
}
