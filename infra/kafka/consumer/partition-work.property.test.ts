import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Commit } from '#infra/kafka/owner/commits.ts';
import type { Input, Owner } from '#infra/kafka/owner/owner.ts';
import type { Fetched } from '#infra/kafka/owner/wire.ts';
import { PartitionWork } from './partition-work.ts';

const RECORDS = 400;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const recordAt = (offset: number): Fetched => ({ offset: String(offset), timestamp: '0', key: null, value: null });
const inputOf = ({ offset }: Fetched): Input => ({
  offset: Number(offset),
  at: 0,
  entry: { tenant: 't', position: 0, value: null },
  writer: '',
  serial: 0,
  reply: null,
  raw: Buffer.alloc(0),
  fault: null,
});

/** A client of one partition like kafkajs: a seek applies before the next fetch; one fetch may be in flight then. */
class FakeClient {
  position = 0;
  paused = false;
  #sought: number | null = null;
  #isUnderWay = false;
  /** Records up to here are not in the log any more. */
  readonly begin: number;

  constructor(begin: number) {
    this.begin = begin;
  }

  readonly control = {
    seek: (offset: number) => {
      this.#isUnderWay = this.#sought === null;
      this.#sought = offset;
    },
    pause: () => {
      this.paused = true;
    },
    resume: () => {
      this.paused = false;
    },
  };

  /** Returns the result of one fetch; `stale`: it began before the last seek. */
  fetch(size: number, stale: boolean): Fetched[] {
    if (this.#sought !== null && !(stale && this.#isUnderWay)) {
      this.position = this.#sought;
      this.#sought = null;
    } else this.#isUnderWay = false;
    if (this.paused) return [];
    this.position = Math.max(this.position, this.begin);
    const end = Math.min(RECORDS, this.position + size);
    return Array.from({ length: Math.max(0, end - this.position) }, (_, i) => recordAt(this.position + i));
  }
}

interface Plan {
  /** Distance before the first unfinished record at which a new owner begins. */
  readonly back: number;
  /** Batches until an owner fails. */
  readonly lives: number;
}

class Killed extends Error {}

test('every owner gets all records from where it begins, in order and without gaps, whatever fails', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ size: fc.integer({ min: 1, max: 90 }), stale: fc.boolean(), turns: fc.nat(3) }), {
        minLength: 1,
        maxLength: 40,
      }),
      fc.array(fc.record({ back: fc.nat(30), lives: fc.nat(4) }), { maxLength: 6 }),
      fc.nat(30),
      async (fetches, plans, begin) => {
        const client = new FakeClient(begin);
        const commits: Commit[] = [];
        const gaps: string[] = [];
        let finished = begin;
        let opened = 0;
        const openOwner = (): Owner => {
          const { back, lives }: Plan = plans[opened++] ?? { back: 0, lives: Number.POSITIVE_INFINITY };
          const from = Math.max(0, finished - back);
          let next = Math.max(from, begin);
          let left = lives;
          return {
            open: async () => from,
            take: async (inputs) => {
              await turn();
              for (const { offset } of inputs) {
                if (offset !== next) gaps.push(`owner ${opened} got ${offset} instead of ${next}`);
                next = offset + 1;
              }
              if (left-- === 0) throw new Killed();
              finished = Math.max(finished, next);
              return { metadata: String(next) };
            },
          } as Owner;
        };
        const work = new PartitionWork({
          control: client.control,
          openOwner,
          before: Promise.resolve(),
          read: async (records) => records.map(inputOf),
          done: (commit) => commits.push(commit),
          failed: (error) => {
            if (!(error instanceof Killed)) throw error;
            return 0;
          },
        });
        const step = async (size: number, stale: boolean, turns: number): Promise<void> => {
          const records = client.fetch(size, stale);
          if (records.length > 0 && work.push(records)) client.position = Number(records.at(-1)!.offset) + 1;
          for (let i = 0; i < turns; i++) await turn();
        };
        for (const { size, stale, turns } of fetches) await step(size, stale, turns);
        for (let i = 0; i < 3_000 && finished < RECORDS; i++) await step(50, false, 2);
        await work.stop();
        expect(gaps).toEqual([]);
        expect(finished).toBe(RECORDS);
        expect(commits.at(-1)?.offset).toBe(RECORDS);
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
});
