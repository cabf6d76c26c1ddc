import { useState } from 'react';
import { makeToken } from '#console/api/admin/tokens.ts';
import type { SourceDetail } from '#console/api/sources.ts';
import { showError } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import * as texts from './texts.ts';

type TokenSource = Pick<SourceDetail, 'name' | 'isMonitor' | 'tokenPlace'>;

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

/** A token that may only send events of one source. With a second scope it would not be allowed in an address. */
export function useSourceToken({ name, isMonitor, tokenPlace }: TokenSource): SourceToken {
  const { call } = useAppServices();
  const [token, setToken] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const make = async (): Promise<boolean> => {
    setBusy(true);
    try {
      const scopes = [isMonitor ? ('events.webhook' as const) : ('events.ingest' as const)];
      setToken((await makeToken(call, { name, scopes })).token);
      return true;
    } catch (error) {
      showError(texts.couldntCreateTheToken, error);
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
    lacks: (text) => (token === null && text.includes(tokenPlace) ? texts.token : undefined),
  };
}
