import { UNDO_MS } from '#domain/correlation/grouping/operation.ts';

/** Undo of an action: an operation, the earlier status of an event, or a silence to end. */
export type ActUndo =
  | { readonly kind: 'operation'; readonly id: string }
  | { readonly kind: 'status'; readonly id: string; readonly status: string }
  | { readonly kind: 'silence'; readonly id: string };

/** An action of a user; `at` in ms. */
export interface UndoableAct {
  readonly at: number;
  readonly action: string;
  readonly subjects: readonly string[];
  readonly operation: string | null;
  readonly status: { readonly from: string; readonly to: string } | null;
}

interface ActStanding {
  /** Current status of the event; undefined: it is gone, or the action was on something else. */
  readonly status: string | undefined;
  /** The silence lasts, or is planned. */
  readonly lasts: boolean;
  /** Later actions of all users. */
  readonly later: readonly Pick<UndoableAct, 'subjects'>[];
  /** ms. */
  readonly now: number;
}

/** Returns null when no undo is left. */
export const undoOf = (act: UndoableAct, { status, lasts, later, now }: ActStanding): ActUndo | null => {
  const { operation, subjects, action, at, status: moved } = act;
  const [id = ''] = subjects;
  const isTouched = later.some((one) => one.subjects.some((subject) => subjects.includes(subject)));
  if (operation !== null && action !== 'group.undone')
    return isTouched || now - at > UNDO_MS ? null : { kind: 'operation', id: operation };
  if (moved !== null) return isTouched || status !== moved.to ? null : { kind: 'status', id, status: moved.from };
  return action === 'silence.created' && lasts ? { kind: 'silence', id } : null;
};
