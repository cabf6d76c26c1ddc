import { Fault } from '#domain/fault.ts';

/** The entity tag of a revision (RFC 9110, 8.8.3). */
export const entityTag = (revision: number): string => `"${revision}"`;

/** Throws Fault `precondition` when If-Match was sent and names other revisions only (RFC 9110, 13.1.1). */
export const requireMatch = (header: string | null, revision: number): void => {
  if (header === null) return;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (tags.includes('*') || tags.includes(entityTag(revision))) return;
  throw new Fault(
    'precondition',
    `If-Match failed: the resource changed and is now ${entityTag(revision)}. Fetch it again and retry`,
  );
};
