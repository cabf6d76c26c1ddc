/** The effect of a row of a file on existing CIs and relationships. */

import { fitsJsonLimit, TOO_MUCH_MERGED } from '#domain/json-size.ts';
import { mergePatch } from '#domain/merge-patch.ts';
import { sameJson } from '#domain/same-json.ts';
import { WINDOW_FIELD, windowProblem } from './maintenance.ts';
import { type Ci, type CiStatus, isProposed, type Relationship, relationshipType } from './topology.ts';

type ImportedFields = Readonly<Record<string, unknown>>;

export interface CiLine {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly status?: CiStatus | undefined;
  /** Null removes. */
  readonly description?: string | null | undefined;
  readonly external_key?: string | undefined;
  /** Merge patches. */
  readonly attributes?: ImportedFields | undefined;
  readonly custom_fields?: ImportedFields | undefined;
}
export interface RelationshipLine {
  readonly type: string;
  readonly attributes?: ImportedFields | undefined;
  readonly discovered_by?: string | undefined;
  readonly confidence?: number | undefined;
}

interface Writing {
  readonly tenant: string;
  /** Id of a new object. */
  readonly newId: string;
  /** ms. */
  readonly at: number;
  /** Name of the importing caller for `updatedBy`. */
  readonly by: string;
}

export type Planned<T> =
  | { readonly action: 'created' | 'unchanged'; readonly record: T }
  | { readonly action: 'updated'; readonly record: T; readonly before: T }
  | { readonly action: 'failed'; readonly error: string };

/** The key of a CI: its external key, else name and type. Null: neither is whole. */
export const ciLineKey = ({ external_key, name, type }: CiLine): string | null => {
  if (external_key !== undefined) return `key ${external_key.toLowerCase()}`;
  if (name === undefined || type === undefined) return null;
  return `name ${JSON.stringify([name.toLowerCase(), type.toLowerCase()])}`;
};

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one?.toLowerCase() === other?.toLowerCase();

/** True if the line refers to the CI. */
export const isMeant = (line: CiLine, ci: Ci): boolean =>
  line.external_key !== undefined
    ? [ci.externalKey, ...(ci.formerly ?? [])].some((key) => isSame(key, line.external_key))
    : isSame(ci.name, line.name) && isSame(ci.type, line.type);

const created = (line: CiLine, { tenant, newId, at, by }: Writing): Planned<Ci> => {
  const { name, type, status = 'active', description, external_key } = line;
  if (name === undefined || type === undefined)
    return { action: 'failed', error: 'name and type are required: no CI with this external_key exists' };
  const record: Ci = {
    tenant,
    id: newId,
    name,
    type,
    status,
    ...(typeof description === 'string' && { description }),
    ...(external_key !== undefined && { externalKey: external_key }),
    attributes: mergePatch({}, line.attributes ?? {}),
    customFields: mergePatch({}, line.custom_fields ?? {}),
    createdAt: at,
    updatedAt: at,
    createdBy: by,
    updatedBy: by,
    revision: 1,
  };
  const error = wrongWindow(line, record.customFields);
  return error === null ? { action: 'created', record } : { action: 'failed', error };
};

/** A row may be small enough by itself; the merged CI may not. */
const grown = (field: string, merged: Ci['attributes']): string | null =>
  fitsJsonLimit(merged) ? null : `${field}: ${TOO_MUCH_MERGED}`;

/** An existing window stays, even if invalid. */
const wrongWindow = ({ custom_fields: said }: CiLine, after: Ci['customFields']): string | null => {
  const problem = said != null && WINDOW_FIELD in said ? windowProblem(after) : null;
  return problem && `${problem.field}: ${problem.reason}`;
};

const changed = (line: CiLine, before: Ci, { at, by }: Writing): Planned<Ci> => {
  const { description: had, ...rest } = before;
  const description = line.description === undefined ? had : line.description;
  const after: Ci = {
    ...rest,
    name: line.name ?? before.name,
    type: line.type ?? before.type,
    status: line.status ?? before.status,
    ...(typeof description === 'string' && { description }),
    attributes: mergePatch(before.attributes, line.attributes ?? {}),
    customFields: mergePatch(before.customFields, line.custom_fields ?? {}),
  };
  if (sameJson(before, after)) return { action: 'unchanged', record: before };
  const error =
    grown('attributes', after.attributes) ??
    grown('custom_fields', after.customFields) ??
    wrongWindow(line, after.customFields);
  if (error !== null) return { action: 'failed', error };
  const record = { ...after, updatedAt: at, updatedBy: by, revision: before.revision + 1 };
  return { action: 'updated', record, before };
};

/** `found`: the CIs that the line means. */
export const planCi = (line: CiLine, found: readonly Ci[], writing: Writing): Planned<Ci> => {
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    return {
      action: 'failed',
      error: `${found.length} CIs have this name and type (${ids}). Add external keys to tell them apart`,
    };
  }
  const [before] = found;
  return before === undefined ? created(line, writing) : changed(line, before, writing);
};

/** `before`: the relationship of this type between the same ends, if there is one. */
export const planRelationship = (
  line: RelationshipLine,
  ends: { readonly source: string; readonly target: string },
  before: Relationship | null,
  { tenant, newId, at, by }: Writing,
): Planned<Relationship> => {
  const { attributes = {}, discovered_by, confidence } = line;
  if (ends.source === ends.target) return { action: 'failed', error: 'source_ci and target_ci are the same CI' };
  if (before === null) {
    const said = { discoveredBy: discovered_by ?? by, confidence: confidence ?? 1 };
    const record: Relationship = {
      tenant,
      id: newId,
      type: relationshipType(line.type),
      ...ends,
      ...said,
      attributes: mergePatch({}, attributes),
      createdAt: at,
      updatedAt: at,
      revision: 1,
    };
    return { action: 'created', record };
  }
  const after: Relationship = {
    ...before,
    discoveredBy: discovered_by ?? (isProposed(before) ? by : before.discoveredBy),
    confidence: confidence ?? before.confidence,
    attributes: mergePatch(before.attributes, attributes),
  };
  if (sameJson(before, after)) return { action: 'unchanged', record: before };
  const error = grown('attributes', after.attributes);
  if (error !== null) return { action: 'failed', error };
  return { action: 'updated', record: { ...after, updatedAt: at, revision: before.revision + 1 }, before };
};
