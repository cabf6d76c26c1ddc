import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { liftSilences, openLifting } from '#features/silences/use-cases/lift-silences.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { longest, runs } from '#test/setup/runs.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

/* The same events are suppressed with and without a restart of the process in between. */

const MINUTE = 60_000;
const HOSTS = ['sw-1', 'host-1', 'host-2', 'lone'] as const;
type Host = (typeof HOSTS)[number];

type Step =
  | { readonly does: 'wait'; readonly ms: number }
  | { readonly does: 'ingest'; readonly host: Host; readonly severity: string; readonly title: string }
  | { readonly does: 'recover'; readonly host: Host; readonly title: string }
  | { readonly does: 'silence'; readonly of: number; readonly startsIn: number; readonly lasts: number }
  | { readonly does: 'end'; readonly which: number }
  | { readonly does: 'status'; readonly host: Host; readonly status: string }
  | { readonly does: 'window'; readonly host: Host; readonly startsIn: number; readonly lasts: number }
  | { readonly does: 'relate' }
  | { readonly does: 'reach'; readonly on: boolean };

const TITLES = ['Disk full', 'Fan broken'];
const host = fc.constantFrom(...HOSTS);
const title = fc.constantFrom(...TITLES);
const minutes = (most: number) => fc.integer({ min: 0, max: most }).map((n) => n * MINUTE);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ does: fc.constant('wait' as const), ms: minutes(20) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        does: fc.constant('ingest' as const),
        host,
        severity: fc.constantFrom('warning', 'critical'),
        title,
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('recover' as const), host, title }) },
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constant('silence' as const),
        of: fc.nat(4),
        startsIn: minutes(15),
        lasts: minutes(30).map((ms) => ms + MINUTE),
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('end' as const), which: fc.nat(5) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constant('status' as const),
        host,
        status: fc.constantFrom('maintenance', 'active'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constant('window' as const),
        host,
        startsIn: minutes(15),
        lasts: minutes(30).map((ms) => ms + MINUTE),
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('relate' as const) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('reach' as const), on: fc.boolean() }) },
  ),
  { minLength: 15, maxLength: 30 },
);

const iso = (ms: number): string => new Date(ms).toISOString();

/** One tenant, in which the steps are done; ids are replaced by their names. */
class Run {
  #app: TestApp;
  #token = '';
  readonly #directory: ReturnType<typeof temporaryDirectory> | null;
  readonly #named = new Map<string, string>();
  readonly #cis = new Map<Host, string>();
  readonly #silences: string[] = [];

  constructor(app: TestApp, directory: ReturnType<typeof temporaryDirectory> | null) {
    this.#app = app;
    this.#directory = directory;
  }

  static async open(where: 'memory' | 'file'): Promise<Run> {
    const directory = where === 'file' ? temporaryDirectory() : null;
    const run = new Run(await openTestApp({ FAULTLINE_DATA: directory?.path ?? ':memory:' }), directory);
    await run.#furnish();
    return run;
  }

