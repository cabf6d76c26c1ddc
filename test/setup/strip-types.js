import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

/** Jest transform: removes the types in place, so line numbers stay and no build step is needed. */
export const process = (source) => ({ code: stripTypeScriptTypes(source, { mode: 'strip' }) });
export const getCacheKey = (source, path) => createHash('sha1').update(path).update(source).digest('hex');
