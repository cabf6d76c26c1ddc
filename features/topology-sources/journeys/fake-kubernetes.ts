import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An object of the Kubernetes API. */
export interface FakeObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}
interface FakeChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: FakeObject;
  readonly version: number;
}
interface FakeWatcher {
  readonly path: string;
  readonly write: (line: object) => void;
  readonly response: ServerResponse;
}
type Shape = (object: FakeObject) => object;

const idOf = ({ metadata: { namespace = '', name } }: FakeObject): string => `${namespace}/${name}`;
const metadataOf = ({ metadata }: FakeObject) => ({
  apiVersion: 'meta.k8s.io/v1',
  kind: 'PartialObjectMetadata',
  metadata,
});
const status = (code: number, message: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  message,
});

/** The list and watch parts of a Kubernetes API server, over real HTTP: pages, versions, bookmarks, and versions that it has forgotten. */
export class FakeKubernetes {
  url = '';
  readonly requests: { readonly url: string; readonly authorization: string | undefined }[] = [];
  /** Paths that are refused with this status. */
  readonly refused = new Map<string, number>();
  #version = 100;
  readonly #objects = new Map<string, Map<string, FakeObject>>();
  readonly #history = new Map<string, FakeChange[]>();
  readonly #forgotten = new Map<string, number>();
  readonly #pages = new Map<string, { readonly items: readonly FakeObject[]; readonly version: string }>();
  readonly #watchers = new Set<FakeWatcher>();
  readonly #server = createServer((request, response) => this.#answer(request, response));

  static async open(): Promise<FakeKubernetes> {
    const fake = new FakeKubernetes();
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    fake.url = `http://127.0.0.1:${(fake.#server.address() as AddressInfo).port}`;
    return fake;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  get watching(): number {
    return this.#watchers.size;
  }

  #of(path: string): Map<string, FakeObject> {
    const known = this.#objects.get(path) ?? new Map<string, FakeObject>();
    this.#objects.set(path, known);
    return known;
  }

  objects(path: string): readonly FakeObject[] {
    return [...this.#of(path).values()];
  }

  put(path: string, object: FakeObject): void {
    const before = this.#of(path).get(idOf(object));
    const version = String(++this.#version);
    const metadata = { uid: before?.metadata.uid ?? `uid-${version}`, ...object.metadata, resourceVersion: version };
    const stored = { ...object, metadata };
    this.#of(path).set(idOf(stored), stored);
    this.#tell(path, before === undefined ? 'ADDED' : 'MODIFIED', stored);
  }

  remove(path: string, id: string): void {
    const before = this.#of(path).get(id);
    if (before === undefined) return;
    this.#of(path).delete(id);
    const metadata = { ...before.metadata, resourceVersion: String(++this.#version) };
    this.#tell(path, 'DELETED', { ...before, metadata });
  }

  #tell(path: string, type: FakeChange['type'], object: FakeObject): void {
    this.#history.set(path, [...(this.#history.get(path) ?? []).slice(-500), { type, object, version: this.#version }]);
    for (const watcher of this.#watchers) if (watcher.path === path) watcher.write({ type, object });
  }

  /** Versions up to now are not known any more, neither to watches nor to pages. */
  forget(path: string): void {
    this.#history.delete(path);
    this.#forgotten.set(path, this.#version);
    this.#pages.clear();
  }

  /** Ends all watches: in the middle of a line, with an error line, or cleanly. */
  drop(how: 'cut' | 'gone' | 'end', path?: string): void {
    for (const watcher of this.#watchers) {
      if (path !== undefined && watcher.path !== path) continue;
      if (how === 'gone') watcher.write({ type: 'ERROR', object: status(410, 'too old resource version') });
      if (how === 'cut') {
        watcher.response.write('{"type":"MODIFIED","obj');
        watcher.response.socket?.destroy();
      } else watcher.response.end();
      this.#watchers.delete(watcher);
    }
  }

  bookmark(): void {
    for (const { write } of this.#watchers)
      write({ type: 'BOOKMARK', object: { kind: 'Pod', metadata: { resourceVersion: String(this.#version) } } });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', 'http://kubernetes');
    const { pathname: path } = url;
    this.requests.push({ url: request.url ?? '', authorization: request.headers.authorization });
    const shape: Shape = request.headers.accept?.includes('as=PartialObjectMetadata') ? metadataOf : (object) => object;
    const refused = this.refused.get(path);
    if (refused !== undefined) this.#reply(response, refused, status(refused, `${path} is forbidden`));
    else if (url.searchParams.get('watch')) this.#watch(url, shape, response);
    else this.#list(url, shape, response);
  }

  #reply(response: ServerResponse, code: number, body: object): void {
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #list({ pathname: path, searchParams }: URL, shape: Shape, response: ServerResponse): void {
    const next = searchParams.get('continue');
    const page = next === null ? { items: this.objects(path), version: String(this.#version) } : this.#pages.get(next);
    if (page === undefined) {
      this.#reply(response, 410, status(410, 'the continue parameter is too old'));
      return;
    }
    const limit = Number(searchParams.get('limit') ?? 0) || page.items.length;
    const rest = page.items.slice(limit);
    const token = rest.length === 0 ? '' : `${path} ${page.version} ${rest.length}`;
    if (token !== '') this.#pages.set(token, { items: rest, version: page.version });
    const metadata = { resourceVersion: page.version, continue: token };
    this.#reply(response, 200, { kind: 'List', metadata, items: page.items.slice(0, limit).map(shape) });
  }

  #watch({ pathname: path, searchParams }: URL, shape: Shape, response: ServerResponse): void {
    const since = Number(searchParams.get('resourceVersion') ?? 0);
    const history = this.#history.get(path) ?? [];
    const oldest = history.length > 500 ? (history[0]?.version ?? 0) : (this.#forgotten.get(path) ?? 0);
    if (since < oldest) {
      this.#reply(response, 410, status(410, 'too old resource version'));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const write = (line: object): void => {
      const { type, object } = line as FakeChange;
      const isObject = type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED';
      response.write(`${JSON.stringify(isObject ? { type, object: shape(object) } : line)}\n`);
    };
    for (const change of history) if (change.version > since) write(change);
    const watcher = { path, write, response };
    this.#watchers.add(watcher);
    response.on('close', () => this.#watchers.delete(watcher));
  }
}
