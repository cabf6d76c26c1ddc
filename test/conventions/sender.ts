import { finding, gapMs } from '#domain/correlation/calibration.ts';
import type { Strategy } from '#domain/correlation/strategy.ts';

/** Weight of a common sender of two events, 0 to 1. */
interface SenderOwn {
  readonly worth: number;
}

/** A strategy that the program does not have: events of one sender. Tests add it as a sixth. */
export const sender: Strategy<SenderOwn> = {
  name: 'sender',
  words: { label: 'Same sender', setting: 'The same sender', by: 'sender', help: 'One monitor sent both.' },
  defaults: { enabled: true, windowMs: 3_600_000, worth: 0.6 },
  own: { worth: { kind: 'number', words: 'is worth', least: 0, most: 1, step: 0.05 } },
  keys: ({ source }) => (source === undefined ? [] : [source]),
  lookup: ({ arrival: { source }, settings: { candidates } }) => ({
    keys: source === undefined ? [] : [source],
    perKey: candidates.perKey,
    total: candidates.perKey,
  }),
  score: ({ arrival }, other, { worth }) =>
    arrival.source === other.source ? finding(worth, 1, 'same_sender', { gapMs: gapMs(arrival, other) }) : null,
  inputs: ({ arrival }, other) => ({ senders: [arrival.source, other.source] }),
  noMatchReason: () => 'they have different senders',
};
