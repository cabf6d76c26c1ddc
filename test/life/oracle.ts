import type { ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import { type Event, parseEventId } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { postOf } from './bodies.ts';
import { type Act, conditionOf, type Day, HOSTS, type Message, messagesOf } from './plan.ts';
import { type Estate, MINUTE, type World } from './world.ts';

/* Invariants of every check, from an oracle that knows no rule except the messages: active and ended conditions. */

/** State of one condition from the messages that have arrived. */
interface Condition {
  /** Newest reported start and newest reported end, ms. */
  start: number;
  end: number;
  /** The event that counted its last message; null: a user has ended it since. */
  eventId: string | null;
  /** Time of its last message, ms; null: silence does not end it within the simulated days. */
  heard: number | null;
  /**
   * Its last start or end arrived while the clock of the server was behind, so that it is unknown whether a late end
   * belongs to an earlier period.
   */
  unsure: boolean;
}

/** Time without a message after which an event that no condition of a monitor holds is over. */
const SILENCE_MS = 24 * 60 * MINUTE;
const PAGE = { sort: 'createdAt', order: 'asc', limit: 500 } as const;

/** Returns the key of problems that end together: each problem of a Zabbix trigger ends by itself. */
const keyOf = ({ trouble, since }: Message): string =>
  trouble.monitor === 'zabbix' ? `${conditionOf(trouble)} since ${since}` : conditionOf(trouble);

const isOver = ({ status }: Event): boolean => status === 'resolved';

/** One day of one tenant: plays it, and returns the errors at every check. */
export class DayPlay {
  readonly #world: World;
  readonly #estate: Estate;
  readonly #start: number;
  readonly #conditions = new Map<string, Condition>();
  /** Events that a user has reopened: no message ends them. */
  readonly #reopened = new Set<string>();
  /** Group at the last check by active event. */
  readonly #groupOf = new Map<string, string>();
  /** Groups that were given to the team. */
  readonly #assigned = new Set<string>();
  readonly #told: string[] = [];

  constructor(world: World, estate: Estate) {
    this.#world = world;
    this.#estate = estate;
    this.#start = world.now;
  }

  get #ports(): Ports {
    return this.#world.app.ports;
  }

  #at(minute: number): number {
    return this.#start + minute * MINUTE;
  }

  /** Plays the whole day with a check after each step. Returns the errors, empty when there are none. */
  async play(day: Day): Promise<string[]> {
    for (const { at, run } of this.#stepsOf(day)) {
      this.#world.advanceTo(this.#at(at));
      await run();
      const wrong = await this.#look(at);
      if (wrong.length > 0) return [...this.#told.slice(-30), ...wrong];
    }
    return [];
  }

  #stepsOf(day: Day): { at: number; run: () => Promise<void> }[] {
    const steps = [
      ...messagesOf(day).map((message) => ({ at: message.at, run: () => this.#deliver(message) })),
      ...day.acts.flatMap(({ at, act }) => this.#actSteps(at, act)),
    ];
    return steps.sort((a, b) => a.at - b.at);
  }

  #actSteps(at: number, act: Act): { at: number; run: () => Promise<void> }[] {
    const step = (minute: number, what: string, run: () => Promise<void> | void) => ({
      at: minute,
      run: async () => {
        this.#told.push(`${minute} ${what}`);
        await run();
      },
    });
    switch (act.does) {
      case 'silence':
        return [
          step(at, JSON.stringify(act), () => this.#silence(act)),
          step(at + act.lasts + 1, 'the silence is over', () => undefined),
        ];
      case 'maintenance':
        return [
          step(at, JSON.stringify(act), () => this.#setStatus(act.host, 'maintenance')),
          step(at + act.lasts, 'the maintenance is over', () => this.#setStatus(act.host, 'active')),
        ];
      case 'restart':
        return [step(at, 'restart', () => this.#world.restart())];
      case 'jump':
        return [
          step(at, JSON.stringify(act), () => this.#world.jump(act.by * MINUTE)),
          step(at + act.lasts, 'the clock is right again', () => this.#world.jump(0)),
        ];
      case 'status':
        return [step(at, JSON.stringify(act), () => this.#move(act))];
      case 'assign':
        return [step(at, JSON.stringify(act), () => this.#assign(act.which))];
    }
  }

  async #send(method: string, path: string, body: unknown) {
    const reply = await this.#world.send(method, path, body, this.#estate.token);
    if (reply.status > 299 && reply.status !== 409)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)} after ${this.#told.slice(-9)}`);
    return reply;
  }

  async #deliver(message: Message): Promise<void> {
    const { path, body } = postOf(message, (minute) => this.#at(minute));
    const { body: reply } = await this.#send('POST', path, body);
    const result = reply.results?.[0] ?? reply;
    const name = keyOf(message);
    const known = this.#conditions.get(name);
    this.#told.push(`${message.at} ${name} ${message.says} of ${message.of}: ${result.status} ${result.eventId}`);
    const start = this.#at(message.of);
    const isBehind = this.#world.serverNow < this.#world.now;
    if (message.says === 'over') {
      if (known === undefined) return;
      known.end = Math.max(known.end, start);
      known.unsure ||= isBehind;
      return;
    }
    const condition = known ?? { start, end: Number.NEGATIVE_INFINITY, eventId: null, heard: null, unsure: false };
    if (message.trouble.monitor === 'plain') condition.heard = this.#world.now;
    condition.start = Math.max(condition.start, start);
    condition.unsure = isBehind;
    condition.eventId = result.eventId === null ? null : parseEventId(result.eventId);
    this.#conditions.set(name, condition);
  }

  async #silence({ host, lasts }: Extract<Act, { does: 'silence' }>): Promise<void> {
    const from = this.#world.serverNow;
    const times = { startsAt: new Date(from).toISOString(), endsAt: new Date(from + lasts * MINUTE).toISOString() };
    await this.#send('POST', '/api/events/silences', { matcher: { host: HOSTS[host] }, ...times, reason: 'a day' });
  }

  async #setStatus(host: number, status: string): Promise<void> {
    await this.#send('PUT', `/v1/cmdb/ci/${this.#estate.cis.get(HOSTS[host] as string)}`, { status });
  }

  async #events(): Promise<readonly Event[]> {
    const page = await this.#ports.events.find(this.#estate.tenant, {}, PAGE);
    if (page.nextCursor !== null) throw new Error('a day has more events than a look reads');
    return page.items;
  }

  async #move({ which, to }: Extract<Act, { does: 'status' }>): Promise<void> {
    const fitting = (await this.#events()).filter((event) => isOver(event) === (to === 'open') && !event.supersededBy);
    const event = fitting[which % Math.max(1, fitting.length)];
    if (event === undefined) return;
    const { body } = await this.#send('POST', '/api/events/status', { ids: [`EVT-${event.id}`], status: to });
    this.#told.push(`${event.id} to ${to}: ${JSON.stringify(body).slice(0, 200)}`);
    if (to === 'resolved')
      for (const condition of this.#conditions.values()) if (condition.eventId === event.id) condition.eventId = null;
    if (to === 'open') this.#reopened.add(event.id);
  }

  async #assign(which: number): Promise<void> {
    const grouped = (await this.#events()).filter((event) => !isOver(event) && event.correlationId !== null);
    const event = grouped[which % Math.max(1, grouped.length)];
    if (event === undefined || event.correlationId === null) return;
    await this.#send('PUT', `/api/events/groups/${event.correlationId}/assignee`, { team_id: this.#estate.team });
    this.#assigned.add(event.correlationId);
  }

  async #look(minute: number): Promise<string[]> {
    await this.#world.work();
    const events = new Map((await this.#events()).map((event) => [event.id, event]));
    const groups = new Map<string, ListedGroup>();
    for (const { correlationId } of events.values()) {
      if (correlationId === null || groups.has(correlationId)) continue;
      const row = await this.#ports.groupRows.get(this.#estate.tenant, correlationId);
      if (row !== null) groups.set(correlationId, row);
    }
    const wrong = [...this.#unheld(events), ...this.#idle(events), ...this.#miscounted(events, groups)];
    return [...wrong, ...(await this.#moved(events, groups))].map((what) => `at ${minute}: ${what}`);
  }

  /** Returns the event that superseded this one. */
  #standing(events: ReadonlyMap<string, Event>, id: string): Event | undefined {
    const event = events.get(id);
    return event?.supersededBy === undefined ? event : this.#standing(events, event.supersededBy);
  }

  #unheld(events: ReadonlyMap<string, Event>): string[] {
    return [...this.#conditions].flatMap(([name, { start, end, eventId, heard, unsure }]) => {
      if (eventId === null || end >= start || (unsure && end > Number.NEGATIVE_INFINITY)) return [];
      if (heard !== null && this.#world.now - heard > SILENCE_MS) return [];
      const event = this.#standing(events, eventId);
      if (event !== undefined && !isOver(event)) return [];
      return [`${name} fires, and its event ${eventId} is ${event?.status}: ${event?.resolutionNotes}`];
    });
  }

  #idle(events: ReadonlyMap<string, Event>): string[] {
    const held = new Set(
      [...this.#conditions.values()]
        .filter(({ start, end }) => start > end)
        .map(({ eventId }) => (eventId === null ? undefined : this.#standing(events, eventId)?.id)),
    );
    return [...events.values()]
      .filter((event) => !isOver(event) && !held.has(event.id) && !this.#reopened.has(event.id))
      .map((event) => `${event.id} "${event.title}" is ${event.status}, and all that it said is over`);
  }

  #miscounted(events: ReadonlyMap<string, Event>, groups: ReadonlyMap<string, ListedGroup>): string[] {
    const rows = new Map([...groups.values()].map((row) => [row.group.id, row]));
    return [...rows].flatMap(([id, { group, state }]) => {
      const members = [...events.values()].filter(
        ({ correlationId, supersededBy }) =>
          supersededBy === undefined && correlationId !== null && groups.get(correlationId)?.group.id === id,
      );
      const of = (status: string) => members.filter((event) => event.status === status).length;
      const counted = {
        open: of('open'),
        acknowledged: of('acknowledged'),
        suppressed: of('suppressed'),
        resolved: of('resolved'),
      };
      const told = state.counts;
      const same = Object.entries(counted).every(([status, count]) => told[status as keyof typeof told] === count);
      if (group.size !== members.length) return [`group ${id} has ${members.length} members and says ${group.size}`];
      return same ? [] : [`group ${id} says ${JSON.stringify(told)}, its members are ${JSON.stringify(counted)}`];
    });
  }

  async #moved(events: ReadonlyMap<string, Event>, groups: ReadonlyMap<string, ListedGroup>): Promise<string[]> {
    const wrong: string[] = [];
    for (const event of events.values()) {
      if (isOver(event) || event.correlationId === null) continue;
      const row = groups.get(event.correlationId);
      const before = this.#groupOf.get(event.id);
      this.#groupOf.set(event.id, event.correlationId);
      if (row === undefined) {
        wrong.push(`${event.id} names group ${event.correlationId}, which is none`);
        continue;
      }
      if (before === undefined || before === event.correlationId) continue;
      const led = await this.#ports.groupRows.get(this.#estate.tenant, before);
      // It is free to leave where all others are over or suppressed.
      const others = led === null ? 0 : led.state.counts.open + led.state.counts.acknowledged;
      if (led?.group.id !== row.group.id && others > 0)
        wrong.push(`${event.id} has left group ${before} for ${event.correlationId} while it was on`);
    }
    for (const id of this.#groupOf.keys()) {
      const event = events.get(id);
      if (event === undefined || isOver(event)) this.#groupOf.delete(id);
    }
    for (const id of this.#assigned) {
      const row = await this.#ports.groupRows.get(this.#estate.tenant, id);
      if (row?.care.assignedTeam?.id !== this.#estate.team) wrong.push(`group ${id} has lost its team`);
    }
    return wrong;
  }
}
