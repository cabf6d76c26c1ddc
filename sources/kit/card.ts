/** The card of a source, for the console and the interface document: the body that it posts, a test post, and the configuration that is pasted at the monitor. */
import { z } from 'zod';

/** Placeholder of the token, which is shown once and nowhere else. */
export const TOKEN_PLACE = 'flt_…';

export interface Snippet {
  /** Title of the target. */
  readonly title: string;
  readonly language: 'sh' | 'yaml' | 'json' | 'text';
  readonly text: string;
}
/** Way in which a monitor sends the token: in a header, in the address as a password, or as `?token=`. */
export type Carries = 'header' | 'password' | 'query';

export interface TestOf {
  /** No two tests have the same. */
  readonly serial: string;
  /** ms. */
  readonly at: number;
  /** Its description of itself. */
  readonly what: string;
}

export interface SourceCard {
  /**
   * The documented body. Reading is more lenient (`Source.read`): it accepts other spellings, and a field of another
   * type counts as absent; so every field is optional and further ones are allowed.
   */
  readonly body: z.ZodType;
  readonly carries: Carries;
  /** The same as in docs/sources.md, which has the rest. `base` is the address of this server, without a path. */
  readonly snippets: (address: string, base: string) => readonly Snippet[];
  /** An event of a host that does not exist, to see that posts arrive. */
  readonly test: (test: TestOf) => object;
  /** A shell can post the test: it is not signed, and no snippet does it already. */
  readonly byHand: boolean;
}

export const text = z.string().optional();
export const number = z.number().optional();
export const texts = z.record(z.string(), z.string()).optional();
export const anything = z.record(z.string(), z.unknown()).optional();
export const body = <S extends z.ZodRawShape>(id: string, shape: S, example: object) =>
  z.looseObject(shape).meta({ id, example });

export const sh = (title: string, text: string): Snippet => ({ title, language: 'sh', text });
export const withPassword = (address: string): string => address.replace('://', `://x:${TOKEN_PLACE}@`);
/** Snippet of a configuration that names a file. */
export const tokenFile = (path: string, reader: string): Snippet =>
  sh(`Token file (run as ${reader})`, `(umask 077 && echo '${TOKEN_PLACE}' > ${path})`);

export const HOST = 'faultline-test';
/** No digits and no hex, which titles are compared without. */
const LETTERS = 'ghjkmnpqrstvwxyz';
const wordOf = (serial: string): string =>
  serial.slice(-8).replace(/./g, (sign) => LETTERS.charAt(sign.charCodeAt(0) % 16));
/** Quotes the serial, so that no two are the same problem. */
export const titleOf = ({ serial }: TestOf): string => `Test of Faultline "${wordOf(serial)}"`;
export const iso = ({ at }: TestOf): string => new Date(at).toISOString();
export const seconds = ({ at }: TestOf): number => Math.floor(at / 1_000);
