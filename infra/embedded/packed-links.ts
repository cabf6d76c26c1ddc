import type { Link, Reason } from '#domain/event/incoming.ts';

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

/** Links as a decision stores them: without field names and without saying twice what is equal, which halves them. */
export function packLinks(links: readonly Link[]): { shapes: Shape[]; links: PackedLink[] } {
  const shapes: Shape[] = [];
  const places = new Map<string, number>();
  const placeOf = (shape: Shape): number => {
    const key = shape.join('\n');
    let place = places.get(key);
    if (place === undefined) {
      place = shapes.push(shape) - 1;
      places.set(key, place);
    }
    return place;
  };
  const packReason = ({ strategy, score, literalScore, reason, details }: Reason): PackedReason => {
    const names = Object.keys(details).filter((name) => details[name] !== undefined);
    const values = names.map((name) => details[name]);
    const place = placeOf([strategy, reason, ...names]);
    return literalScore === score ? [place, score, ...values] : [place, score, ...values, literalScore];
  };
  const packLink = ({ other, score, literalScore, reasons }: Link): PackedLink => {
    const packed = reasons.map(packReason);
    if (literalScore !== score) return [other, packed, score, literalScore];
    return score === best(reasons) ? [other, packed] : [other, packed, score];
  };
  return { shapes, links: links.map(packLink) };
}

const unpackReason = ([place, score, ...values]: PackedReason, shapes: readonly Shape[]): Reason => {
  const [strategy, reason, ...names] = shapes[place]!;
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
