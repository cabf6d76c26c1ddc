import { eventsIncoming, eventsRejected } from '#schemas/topics/topics.ts';
import type { RejectedRecord } from '#schemas/topics/values.ts';
import type { Problem } from './check.ts';
import { POISON } from './poison.ts';
import type { Log } from './replay.ts';
import type { StoredDeadLetter } from './stored.ts';

interface Bad {
  readonly kind: string;
  readonly value: Buffer;
}

const keyOf = ({ topic, partition, offset }: Pick<StoredDeadLetter, 'topic' | 'partition' | 'offset'>): string =>
  `${topic}/${partition}/${offset}`;

const appended = ({ topics }: Log): Map<string, Bad> => {
  const bad = new Map<string, Bad>();
  for (const [partition, messages] of topics.get(eventsIncoming)!)
    for (const { headers, offset, value } of messages)
      if (headers?.[POISON] !== undefined) {
        const key = keyOf({ topic: eventsIncoming, partition, offset: Number(offset) });
        bad.set(key, { kind: String(headers[POISON]), value: value ?? Buffer.alloc(0) });
      }
  return bad;
};

const lettersInLog = async ({ topics, codecs }: Log): Promise<Map<string, RejectedRecord>> => {
  const letters = new Map<string, RejectedRecord>();
  for (const messages of topics.get(eventsRejected)!.values())
    for (const { value } of messages) {
      const letter = (await codecs.decode(eventsRejected, value!)) as RejectedRecord;
      letters.set(keyOf(letter), letter);
    }
  return letters;
};

/** Every bad record is among the dead letters, with its reason, in the API and in the log; no other record is. */
export const checkPoison = async (
  log: Log,
  stored: readonly StoredDeadLetter[],
): Promise<{ readonly appended: number; readonly found: number; readonly problems: readonly Problem[] }> => {
  const bad = appended(log);
  const inStore = new Map(stored.map((letter) => [keyOf(letter), letter]));
  const inLog = await lettersInLog(log);
  const problems: Problem[] = [];
  const report = (what: string): void => void problems.push({ kind: 'poison', phase: 'throughout', what });
  let found = 0;
  for (const [key, { kind, value }] of bad) {
    const [kept, sent] = [inStore.get(key), inLog.get(key)];
    if (!kept?.reason) report(`${key} (${kind}) is not among the stored dead letters`);
    else if (!sent?.reason) report(`${key} (${kind}) is not in ${eventsRejected}`);
    else if (!value.equals(Buffer.from(kept.value, 'base64')) || !value.equals(sent.value))
      report(`${key} (${kind}) is a dead letter with another value`);
    else found += 1;
  }
  for (const [key, { processor, reason }] of new Map<string, Pick<StoredDeadLetter, 'processor' | 'reason'>>([
    ...inLog,
    ...inStore,
  ]))
    if (!bad.has(key)) report(`${key} was a good record and is a dead letter of ${processor}: ${reason}`);
  return { appended: bad.size, found, problems };
};
