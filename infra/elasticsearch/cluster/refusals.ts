/** Distinguishes documents that Elasticsearch refuses for their content from refusals for other reasons. */
import { errors } from '@elastic/elasticsearch';

const BAD_CONTENT: ReadonlySet<string> = new Set([
  'document_parsing_exception',
  'mapper_parsing_exception',
  'strict_dynamic_mapping_exception',
]);
/** Returned for a term that is too long, but also for an alias without an index to write to. */
const BAD_ARGUMENT = 'illegal_argument_exception';

export interface Refusal {
  readonly type: string;
  readonly reason?: string;
}

/** True when the document would be refused again however the store is mended. Types that are not known count as the store's. */
export const isBadContent = ({ type, reason = '' }: Refusal): boolean =>
  BAD_CONTENT.has(type) || (type === BAD_ARGUMENT && /\bfields?\b/.test(reason));

/** Blocked indices, closed ones, and credentials that are not good enough: an operator mends them, and the same request succeeds. */
const OWN_TROUBLE = /^(cluster_block_exception|index_closed_exception|security_exception)/;
const NOT_LET_IN: readonly number[] = [401, 403];

export const isOwnTrouble = (error: unknown): error is errors.ResponseError =>
  error instanceof errors.ResponseError &&
  (NOT_LET_IN.includes(error.statusCode ?? 0) || OWN_TROUBLE.test(error.message));

/** True if the credentials, and not an index, cause the refusal. */
export const isNotLetIn = (error: unknown): error is errors.ResponseError =>
  error instanceof errors.ResponseError &&
  NOT_LET_IN.includes(error.statusCode ?? 0) &&
  !error.message.startsWith('cluster_block_exception');
