import { useState } from 'react';
import { type Draft, wished } from './draft.ts';
import type { Value } from './field.ts';

export interface Drafting {
  readonly draft: Draft;
  /** What stood when the first wish was made; what stands, while there is none. */
  readonly before: unknown;
  readonly wish: (path: string, value: Value) => void;
  readonly replace: (draft: Draft) => void;
  /** Somebody else has saved: from now on wishes are compared with that. */
  readonly onNewer: (now: unknown, draft: Draft) => void;
}

/** Wishes, held against what stood when they were begun. */
export const useDraft = (effective: unknown): Drafting => {
  const [draft, setDraft] = useState<Draft>({});
  const [begun, setBegun] = useState<unknown>(null);
  const before = Object.keys(draft).length === 0 ? effective : (begun ?? effective);
  const put = (next: Draft, stood: unknown): void => {
    setBegun(stood);
    setDraft(next);
  };
  return {
    draft,
    before,
    wish: (path, value) => put(wished(draft, before, path, value), before),
    replace: (next) => put(next, before),
    onNewer: (now, next) => put(next, now),
  };
};
