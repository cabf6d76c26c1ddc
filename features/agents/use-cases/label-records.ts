import type { RecordStore } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { AgentId } from '#features/agents/rules/agents.ts';
import { type Label, type LabelSubject, standingLabels } from '#features/agents/rules/label.ts';

const KIND = 'agent-label';
const DAY_MS = 86_400_000;
const KEPT_MS = 400 * DAY_MS;
/** Maximum number of labels to read per agent, and per request. */
const MOST = 10_000;
const CHUNK = 1_000;

/** Replaces the user ID in the storage ID of an outcome. */
const OUTCOME = '-';
const idOf = ({ agent, subject, user }: Pick<Label, 'agent' | 'subject' | 'user'>): string =>
  `${agent}/${subject.kind}:${subject.id}/${user ?? OUTCOME}`;

/** Replaces an earlier label of the same user, or of the outcome. */
export const storeLabel = async (
  records: RecordStore,
  tenant: string,
  label: Label,
  sideRecords: readonly SideRecord[] = [],
): Promise<void> => {
  await records.put(tenant, KIND, idOf(label), label, { expiresAt: label.at + KEPT_MS, sideRecords });
};

/** True if the decision has already been judged by its outcome. */
export const hasOutcome = async (
  records: RecordStore,
  tenant: string,
  agent: AgentId,
  subject: LabelSubject,
): Promise<boolean> => (await records.get(tenant, KIND, idOf({ agent, subject, user: null }))) !== null;

/** Returns the labels in force, for decisions judged since `from` (ms). */
export async function labelsOf(records: RecordStore, tenant: string, agent: AgentId, from: number): Promise<Label[]> {
  const found: Label[] = [];
  let after = `${agent}/`;
  for (let more = true; more && found.length < MOST; ) {
    const chunk = await records.list<Label>(tenant, KIND, { after, limit: CHUNK });
    const own = chunk.filter(({ id }) => id.startsWith(`${agent}/`));
    found.push(...own.map(({ body }) => body));
    after = chunk.at(-1)?.id ?? after;
    more = own.length === CHUNK;
  }
  return standingLabels(found.filter(({ at }) => at >= from));
}
