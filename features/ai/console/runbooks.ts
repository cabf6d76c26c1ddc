import { textOf } from '#console/forms/form-text.ts';
import type { AiSettingsData } from './api.ts';
import { kindWords } from './kind-words.ts';
import * as texts from './texts.ts';

export type Runbook = AiSettingsData['effective']['runbooks'][number];

/** Conditions of a runbook, of which all must match; names are those of the server. */
export const RUNBOOK_CONDITIONS = [
  ['ciType', texts.ciType, 64],
  ['service', texts.service, 255],
  ['complaint', texts.kindOfProblem, 64],
  ['title', texts.wordsInTitle, 255],
] as const;

/** The runbook of a form; empty fields are left out. */
export const runbookOf = (form: FormData): Runbook => {
  const others = ['text', ...RUNBOOK_CONDITIONS.map(([name]) => name)].flatMap((name) => {
    const said = textOf(form, name);
    return said === '' ? [] : [[name, said] as const];
  });
  return { url: textOf(form, 'url'), ...Object.fromEntries(others) };
};

/** `CI type database, kind of problem: low disk space`; empty: every event. */
export const appliesTo = (runbook: Runbook): string =>
  RUNBOOK_CONDITIONS.flatMap(([name, words]) => {
    const value = runbook[name];
    if (value === undefined) return [];
    return name === 'complaint' ? texts.ofKind(kindWords(value)) : `${words} ${value}`;
  }).join(', ');

const isAlike = (one: Runbook, other: Runbook): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The list with `before` replaced, removed (`after` null) or, when it is null or gone, with `after` at its end. */
export const withRunbook = (
  all: readonly Runbook[],
  before: Runbook | null,
  after: Runbook | null,
): readonly Runbook[] => {
  const at = before === null ? -1 : all.findIndex((one) => isAlike(one, before));
  if (at >= 0) return all.toSpliced(at, 1, ...(after === null ? [] : [after]));
  return after === null ? all : [...all, after];
};

/** The list with one moved before its predecessor. */
export const movedUp = (all: readonly Runbook[], one: Runbook): readonly Runbook[] => {
  const at = all.findIndex((other) => isAlike(other, one));
  return at < 1 ? all : all.toSpliced(at, 1).toSpliced(at - 1, 0, one);
};
