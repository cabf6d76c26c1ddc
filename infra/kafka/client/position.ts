/** An epoch has room for 2^40 offsets: 1.7 years at 20,000 records a second in one partition. */
const OFFSETS = 2 ** 40;
/** Positions stay below 2^53 − 1, so that they are exact numbers, also as Avro's long. */
export const MAX_EPOCH = 2 ** 13 - 2;

const whole = (value: number, below: number, what: string): number => {
  if (!Number.isInteger(value) || value < 0 || value >= below) throw new RangeError(`${what} ${value} is out of range`);
  return value;
};

/** Position of a record of `events.incoming`: epoch · 2^40 + offset. The epoch is raised when topics are made anew. */
export const positionOf = (epoch: number, offset: number | string): number =>
  whole(epoch, MAX_EPOCH + 1, 'Epoch') * OFFSETS + whole(Number(offset), OFFSETS, 'Offset');
