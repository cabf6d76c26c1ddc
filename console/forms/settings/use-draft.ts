import { useState } from 'react';
import { type Draft, wished } from './draft.ts';
import type { Value } from './field.ts';
import type { StandingSettings } from './save-dialog.tsx';

export interface Drafting<V> {
  readonly draft: Draft;
  /** The values when the first wish was made; the current ones, while there is none. */
  readonly before: unknown;
  readonly version: V;
  readonly wish: (path: string, value: Value) => void;
  readonly replace: (draft: Draft) => void;
  /** Another user has saved: from now on changes are compared with that. */
  readonly onNewer: (stands: StandingSettings<V>, draft: Draft) => void;
}

/** Changes, compared with the settings when they were begun. */
export const useDraft = <V>(stands: StandingSettings<V>): Drafting<V> => {
  const [draft, setDraft] = useState<Draft>({});
  const [begun, setBegun] = useState<StandingSettings<V> | null>(null);
  const base = Object.keys(draft).length === 0 ? stands : (begun ?? stands);
  const put = (next: Draft, on: StandingSettings<V>): void => {
    setBegun(on);
    setDraft(next);
  };
  return {
    draft,
    before: base.effective,
    version: base.version,
    wish: (path, value) => put(wished(draft, base.effective, path, value), base),
    replace: (next) => put(next, base),
    onNewer: (newer, next) => put(next, newer),
  };
};
