import { expect } from '@jest/globals';
import { START, type TestApp } from '#test/setup/test-app.ts';
import {
  durationOf,
  type Expected,
  type ExpectedGroup,
  type Scenario,
  type Step,
  severityOf,
  stepsOf,
} from './scenario.ts';

/** One scenario on the whole service, in a tenant of its own. */
class Play {
  readonly #app: TestApp;
  readonly #token: string;
  readonly #start: number;
  /** Event ids by their names in the scenario. */
  readonly #ids = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #answers = new Map<string, string>();

  constructor(app: TestApp, token: string, start: number) {
    this.#app = app;
    this.#token = token;
    this.#start = start;
  }

  async #send(method: string, path: string, body?: unknown) {
    const reply = await this.#app.send(method, path, body, { token: this.#token });
    if (reply.status > 299) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async given({ cis = [], settings }: NonNullable<Scenario['given']>): Promise<void> {
    if (settings) await this.#send('PUT', '/api/admin/settings/correlation', settings);
    const ids = new Map<string, string>();
    for (const ci of cis) {
      const [type, name, ...edges] = ci.split(' ') as [string, string, ...string[]];
      const { id } = await this.#send('POST', '/v1/cmdb/ci', { type, name });
      ids.set(name, id);
      for (let at = 0; at < edges.length; at += 2) {
        const [kind, to] = [edges[at] as string, edges[at + 1] as string];
        const target = ids.get(to.replace('!', ''));
        const attributes = to.endsWith('!') ? { criticality: 'critical' } : {};
        await this.#send('POST', '/v1/cmdb/relationships', {
          type: kind,
          source_ci: id,
          target_ci: target,
          attributes,
        });
      }
    }
  }

  #note(name: string, eventId: string | null, status: string): void {
    this.#answers.set(name, status);
    if (eventId === null) return;
    this.#ids.set(name, eventId);
    if (!this.#names.has(eventId)) this.#names.set(eventId, name);
  }

  async step(at: number, step: Step): Promise<void> {
    const time = this.#start + at;
    // The clock is never behind an event and is never set back: an event may only arrive after it happened.
    this.#app.clock.set(Math.max(this.#app.clock.now(), time));
    const severity = severityOf(step);
    if (severity) await this.#report(severity, time, step);
    else if ('webhook' in step) await this.#deliver(time, step);
    else if ('recovered' in step) await this.#recover(time, step.recovered as string);
    else if ('set' in step) await this.#set(step);
    else if ('correlate' in step)
      await this.#send('POST', `/api/events/${this.#id(step.correlate as string)}/correlate`);
    else throw new Error(`not a step: ${JSON.stringify(step)}`);
  }

  async #report(severity: string, timestamp: number, step: Step): Promise<void> {
    const { at: _at, as, on, every: _every, times: _times, lasts, [severity]: title, ...rest } = step;
    const name = (as ?? title) as string;
    const event = {
      source: 'test',
      sourceId: name,
      severity,
      title,
      timestamp,
      ...(on ? { hostname: on } : {}),
      ...rest,
    };
    const { eventId, status } = await this.#send('POST', '/api/events/ingest', event);
    this.#note(name, eventId, status);
    if (lasts) await this.step(timestamp - this.#start + durationOf(lasts as string), { at: '', recovered: name });
  }

  async #deliver(time: number, { webhook, body, as }: Step): Promise<void> {
    const text = JSON.stringify(body)
      .replaceAll('{seconds}', String(time / 1000))
      .replaceAll('{iso}', new Date(time).toISOString());
    const { results } = await this.#send('POST', `/api/events/webhook/${webhook}`, text);
    for (const [index, name] of [as ?? []].flat().entries())
      this.#note(name, results[index].eventId, results[index].status);
  }

  async #recover(timestamp: number, name: string): Promise<void> {
    const recovery = { source: 'test', sourceId: name, status: 'resolved', timestamp };
    this.#note(`recovered ${name}`, null, (await this.#send('POST', '/api/events/ingest', recovery)).status);
  }

  async #set({ set, to, notes }: Step): Promise<void> {
    await this.#send('PATCH', `/api/events/${this.#id(set as string)}/status`, { status: to, notes });
  }

  #id(name: string): string {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`no event is called ${name}`);
    return id;
  }

  async check({ groups, pairs = [], events = {}, answers = {} }: Expected): Promise<void> {
    for (const [name, status] of Object.entries(answers))
      expect([name, this.#answers.get(name)]).toEqual([name, status]);
    expect(await this.#groups()).toMatchObject(groups.map(sorted).sort(byMembers) as object);
    for (const pair of pairs) await this.#pair(pair);
    for (const [name, fields] of Object.entries(events))
      expect((await this.#send('GET', `/api/events/${this.#id(name)}`)).event).toMatchObject(fields);
  }

  /** All groups as the scenario would write them. */
  async #groups() {
    const groups = new Map<string, string[]>();
    for (const id of this.#names.keys()) {
      const { event, correlationGroup } = await this.#send('GET', `/api/events/${id}`);
      // Its successor is the member that counts.
      if (event.supersededBy !== undefined) continue;
      if (correlationGroup === null) expect(event.correlationId).toBeNull();
      else groups.set(correlationGroup.analysis.correlationId, [...(groups.get(event.correlationId) ?? []), id]);
    }
    const listed = (await this.#send('GET', '/api/events/groups?limit=100')).groups;
    expect(listed).toHaveLength(groups.size);
    return listed
      .map((group: { correlationId: string; eventCount: number; status: string; rootCauseCandidate: Root }) => {
        const members = (groups.get(group.correlationId) ?? []).map((id) => this.#names.get(id) as string).sort();
        expect(group.eventCount).toBe(members.length);
        const { eventId, reasoning, confidence } = group.rootCauseCandidate;
        const root = { root: this.#names.get(eventId), reasoning, confidence: Number(confidence.toFixed(2)) };
        return { members, ...root, status: group.status };
      })
      .sort(byMembers);
  }

  async #pair({
    of: [one, two],
    joined,
    refusedBy,
    notCompared,
    literal = {},
    factor = {},
  }: NonNullable<Expected['pairs']>[number]) {
    const said = await this.#send('GET', `/api/events/${this.#id(one)}/explain?with=${this.#id(two)}`);
    const strategies: readonly Explained[] = said.strategies;
    if (joined)
      expect([
        one,
        two,
        strategies
          .filter((s) => s.joined)
          .map((s) => s.strategy)
          .sort(),
      ]).toEqual([one, two, joined.toSorted()]);
    if (refusedBy) expect([one, two, said.refusedBy]).toEqual([one, two, refusedBy]);
    if (notCompared) expect([one, two, said.notCompared?.cause]).toEqual([one, two, notCompared]);
    const numbers = (key: 'literalScore' | 'factor') => Object.fromEntries(strategies.map((s) => [s.strategy, s[key]]));
    for (const [name, score] of Object.entries(literal)) expect(numbers('literalScore')[name]).toBeCloseTo(score, 4);
    for (const [name, share] of Object.entries(factor)) expect(numbers('factor')[name]).toBeCloseTo(share, 4);
  }
}

interface Root {
  readonly eventId: string;
  readonly reasoning: string;
  readonly confidence: number;
}
interface Explained {
  readonly strategy: string;
  readonly joined: boolean;
  readonly literalScore: number;
  readonly factor: number;
}

const sorted = (group: ExpectedGroup): ExpectedGroup => ({ ...group, members: group.members.toSorted() });
const byMembers = (a: { readonly members: unknown }, b: { readonly members: unknown }): number =>
  String(a.members) < String(b.members) ? -1 : 1;

const HOUR = 3_600_000;
/** In the past of the brokers, whose clock is real: receipt times are limited by the append time. */
const FIRST = START - 300 * 24 * HOUR;

/** Plays scenario number `index`; scenarios are three days apart, so that none is in another's background. */
export const play = async (app: TestApp, scenario: Scenario, index: number): Promise<void> => {
  const token = await app.tenant(`scenario-${index}`);
  const start = FIRST + (index + 1) * 72 * HOUR;
  app.clock.set(start - 30 * HOUR);
  const one = new Play(app, token, start);
  if (scenario.given) await one.given(scenario.given);
  for (const { at, step } of stepsOf(scenario)) await one.step(at, step);
  await app.app.idle();
  await one.check(scenario.then);
};
