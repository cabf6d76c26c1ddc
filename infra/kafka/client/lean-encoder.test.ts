import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { leanEncoders } from './lean-encoder.ts';

interface Encoder {
  readonly buffer: Buffer;
  readonly buf: Buffer;
  writeInt32(value: number): Encoder;
  writeString(value: string | null): Encoder;
  writeVarIntBytes(value: Buffer | null): Encoder;
  writeEncoder(value: Encoder): Encoder;
}
const require = createRequire(import.meta.url);
// Loads the original of kafkajs, even if this process has patched it before.
delete require.cache[require.resolve('kafkajs/src/protocol/encoder')];
const Encoder = require('kafkajs/src/protocol/encoder') as new (size?: number) => Encoder;

const step = fc.oneof(
  fc.integer().map((value) => ({ kind: 'int' as const, value })),
  fc.option(fc.string({ maxLength: 700 })).map((value) => ({ kind: 'string' as const, value })),
  fc.option(fc.uint8Array({ maxLength: 3_000 })).map((value) => ({ kind: 'bytes' as const, value })),
);

const steps = fc.array(step, { maxLength: 12 });
const samples = fc.sample(fc.tuple(fc.array(steps, { maxLength: 4 }), fc.constantFrom(undefined, 16, 511, 5_000)), 200);

const written = (): string[] =>
  samples.map(([parts, size]) => {
    const whole = new Encoder(size);
    for (const part of parts) {
      const one = new Encoder();
      for (const { kind, value } of part)
        if (kind === 'int') one.writeInt32(value);
        else if (kind === 'string') one.writeString(value);
        else one.writeVarIntBytes(value === null ? null : Buffer.from(value));
      whole.writeEncoder(one);
    }
    return whole.buffer.toString('hex');
  });

test('encoders that begin with nothing write what those of kafkajs write', () => {
  expect(new Encoder().buf).toHaveLength(512);
  const plain = written();
  leanEncoders();
  expect(new Encoder().buf).toHaveLength(0);
  expect(written()).toEqual(plain);
});
