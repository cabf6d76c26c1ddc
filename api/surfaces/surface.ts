import type { z } from 'zod';
import type { FaultKind, Problem } from '#domain/fault.ts';
import type { PageInfo, SurfaceName } from './endpoint.ts';

/** Status and code of every kind of fault; a missing kind does not compile. */
export type FaultTable = Readonly<Record<FaultKind, { readonly status: number; readonly code: string }>>;

/** An error before a dialect adds its body. */
export interface ErrorView {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly problems: readonly Problem[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  /** Epoch ms at which it is worth to try again. */
  readonly retryAt: number | null;
  readonly documentationUrl: string;
}

/** Address of the same list at another page or cursor; relative unless a public URL is set. */
export type PageLink = (at: { readonly page: number } | { readonly cursor: string }) => string;

/** A dialect: where it lives, how it wraps success, how it words errors, how it pages. */
export interface Surface {
  readonly name: SurfaceName;
  readonly prefix: string;
  readonly faults: FaultTable;
  readonly success: (body: unknown, page: PageInfo | undefined) => unknown;
  readonly error: (view: ErrorView) => unknown;
  readonly errorSchema: z.ZodType;
  readonly pageHeaders?: (page: PageInfo, link: PageLink) => Readonly<Record<string, string>>;
}
