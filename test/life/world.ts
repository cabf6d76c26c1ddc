import { type App, start } from '#app';
import { resolveSilent } from '#application/events/resolve-silent.ts';
import type { JobWork } from '#application/job.ts';
import { ClockWatch } from '#application/operations/clock-watch.ts';
import type { Clock } from '#domain/ports/clock.ts';
import { readConfig } from '#infra/config.ts';
import { systemClock } from '#infra/system/time.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { START, TOKEN } from '#test/setup/test-app.ts';
import { jobs } from '#whole';
import { type Day, HOSTS } from './plan.ts';

export const MINUTE = 60_000;
const never = (): boolean => false;

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: replies of many shapes.
  readonly body: any;
}

export interface Estate {
  readonly tenant: string;
  readonly token: string;
  /** Ids of CIs by host. */
  readonly cis: ReadonlyMap<string, string>;
  /** Id of the only team. */
  readonly team: string;
}

/** A server whose clock may be wrong, and which can be restarted on its stored data; senders use the true time. */
export class World {
  readonly #directory: ReturnType<typeof temporaryDirectory> | null;
  readonly #clock: Clock;
  #app: App | null = null;
  #watch: ClockWatch | null = null;
  #time = START;
  #ahead = 0;

  private constructor(directory: ReturnType<typeof temporaryDirectory> | null) {
    this.#directory = directory;
    this.#clock = {
      ...systemClock,
      now: () => this.#time + this.#ahead,
      steady: () => performance.now() + this.#time - START,
    };
  }

  /** Opens in a file, so that it can be restarted, or in memory. */
  static async open(where: 'file' | 'memory'): Promise<World> {
    const world = new World(where === 'file' ? temporaryDirectory() : null);
    await world.#start();
    return world;
  }

  async #start(): Promise<void> {
    const config = readConfig({
      PORT: '0',
      FAULTLINE_DATA: this.#directory?.path ?? ':memory:',
      FAULTLINE_ADMIN_PASSWORD: 'a password for tests',
      FAULTLINE_BOOTSTRAP_TOKEN: TOKEN,
      FAULTLINE_LIMIT_SCALE: '0',
      FAULTLINE_LOG_LEVEL: 'silent',
    });
    this.#app = await start(config, { clock: this.#clock, sinks: [] });
    this.#watch = new ClockWatch({
      clock: this.#clock,
      records: this.#app.ports.records,
      owner: 'the periodic work of a day',
      metrics: { gauge() {} },
      log: { warn() {}, info() {} },
    });
    await this.#watch.begin();
  }

  get app(): App {
    if (this.#app === null) throw new Error('the server is not started');
    return this.#app;
  }

  /** True time, ms. */
  get now(): number {
    return this.#time;
  }

  /** Time by the clock of the server, ms. */
  get serverNow(): number {
    return this.#clock.now();
  }

  advanceTo(time: number): void {
    this.#time = Math.max(this.#time, time);
  }

  /** Sets the amount by which the clock of the server is ahead, ms. */
  jump(ahead: number): void {
    this.#ahead = ahead;
  }

  async restart(): Promise<void> {
    await this.app.stop();
    await this.#start();
  }

  async send(method: string, path: string, body: unknown, token: string, tenant?: string): Promise<Reply> {
    const response = await fetch(this.app.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(tenant !== undefined && { 'x-tenant-id': tenant }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }

  /** The periodic work that ends events and silences. */
  async work(): Promise<void> {
    await this.#watch?.tick();
    const changesAlone = this.#watch?.isSettled() !== true;
    await resolveSilent(this.app.ports, { cursors: new Map(), changesAlone, isStopping: never });
    const work = { ports: this.app.ports } as JobWork;
    for (const { name, run } of jobs) if (name === 'lift-silences') await run(work, never);
    await this.app.idle();
  }

  /** A tenant of its own with the hosts of the plan, which depend on the first. */
  async furnish(tenant: string): Promise<Estate> {
    await this.send('POST', '/api/admin/tenants', { id: tenant }, TOKEN);
    const made = await this.send('POST', '/api/admin/tokens', { name: 'test', role: 'admin' }, TOKEN, tenant);
    const token: string = made.body.data.token;
    const team = await this.send('POST', '/v1/teams', { name: 'Storage' }, token);
    const cis = new Map<string, string>();
    for (const name of HOSTS) {
      const ci = await this.send('POST', '/v1/cmdb/ci', { name, type: name === 'sw-1' ? 'switch' : 'server' }, token);
      cis.set(name, ci.body.id);
      const ends = { source_ci: ci.body.id, target_ci: cis.get('sw-1') };
      if (name !== 'sw-1') await this.send('POST', '/v1/cmdb/relationships', { type: 'depends_on', ...ends }, token);
    }
    return { tenant, token, cis, team: team.body.id };
  }

  /** Its day is over: periodic work passes over it. */
  async leave(tenant: string): Promise<void> {
    await this.send('PUT', `/api/admin/tenants/${tenant}`, { disabled: true }, TOKEN);
  }

  async close(): Promise<void> {
    await this.#app?.stop();
    this.#directory?.remove();
  }
}

/** A server becomes slower with the stored data of other days. */
const DAYS_OF_A_SERVER = 25;

/** Servers for one day after the other: restartable ones store their data in a file. */
export const openWorlds = () => {
  const worlds = new Map<'file' | 'memory', { readonly world: World; days: number }>();
  let days = 0;
  let last: { readonly world: World; readonly tenant: string } | null = null;
  const opened = async (where: 'file' | 'memory') => {
    const known = worlds.get(where);
    if (known !== undefined && known.days < DAYS_OF_A_SERVER) return known;
    if (last?.world === known?.world) last = null;
    await known?.world.close();
    const fresh = { world: await World.open(where), days: 0 };
    worlds.set(where, fresh);
    return fresh;
  };
  return {
    async next({ acts }: Day): Promise<[World, Estate]> {
      const of = await opened(acts.some(({ act }) => act.does === 'restart') ? 'file' : 'memory');
      of.days += 1;
      days += 1;
      await last?.world.leave(last.tenant);
      of.world.jump(0);
      of.world.advanceTo(of.world.now + 2 * 1_440 * MINUTE);
      const tenant = `day-${days}`;
      last = { world: of.world, tenant };
      return [of.world, await of.world.furnish(tenant)];
    },
    async close(): Promise<void> {
      for (const { world } of worlds.values()) await world.close();
    },
  };
};
