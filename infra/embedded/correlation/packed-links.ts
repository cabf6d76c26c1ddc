import type { Link, Reason } from '#domain/event/incoming.ts';
import { itemAt } from '#domain/known.ts';

/** What the reasons of a decision have in common, said once: strategy, reason, names of the details. */
export type Shape = readonly [strategy: string, reason: string, ...names: string[]];
/** Place of the shape, score, values of the details, and the literal score where it is another. */
type PackedReason = readonly [shape: number, score: number, ...values: unknown[]];
/** Partner, reasons, and where they are not the best of the reasons': score and literal score. */
export type PackedLink = readonly [string, readonly PackedReason[], ...scores: (number | null)[]];

const best = (reasons: readonly { readonly score: number }[]): number => {
  let most = Number.NEGATIVE_INFINITY;
  for (const { score } of reasons) most = Math.max(most, score);
  return most;
};

/** Newest shapes that are compared one by one before the text is made by which all are known: a decision has few. */
const COMPARED = 8;

const isOf = (shape: Shape, { strategy, reason, details }: Reason): boolean => {
  if (shape[0] !== strategy || shape[1] !== reason) return false;
  let place = 2;
  for (const name in details) if (details[name] !== undefined && shape[place++] !== name) return false;
  return place === shape.length;
};

/** Links as a decision stores them: without field names and without saying twice what is equal, which halves them. */
export function packLinks(links: readonly Link[]): { shapes: Shape[]; links: PackedLink[] } {
  const shapes: Shape[] = [];
  const places = new Map<string, number>();
  const placeOf = (asked: Reason): number => {
    for (let place = shapes.length - 1; place >= Math.max(0, shapes.length - COMPARED); place--)
      if (isOf(itemAt(shapes, place), asked)) return place;
    const { strategy, reason, details } = asked;
    const shape: Shape = [strategy, reason, ...Object.keys(details).filter((name) => details[name] !== undefined)];
    const key = shape.join('\n');
    const known = places.get(key) ?? shapes.push(shape) - 1;
    places.set(key, known);
    return known;
  };
  const packReason = (packed: Reason): PackedReason => {
    const { score, literalScore, details } = packed;
    const whole: [number, number, ...unknown[]] = [placeOf(packed), score];
    for (const name in details) if (details[name] !== undefined) whole.push(details[name]);
    if (literalScore !== score) whole.push(literalScore);
    return whole;
  };
  const packLink = ({ other, score, literalScore, reasons }: Link): PackedLink => {
    const packed = reasons.map(packReason);
    if (literalScore !== score) return [other, packed, score, literalScore];
    return score === best(reasons) ? [other, packed] : [other, packed, score];
  };
  return { shapes, links: links.map(packLink) };
}

const unpackReason = ([place, score, ...values]: PackedReason, shapes: readonly Shape[]): Reason => {
  const [strategy, reason, ...names] = itemAt(shapes, place);
  const details = Object.fromEntries(names.map((name, i) => [name, values[i]]));
  const literalScore = (values[names.length] as number | undefined) ?? score;
  return { strategy, score, literalScore, reason, details };
};

export const unpackLinks = (shapes: readonly Shape[], links: readonly PackedLink[]): Link[] =>
  links.map(([other, packed, stored, literal]) => {
    const reasons = packed.map((reason) => unpackReason(reason, shapes));
    const score = stored ?? best(reasons);
    return { other, score, literalScore: literal ?? score, reasons };
  });
