import { aiSettings } from '#application/records/tenant-settings.ts';
import { firstItem } from '#domain/known.ts';
import type { SearchKind } from '#domain/search/document.ts';
import type { Degraded } from '#features/ai/rules/degraded.ts';
import type { Asking } from '#features/ai/use-cases/answer.ts';
import { degradedBy } from '#features/ai/use-cases/ask.ts';
import { leaving } from '#features/search/rules/embedded-text.ts';
import type { Near } from '#features/search/rules/vector-space.ts';
import { openSpace } from './vector-log.ts';

const SERVICE = 'search';
/** A search waits no longer, ms; the words are found meanwhile. */
const TOTAL_MS = 5_000;
const TO_ANSWER_MS = 1_000;

/** Documents that mean something like it, most alike first; or why it is not known. */
export async function findByMeaning(
  { ports, tenant, department, requestId, signal }: Asking,
  text: string,
  wanted: { readonly kinds: readonly SearchKind[]; readonly limit: number },
): Promise<readonly Near[] | Degraded> {
  const { embedder, clock, deadline, records } = ports;
  if (embedder === null) return 'no_model';
  const { space } = await openSpace(ports, tenant);
  if (space.size === 0) return 'busy';
  const { pseudonymise } = await aiSettings(records, tenant);
  const said = leaving(text, pseudonymise);
  if (said === '') return [];
  const purpose = { tenant, service: SERVICE, department, requestId, isAutomatic: false };
  const until = clock.now() + Math.min(TOTAL_MS, deadline.left() - TO_ANSWER_MS);
  const reply = await embedder.embed({ purpose, texts: [said], until }, signal);
  return 'failure' in reply ? degradedBy(reply.failure) : space.nearest(firstItem(reply.vectors), wanted);
}
