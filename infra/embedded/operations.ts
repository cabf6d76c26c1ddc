import { Fault } from '#domain/fault.ts';
import type { Operations, ProcessorReport, TopicReport } from '#domain/ports/operations.ts';
import { correlationChanges, eventsIncoming, eventsSaved, subjectOf, topics } from '#schemas/topics/topics.ts';
import type { Database } from './database.ts';
import type { Runner } from './runner.ts';

const MEMBER = { id: 'this process', host: 'localhost', partitions: [0] };
const OUTBOX: readonly string[] = [eventsSaved, correlationChanges];

type Status = Runner['status'];

const troubleOf = ({ state, lastError }: Status): ProcessorReport['trouble'] => {
  if (state === 'running') return null;
  return { kind: 'failing', detail: lastError === null ? state : `${state}: ${lastError}` };
};

/** A batch goes through all processors before the next one: only the first can be behind. */
const reportOf = (status: Status, { name, input }: { name: string; input: string }): ProcessorReport => {
  const { position, waiting, lastError } = status;
  const lag = input === eventsIncoming ? waiting : 0;
  return {
    ...{ name, input, members: [MEMBER], trouble: troubleOf(status) },
    partitions: [{ partition: 0, position: position + 1, end: position + 1 + lag, lag, member: MEMBER.id }],
    lastError: lastError === null ? null : { message: lastError, at: null },
  };
};

const NOT_SAVED = 'It is what the store refused; its record was handled';

/** One process with one partition: topics are lists in memory, but for what is kept for readers that lag. */
export const openOperations = (runner: Pick<Runner, 'status' | 'stages'>, database: Database): Operations => {
  const firstKept = (topic: string, next: number): number => {
    const select = 'SELECT min(first) AS first FROM outbox WHERE topic = ?';
    return Number(database.statement(select).get(topic)?.first ?? next);
  };
  return {
    pipeline: async () => runner.stages.map(({ processor }) => reportOf(runner.status, processor)),
    partitionOf: () => 0,
    async topics() {
      const end = runner.status.position + 1;
      return topics.map(({ name, key, compacted }): TopicReport => {
        const isKept = OUTBOX.includes(name);
        return {
          ...{ name, key, compacted, storage: isKept ? 'outbox' : 'memory', retentionMs: null },
          schema: { subject: subjectOf(name), version: null, id: null },
          partitions: [{ partition: 0, first: isKept ? firstKept(name, end) : end, end }],
        };
      });
    },
    async readLetter({ content }) {
      if (content.kind === 'json') return content.record;
      if (content.kind === 'document') return JSON.parse(Buffer.from(content.base64, 'base64').toString()) as unknown;
      throw new Fault('invalid', 'It was written in distributed mode, and its schema is not known here');
    },
    whyNotSaved: () => NOT_SAVED,
    async saveAgain() {
      throw new Fault('invalid', NOT_SAVED);
    },
  };
};