  async #furnish(): Promise<void> {
    this.#token = await this.#app.tenant('acme');
    for (const name of HOSTS) {
      const { id } = await this.#send('POST', '/v1/cmdb/ci', { name, type: name === 'sw-1' ? 'switch' : 'server' });
      this.#cis.set(name, id);
      this.#named.set(id, name);
    }
    await this.#relate('host-1');
  }

  async #send(method: string, path: string, body?: unknown) {
    const reply = await this.#app.send(method, path, body, { token: this.#token });
    if (reply.status > 299) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  #relate(source: Host) {
    const ends = { source_ci: this.#cis.get(source), target_ci: this.#cis.get('sw-1') };
    return this.#app.send('POST', '/v1/cmdb/relationships', { type: 'depends_on', ...ends }, { token: this.#token });
  }

  #told(text: string | undefined): string {
    let told = text ?? '';
    for (const [id, name] of this.#named) told = told.replace(id, name);
    return told;
  }

  async restart(): Promise<void> {
    const at = this.#app.clock.now();
    await this.#app.stop();
    this.#app = await openTestApp({ FAULTLINE_DATA: this.#directory!.path }, { at });
  }

  async close(): Promise<void> {
    await this.#app.stop();
    this.#directory?.remove();
  }

  /** Returns the suppressed events and the reason, from the reply. */
  async do(step: Step): Promise<string> {
    const now = this.#app.clock.now();
    const told = await this.#do(step, now);
    // The job's work of each second, at a time of its own, is done at the same step of both runs.
    await liftSilences(this.#app.app.ports, openLifting(), () => false);
    return told;
  }

  async #do(step: Step, now: number): Promise<string> {
    switch (step.does) {
      case 'wait':
        this.#app.clock.advance(step.ms);
        return '';
      case 'ingest': {
        const { host: hostname, severity, title: said } = step;
        const event = { source: 's', sourceId: `${hostname} ${said}`, severity, title: said, hostname };
        return this.#told((await this.#send('POST', '/api/events/ingest', event)).suppressedBy);
      }
      case 'recover': {
        const ended = { source: 's', sourceId: `${step.host} ${step.title}`, status: 'resolved' };
        return (await this.#send('POST', '/api/events/ingest', ended)).status;
      }
      case 'silence': {
        const sw = this.#cis.get('sw-1');
        const matchers = [
          { host: 'host-*' },
          { below: sw },
          { severity: ['warning'] },
          { ciId: sw },
          { title: 'disk' },
        ];
        const startsAt = now + step.startsIn;
        const times = { startsAt: iso(startsAt), endsAt: iso(startsAt + step.lasts) };
        const body = { matcher: matchers[step.of], ...times, reason: 'a property' };
        const { id } = (await this.#send('POST', '/api/events/silences', body)).silence;
        this.#named.set(id, `silence ${this.#silences.push(id)}`);
        return '';
      }
      case 'end': {
        const id = this.#silences[step.which % Math.max(1, this.#silences.length)];
        return id === undefined ? '' : (await this.#send('DELETE', `/api/events/silences/${id}`)).silence.state;
      }
      case 'status':
        await this.#send('PUT', `/v1/cmdb/ci/${this.#cis.get(step.host)}`, { status: step.status });
        return '';
      case 'window': {
        const from = now + step.startsIn;
        const window = { maintenance_window: `${iso(from)}/${iso(from + step.lasts)}` };
        await this.#send('PUT', `/v1/cmdb/ci/${this.#cis.get(step.host)}`, { custom_fields: window });
        return '';
      }
      case 'relate':
        await this.#relate('host-2');
        return '';
      case 'reach':
        await this.#send('PUT', '/api/admin/settings/lifecycle', { maintenanceBelow: step.on });
        return '';
    }
  }

  async events(): Promise<unknown[]> {
    await this.#app.app.idle();
    const { events } = await this.#send('GET', '/api/events?limit=100&sortOrder=asc&sortBy=createdAt');
    const histories = [];
    for (const { eventId } of events) histories.push((await this.#send('GET', `/api/events/${eventId}`)).event);
    const told = histories.map(({ sourceId, severity, status, suppressedBy, history, occurrenceCount }) => ({
      sourceId,
      severity,
      status,
      occurrenceCount,
      by: this.#told(suppressedBy),
      history: history.map((one: { to: string; notes?: string }) =>
        `${one.to}: ${this.#told(one.notes)}`.replace(/EVT-\w+/, 'EVT'),
      ),
    }));
    return told.map((one) => JSON.stringify(one)).sort();
  }
}

test(
  'with and without starts in between the same events are suppressed',
  async () => {
    let suppressed = 0;
    await fc.assert(
      fc.asyncProperty(steps, fc.array(fc.nat(29), { minLength: 1, maxLength: 2 }), async (all, restarts) => {
        const both = [await Run.open('memory'), await Run.open('file')] as const;
        try {
          for (const [at, step] of all.entries()) {
            if (restarts.includes(at)) await both[1].restart();
            const [one, other] = [await both[0].do(step), await both[1].do(step)];
            expect(other).toBe(one);
            if (step.does === 'ingest' && one !== '') suppressed += 1;
          }
          expect(await both[1].events()).toEqual(await both[0].events());
        } finally {
          await Promise.all(both.map((run) => run.close()));
        }
      }),
      // Each run starts apps: shrinking a failure would outlast the test and hide it.
      { numRuns: runs({ short: 2, long: 100 }), examples: [[EXAMPLE, [5]]], endOnFailure: true },
    );
    expect(suppressed).toBeGreaterThan(5);
  },
  longest(180_000),
);

/** Example with at least one active silence of each kind. */
const EXAMPLE: Step[] = [
  { does: 'silence', of: 1, startsIn: 0, lasts: 10 * MINUTE },
  { does: 'window', host: 'lone', startsIn: 0, lasts: 20 * MINUTE },
  ...HOSTS.map((name): Step => ({ does: 'ingest', host: name, severity: 'critical', title: 'Disk full' })),
  { does: 'relate' },
  { does: 'ingest', host: 'host-2', severity: 'critical', title: 'Fan broken' },
  { does: 'reach', on: true },
  { does: 'status', host: 'sw-1', status: 'maintenance' },
  { does: 'wait', ms: 10 * MINUTE },
  ...HOSTS.map((name): Step => ({ does: 'ingest', host: name, severity: 'critical', title: 'Fan broken' })),
  { does: 'status', host: 'sw-1', status: 'active' },
  { does: 'wait', ms: 10 * MINUTE },
];
