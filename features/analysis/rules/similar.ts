/** A group as it is compared. */
export interface IncidentShape {
  readonly signatures: ReadonlySet<string>;
  readonly cis: ReadonlySet<string>;
  readonly services: ReadonlySet<string>;
  readonly size: number;
}

export interface SimilarIncident {
  readonly groupId: string;
  /** 0 to 1. */
  readonly likeness: number;
  readonly at: number;
  readonly title: string;
  readonly subject: string;
  readonly durationMs: number | null;
  readonly by: string | null;
  readonly note: string | null;
}

const WEIGHTS = { signatures: 0.5, cis: 0.25, services: 0.1, shape: 0.15 } as const;
const HALF_LIFE_MS = 120 * 86_400_000;
/** Below it two incidents have little in common. */
export const ALIKE_FROM = 0.2;
export const MOST_SIMILAR = 3;

const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const both = [...a].filter((one) => b.has(one)).length;
  const smaller = Math.min(a.size, b.size);
  return smaller === 0 ? 0 : both / (a.size + b.size - both) / 2 + both / smaller / 2;
};

/** 0 to 1: shared problems, CIs and services, and how alike in size; less with age. */
export function likenessOf(a: IncidentShape, b: IncidentShape, ageMs: number): number {
  const shape = Math.min(a.size, b.size) / Math.max(1, a.size, b.size);
  const alike =
    WEIGHTS.signatures * shared(a.signatures, b.signatures) +
    WEIGHTS.cis * shared(a.cis, b.cis) +
    WEIGHTS.services * shared(a.services, b.services) +
    WEIGHTS.shape * shape;
  return alike * 2 ** (-Math.max(0, ageMs) / HALF_LIFE_MS);
}
