import { isOvertaken } from '#domain/fault.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { dayOf, USAGE_KEPT_MS, USAGE_KINDS } from '#features/ai/rules/usage.ts';

type RulesPorts = Pick<Ports, 'records' | 'clock' | 'memory'>;
const SEPARATOR = ' ';
/** Answers of the rules that are counted and not stored yet, by tenant and day. */
const COUNTED: MemorySlot<Map<string, number>> = { name: 'rules-answers', open: () => new Map() };

/** Counts an answer of the rules, in memory; a minute of counts is lost with the process. */
export const countRulesAnswer = ({ clock, memory }: Pick<Ports, 'clock' | 'memory'>, tenant: string): void => {
  const key = tenant + SEPARATOR + dayOf(clock.now());
  const counted = memory.of(COUNTED);
  counted.set(key, (counted.get(key) ?? 0) + 1);
};

/** Counts of a day in this process that are not stored yet. */
export const unstoredAnswers = ({ memory }: Pick<Ports, 'memory'>, tenant: string, day: string): number =>
  memory.of(COUNTED).get(tenant + SEPARATOR + day) ?? 0;

const addTo = async ({ records, clock }: RulesPorts, tenant: string, day: string, count: number): Promise<void> => {
  const stored = await records.get<{ readonly answers: number }>(tenant, USAGE_KINDS.rules, day);
  const answers = (stored?.body.answers ?? 0) + count;
  const options = { expected: stored?.revision ?? 0, expiresAt: clock.now() + USAGE_KEPT_MS };
  await records.put(tenant, USAGE_KINDS.rules, day, { answers }, options);
};

/** Stores the counts of this process. A count that another process crosses stays for the next run. */
export const storeRulesAnswers = async (ports: RulesPorts, isStopping: () => boolean): Promise<void> => {
  const counted = ports.memory.of(COUNTED);
  for (const [key, count] of [...counted]) {
    if (isStopping()) return;
    const [tenant = '', day = ''] = key.split(SEPARATOR);
    try {
      await addTo(ports, tenant, day, count);
    } catch (error) {
      if (isOvertaken(error)) continue;
      throw error;
    }
    const rest = (counted.get(key) ?? 0) - count;
    if (rest === 0) counted.delete(key);
    else counted.set(key, rest);
  }
};
