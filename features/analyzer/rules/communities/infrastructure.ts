/** The configuration items of a tenant and what connects them, as the search for services sees them. */

export interface InfrastructureCi {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Listening programs that scanners saw; absent: none. */
  readonly processes?: readonly SeenProcess[];
}
export interface SeenProcess {
  readonly name: string;
  readonly port: number | null;
}

/** People keep it in the CMDB for the service itself: it is no machine, and its name is that of the service. */
export const isBusinessService = ({ type }: Pick<InfrastructureCi, 'type'>): boolean => type === 'business_service';

/** Link from caller to callee; ends are places in the list of CIs. */
export interface InfrastructureLink {
  readonly source: number;
  readonly target: number;
  /** Type of the relationship, in its stored form. */
  readonly type: string;
  readonly port: number | null;
}

export interface Infrastructure {
  readonly cis: readonly InfrastructureCi[];
  readonly links: readonly InfrastructureLink[];
}

/** 0, 1, 2 … */
export function numbersTo(count: number): Int32Array {
  const numbers = new Int32Array(count);
  for (let n = 0; n < count; n++) numbers[n] = n;
  return numbers;
}
