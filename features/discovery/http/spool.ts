import { checkJsonShape, parseJson, utf8Body } from '#api/http/input/body.ts';
import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { GivenHost } from '#features/discovery/rules/scan.ts';
import { ScannedHost, scannedHost } from '#features/discovery/schemas/discovery.ts';
import { chunkId, DISCOVERY_KINDS, type HostChunk, SCANS_KEPT_MS } from '#features/discovery/use-cases/records.ts';
import { problemsOf } from '#schemas/http/problems.ts';
import { JsonElements } from './json-elements.ts';

/** Limits of a chunk: hosts processed at once, and bytes of JSON. */
const CHUNK_HOSTS = 100;
const CHUNK_BYTES = 256 * 1024;
const HOST_BYTES = 1024 * 1024;
const MAX_HOSTS = 100_000;
const PATH = ['data', 'discovered_hosts'];

export interface Spooled {
  /** The document without its hosts, as it was given in. */
  readonly envelope: unknown;
  readonly hosts: number;
  readonly chunks: number;
  /** Hash of all submitted data. */
  readonly hash: string;
}

const shownText = (value: unknown, name: string): string | null => {
  const text = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof text === 'string' ? text.slice(0, 255) : null;
};

const TOO_LARGE: GivenHost = { bad: `expected at most ${HOST_BYTES} bytes`, hostname: null, ipAddress: null };

/** Rejects a malformed host alone. Throws Fault `invalid` for a text that is not JSON. */
function readHost(text: string): GivenHost {
  const value = parseJson(text);
  const result = ScannedHost.safeParse(value);
  if (result.success) return { host: scannedHost(result.data) };
  const [first] = problemsOf(result.error, value);
  const bad = first === undefined ? 'expected a host' : `${first.field}: ${first.reason}`;
  return { bad, hostname: shownText(value, 'hostname'), ipAddress: shownText(value, 'ip_address') };
}

/** Nesting and keys are bounded per host too. */
function readElement(element: Buffer | null): GivenHost {
  if (element === null) return TOO_LARGE;
  try {
    checkJsonShape(element);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { bad: error.problems[0]?.reason ?? error.message, hostname: null, ipAddress: null };
  }
  return readHost(element.toString('utf8'));
}

/** Writes the hosts of one scan away as they arrive, so that memory holds one chunk. */
export class Spool {
  readonly #ports: Ports;
  readonly #tenant: string;
  readonly #scan: string;
  readonly #receivedAt: number;
  #hosts: GivenHost[] = [];
  #bytes = 0;
  #total = 0;
  #chunks = 0;
  #hash = '';

  constructor(ports: Ports, { tenant, scan, receivedAt }: { tenant: string; scan: string; receivedAt: number }) {
    this.#ports = ports;
    this.#tenant = tenant;
    this.#scan = scan;
    this.#receivedAt = receivedAt;
  }

  /** Reads all of it. Throws Fault `invalid` or `too-large`, and then removes the written parts. */
  async read(body: AsyncIterable<Uint8Array>): Promise<Spooled> {
    const limits = { elementBytes: HOST_BYTES, restBytes: 1024 * 1024, elements: MAX_HOSTS };
    const elements = new JsonElements(PATH, limits);
    try {
      for await (const piece of utf8Body(body)) for (const element of elements.push(piece)) await this.#add(element);
      await this.#flush();
      const rest = elements.rest();
      checkJsonShape(Buffer.from(rest));
      const hash = this.#ports.crypto.sha256(`${this.#hash}\n${rest}`);
      return { envelope: parseJson(rest.replace(/^\uFEFF/, '')), hosts: this.#total, chunks: this.#chunks, hash };
    } catch (error) {
      await this.remove();
      throw error;
    }
  }

  async remove(): Promise<void> {
    const { records } = this.#ports;
    for (let n = 0; n < this.#chunks; n++)
      await records.remove(this.#tenant, DISCOVERY_KINDS.chunk, chunkId(this.#scan, n));
  }

  async #add(element: Buffer | null): Promise<void> {
    const bytes = element?.length ?? 0;
    this.#hash = this.#ports.crypto.sha256(`${this.#hash}\n${element?.toString('utf8') ?? 'too large'}`);
    if (this.#bytes + bytes > CHUNK_BYTES) await this.#flush();
    this.#hosts.push(readElement(element));
    this.#bytes += bytes;
    this.#total += 1;
    if (this.#hosts.length === CHUNK_HOSTS) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#hosts.length === 0) return;
    const chunk: HostChunk = { first: this.#total - this.#hosts.length, hosts: this.#hosts };
    const id = chunkId(this.#scan, this.#chunks);
    const expiresAt = this.#receivedAt + SCANS_KEPT_MS;
    this.#chunks += 1;
    this.#hosts = [];
    this.#bytes = 0;
    await this.#ports.records.put(this.#tenant, DISCOVERY_KINDS.chunk, id, chunk, { expiresAt });
  }
}
