/** The `valueString` of Grafana: `[ var='A' labels={instance=web-5:9100, job=node} value=1.2 ], [ … ]`. */
import { type Labels, labelsOf } from './labels.ts';

const LABELS = /\blabels=\{([^{}]{0,4000})\}/g;
/** Series that are looked at. */
const MOST = 100;

/** `instance=web-5:9100, job=node`; a blank stands behind each comma, and none of it is quoted. */
const pairsIn = (written: string): (readonly [string, string])[] =>
  written.split(', ').flatMap((part) => {
    const equals = part.indexOf('=');
    return equals > 0 ? [[part.slice(0, equals), part.slice(equals + 1)] as const] : [];
  });

/** The labels of each series. */
export const labelsOfValues = (valueString: string): Labels[] =>
  [...valueString.matchAll(LABELS)]
    .slice(0, MOST)
    .map(([, written = '']) => labelsOf(Object.fromEntries(pairsIn(written))));
