import { useState } from 'react';
import { makeToken } from '#console/api/admin/tokens.ts';
import type { SourceDetail } from '#console/api/sources.ts';
import { sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';

type Shown = Pick<SourceDetail, 'name' | 'isMonitor' | 'tokenPlace'>;

interface SourceToken {
  /** The token made here; it cannot be read again. */
  readonly token: string | null;
  readonly isBusy: boolean;
  readonly make: () => Promise<boolean>;
  /** A text with the token in its place. */
  readonly filled: (text: string) => string;
  /** The part that a text still lacks, in words. */
  readonly lacks: (text: string) => string | undefined;
}

/** A token that may send events of one source and nothing else. With a second scope it could not stand in an address. */
export function useSourceToken({ name, isMonitor, tokenPlace }: Shown): SourceToken {
  const { call } = useParts();
  const [token, setToken] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const make = async (): Promise<boolean> => {
    setBusy(true);
    try {
      const scopes = [isMonitor ? ('events.webhook' as const) : ('events.ingest' as const)];
      setToken((await makeToken(call, { name, scopes })).token);
      return true;
    } catch (error) {
      sayFailure('The token could not be made', error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return {
    token,
    isBusy,
    make,
    filled: (text) => (token === null ? text : text.replaceAll(tokenPlace, token)),
    lacks: (text) => (token === null && text.includes(tokenPlace) ? 'a token' : undefined),
  };
}
