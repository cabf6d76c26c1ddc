import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import { itemAt } from '#domain/assert.ts';
import { hash128 } from '#domain/hash.ts';
import type { Embedder } from '#domain/ports/model/embedder.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SearchDocument, SearchKind } from '#domain/search/document.ts';
import { slices } from '#domain/slices.ts';
import { EMBEDDED_KINDS, hostsOf, leaving, meaningOf } from '#features/search/rules/embedded-text.ts';
import { type OpenSpace, packed } from '#features/search/rules/vector-space.ts';
import { appendVectors, compactVectors, type NewVector, openSpace } from './vector-log.ts';

/** Texts of one request: with their length, less than 4,000 tokens. */
const PER_REQUEST = 16;
/** Documents read at once, and of each kind, the newest. */
const PART = 500;
const MOST = 20_000;
/** Interval of full checks, ms; in between the newest documents suffice, as new ones are among them. */
const LOOK_AGAIN_MS = 3_600_000;
/** Time limits per tenant, and per request, ms. */
const TURN_MS = 20_000;
const REQUEST_MS = 60_000;
const SERVICE = 'search-index';

interface DueDocument {
  readonly document: SearchDocument;
  readonly text: string;
  readonly hash: string;
}
interface Work {
  readonly ports: Ports;
  readonly embedder: Embedder;
  readonly tenant: string;
  readonly open: OpenSpace;
  readonly pseudonymise: boolean;
  readonly isOver: () => boolean;
}

const dueAmong = ({ embedder, open, pseudonymise }: Work, documents: readonly SearchDocument[]): DueDocument[] =>
  documents.flatMap((document) => {
    const text = leaving(meaningOf(document), pseudonymise, hostsOf(document));
    const hash = hash128(`${embedder.model}\n${text}`);
    return text === '' || open.space.has(document, hash) ? [] : [{ document, text, hash }];
  });

/** False without vectors: the next run tries again. */
async function embed({ ports, embedder, tenant }: Work, due: readonly DueDocument[]): Promise<boolean> {
  const purpose = { tenant, service: SERVICE, department: null, requestId: null, isAutomatic: true };
  const request = { purpose, texts: due.map(({ text }) => text), until: ports.clock.now() + REQUEST_MS };
  const reply = await embedder.embed(request, new AbortController().signal);
  if ('failure' in reply) return false;
  const made = due.map(
    ({ document, hash }, i): NewVector => ({ ref: document, hash, vector: packed(itemAt(reply.vectors, i)) }),
  );
  await appendVectors(ports, tenant, made);
  return true;
}

async function embedAll(work: Work, due: readonly DueDocument[]): Promise<boolean> {
  for (const some of slices(due, PER_REQUEST)) if (work.isOver() || !(await embed(work, some))) return false;
  return true;
}

/** Goes through the documents of a kind, the newest first; `met` gets the ids of all. False when something is left to do. */
async function embedKind(work: Work, kind: SearchKind, met: Set<string> | null): Promise<boolean> {
  let [after, seen]: [string | undefined, number] = [undefined, 0];
  do {
    const options = { kind, limit: PART, ...(after !== undefined && { after }) };
    const { documents, next } = await work.ports.searchIndex.list(work.tenant, options);
    for (const { id } of documents) met?.add(`${kind} ${id}`);
    const due = dueAmong(work, documents);
    if (!(await embedAll(work, due))) return false;
    seen += documents.length;
    if (next === null || (met === null && due.length === 0)) break;
    after = next;
  } while (seen < MOST);
  return true;
}

async function embedTenant(ports: Ports, embedder: Embedder, tenant: string, isStopping: () => boolean): Promise<void> {
  const open = await openSpace(ports, tenant);
  const { clock } = ports;
  const [lookedAt, began] = [clock.now(), clock.steady()];
  const { pseudonymise } = await aiSettings(ports.records, tenant);
  const isOver = (): boolean => isStopping() || clock.steady() - began > TURN_MS;
  const work: Work = { ports, embedder, tenant, open, pseudonymise, isOver };
  const met = lookedAt - open.lookedAt >= LOOK_AGAIN_MS ? new Set<string>() : null;
  for (const kind of EMBEDDED_KINDS) if (!(await embedKind(work, kind, met))) return;
  await openSpace(ports, tenant);
  if (met === null) return;
  for (const one of [...open.space.all()]) if (!met.has(`${one.kind} ${one.id}`)) open.space.delete(one);
  await compactVectors(ports, tenant, open);
  open.lookedAt = lookedAt;
}

/** Makes vectors of documents that are new or mean something else by now. What a failure or the budget holds up is tried again. */
export const embedDue = async (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const { embedder } = ports;
  if (embedder === null) return;
  const failed = (count: number): string => `Couldn't compute search vectors of ${count} tenants`;
  await eachActiveTenant(ports.records, { isStopping, failed }, (tenant) =>
    embedTenant(ports, embedder, tenant, isStopping),
  );
};
