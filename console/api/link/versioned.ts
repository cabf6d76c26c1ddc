/** The version that a change is based on. */
export interface Versioned {
  readonly etag: string | null;
}

/** A reply of the platform, with its version. */
export const versioned = <T>({
  body,
  etag,
}: {
  readonly body: { readonly data: T };
  readonly etag: string | null;
}): T & Versioned => ({ ...body.data, etag });
