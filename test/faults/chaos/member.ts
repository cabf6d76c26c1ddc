import { type Launched, launch } from '../launch.ts';
import { type Gate, openGate } from './gate.ts';

/** One process of Faultline; it can be started again with the same connection to Elasticsearch. */
export class Member {
  readonly name: string;
  readonly isApi: boolean;
  readonly elasticsearch: Gate;
  /** Folder of the program that its next start runs. */
  folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #log: string;
  #running: Launched | null = null;
  #frozen = false;
  #ending = false;
  /** Grows with each start and each end that we caused. */
  lives = 0;

  constructor({ name, role, folder, logs }: MemberOptions, elasticsearch: Gate, env: Readonly<Record<string, string>>) {
    this.name = name;
    this.isApi = role === 'api';
    this.folder = folder;
    this.elasticsearch = elasticsearch;
    this.#env = env;
    this.#log = `${logs}/${name}.log`;
  }

  /** Null while it is down, and from when it is stopped. */
  get url(): string | null {
    return this.#ending ? null : (this.#running?.url ?? null);
  }
  get isUp(): boolean {
    return this.#running !== null && !this.#frozen;
  }

  /** Starts it, again and again for two minutes: an engine may be down, and then a start is refused. */
  async start(): Promise<void> {
    const until = performance.now() + 120_000;
    for (;;) {
      try {
        const running = await launch(this.#env, { log: this.#log, startMs: 60_000, folder: this.folder });
        this.#running = running;
        this.lives += 1;
        void running.exited.then(() => {
          if (this.#running === running) this.#running = null;
        });
        return;
      } catch (error) {
        if (performance.now() > until) throw error;
      }
    }
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }
  /** Stops it like an operator; it is killed when it does not end within 20 s. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => void this.kill(), 20_000);
    await this.#end('SIGTERM');
    clearTimeout(timer);
  }
  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.lives += 1;
    // The caller has informed clients before the stop.
    this.#ending = true;
    running.process.kill(signal);
    if (this.#frozen) this.thaw();
    await running.exited;
    this.#ending = false;
  }

  freeze(): void {
    this.#frozen = true;
    this.#running?.process.kill('SIGSTOP');
  }
  thaw(): void {
    this.#frozen = false;
    this.#running?.process.kill('SIGCONT');
  }
}

export interface MemberOptions {
  readonly name: string;
  readonly role: 'api' | 'worker';
  /** Processors that it runs; absent: all. */
  readonly processors?: readonly string[];
  readonly elasticsearchUrl: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logs: string;
  /** Folder of the program. */
  readonly folder: string;
}

/** A member with a connection of its own to Elasticsearch. It is not started yet. */
export const openMember = async (options: MemberOptions): Promise<Member> => {
  const { role, processors, elasticsearchUrl, env } = options;
  const { hostname, port } = new URL(elasticsearchUrl);
  const gate = await openGate(hostname, Number(port));
  const own = {
    ...env,
    FAULTLINE_ROLE: role,
    ELASTICSEARCH_URL: `http://127.0.0.1:${gate.port}`,
    ...(processors !== undefined && { FAULTLINE_PROCESSORS: processors.join(',') }),
  };
  return new Member(options, gate, own);
};
