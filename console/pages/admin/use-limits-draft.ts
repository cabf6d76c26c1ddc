import { useState } from 'react';
import { type Limits, readLimits, setLimits } from '#console/api/admin/admin.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { say } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { SETTABLE_CLASSES, type SettableClass } from '#domain/limit-class.ts';

type Draft = Partial<Record<SettableClass, number | null>>;

const changed = ({ overrides }: Limits, draft: Draft): readonly SettableClass[] =>
  SETTABLE_CLASSES.filter((name) => draft[name] !== undefined && draft[name] !== (overrides[name] ?? null));

/** Limits as a person wants them, beside those that stand, also when somebody else changes them meanwhile. */
export const useLimitsDraft = (limits: Limits, saved: () => Promise<unknown>) => {
  const { call } = useParts();
  const [draft, setDraft] = useState<Draft>({});
  // The values when the first field was changed: the page may be read anew meanwhile.
  const [begun, setBegun] = useState<Limits | null>(null);
  const [newer, setNewer] = useState<Limits | null>(null);
  const base = begun ?? limits;
  const names = changed(base, draft);
  const clashing = newer === null ? [] : names.filter((name) => newer.overrides[name] !== base.overrides[name]);

  const save = async (): Promise<void> => {
    try {
      await setLimits(call, Object.fromEntries(names.map((name) => [name, draft[name] ?? null])), base.etag);
    } catch (error) {
      if (!isProblem(error, 412)) throw error;
      const now = await readLimits(call);
      if (names.every((name) => now.overrides[name] === base.overrides[name])) setBegun(now);
      else setNewer(now);
      throw new Error('Somebody else has changed the limits meanwhile: look at them, and save again');
    }
    say({ text: 'The limits count from the next request on' });
    setDraft({});
    setBegun(null);
    await saved();
  };
  const keep = (name: SettableClass, isMine: boolean): void => {
    const { [name]: mine, ...others } = draft;
    setDraft(isMine && mine !== undefined ? draft : others);
    const isLast = clashing.length === 1;
    if (newer !== null)
      setBegun(isLast ? newer : { ...base, overrides: { ...base.overrides, [name]: newer.overrides[name] } });
    if (isLast) setNewer(null);
  };
  return {
    names,
    save,
    /** The text of the field. */
    valueOf: (name: SettableClass) => (draft[name] === undefined ? limits.overrides[name] : draft[name]),
    change: (name: SettableClass, value: number | null): void => {
      setBegun(base);
      setDraft({ ...draft, [name]: value });
    },
    /** Before, as wished, and as somebody else has set it meanwhile. */
    versionsOf: (name: SettableClass) => ({
      before: base.overrides[name],
      mine: draft[name],
      theirs: newer?.overrides[name],
    }),
    clashing,
    keep,
    forgetNewer: (): void => setNewer(null),
  };
};

export type LimitsDraft = ReturnType<typeof useLimitsDraft>;
