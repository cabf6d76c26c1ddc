/** One file of the console, whole and compressed. */
export interface ConsoleFile {
  /** Media type. */
  readonly type: string;
  readonly content: Uint8Array;
  /** By content coding; only those that are there. */
  readonly coded: Readonly<Partial<Record<ContentCoding, Uint8Array>>>;
}

/** The best first. */
export const CONTENT_CODINGS = ['br', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** The console as it was built. */
export interface ConsoleFiles {
  /** HTML that still lacks its base and its nonce. */
  readonly page: string;
  /** By name, which says what is in it: another content has another name. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}
