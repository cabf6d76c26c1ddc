import { Fault } from '#domain/fault.ts';
import type { AnyProcessor } from '#domain/pipeline/processor.ts';
import type { Operations, ProcessorReport, TopicReport } from '#domain/ports/operations.ts';
import { eventsIncoming, subjectOf, topics } from '#schemas/topics/topics.ts';
import type { Runner } from './runner/runner.ts';
import type { SinkLoop } from './sinks/sink-loop.ts';

const MEMBER = { id: 'this process', host: 'localhost', partitions: [0] };

type Status = Runner['status'];

const troubleOf = ({ state, lastError }: Status): ProcessorReport['trouble'] => {
  if (state === 'running') return null;
  return { kind: 'failing', detail: lastError === null ? state : `${state}: ${lastError}` };
};

/** A batch passes all processors before the next one: only the first can lag. */
const reportOf = (status: Status, { name, input, kind }: AnyProcessor): ProcessorReport => {
  const { position, waiting, lastError } = status;
  const lag = input === eventsIncoming ? waiting : 0;
  return {
    name,
    kind,
    input,
    paused: null,
    members: [MEMBER],
    trouble: troubleOf(status),
    partitions: [{ partition: 0, position: position + 1, end: position + 1 + lag, lag, member: MEMBER.id }],
    lastError: lastError === null ? null : { message: lastError, at: null },
  };
};

type Loop = Pick<SinkLoop, 'sink' | 'status'>;

/** A sink reads its entries at its own pace. */
const sinkReport = ({ sink: { name, kind, input }, status }: Loop): ProcessorReport => {
  const { through, lag, lastError, paused } = status;
  const position = through + 1;
  return {
    name,
    kind,
    input,
    paused,
    members: [MEMBER],
    lastError,
    partitions: [{ partition: 0, position, end: position + lag, lag, member: MEMBER.id }],
    trouble: lastError === null ? null : { kind: 'failing', detail: lastError.message },
  };
};

const NOT_SAVED = 'The store rejected it; the record itself was processed';

/** One process with one partition: topics are lists in memory. */
export const openOperations = (runner: Pick<Runner, 'status' | 'stages'>, sinks: readonly Loop[] = []): Operations => ({
  pipeline: async () => [
    ...runner.stages.map(({ processor }) => reportOf(runner.status, processor)),
    ...sinks.map(sinkReport),
  ],
  partitionOf: () => 0,
  async topics() {
    const end = runner.status.position + 1;
    return topics.map(
      ({ name, key, compacted }): TopicReport => ({
        name,
        key,
        compacted,
        storage: 'memory',
        retentionMs: null,
        schema: { subject: subjectOf(name), version: null, id: null },
        partitions: [{ partition: 0, first: end, end }],
      }),
    );
  },
  async readLetter({ content }) {
    if (content.kind === 'json') return content.record;
    if (content.kind === 'document') return JSON.parse(Buffer.from(content.base64, 'base64').toString()) as unknown;
    throw new Fault('invalid', 'Written in distributed mode; unknown schema');
  },
  whyNotSaved: () => NOT_SAVED,
  async saveAgain() {
    throw new Fault('invalid', NOT_SAVED);
  },
});
